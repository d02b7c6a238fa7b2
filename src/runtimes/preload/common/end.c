/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ways by which a process ends that a library can see. */
#include <sys/syscall.h>
#include <unistd.h>

#include "exec.h"

__attribute__((destructor)) static void end(void)
{
	process_ends(true);
}

EXPORT _Noreturn void _exit(int status)
{
	process_ends(false);
	syscall(SYS_exit_group, status);
	__builtin_unreachable();
}

EXPORT _Noreturn void _Exit(int status)
{
	_exit(status);
}
