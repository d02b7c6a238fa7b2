/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks at the first thread's CPUs before any library's constructor runs. */
#include "system/given_cpus.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "base/linux.h"

static unsigned long given[LINUX_MASK_WORDS];
static long given_bytes; /* as many as the kernel has; 0 or less: it could not be asked */

static void read_given_cpus(void)
{
	given_bytes = syscall(SYS_sched_getaffinity, 0, sizeof(given), given);
}

/* The dynamic linker calls these before the constructors of libraries. */
__attribute__((section(".preinit_array"), used)) static void (*const first)(void) = read_given_cpus;

int given_cpus_restore(void)
{
	if (given_bytes <= 0)
		return 0;
	return (int)syscall(SYS_sched_setaffinity, 0, (size_t)given_bytes, given);
}
