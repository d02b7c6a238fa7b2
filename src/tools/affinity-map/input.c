/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks for the bytes that wait on the standard input, and reads none. */
#include "affinity-map/input.h"

#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

static bool has_bytes(void)
{
	struct stat s;
	int waiting = 0;

	if (fstat(STDIN_FILENO, &s))
		return false;
	if (S_ISREG(s.st_mode))
		return lseek(STDIN_FILENO, 0, SEEK_CUR) < s.st_size;
	return (S_ISFIFO(s.st_mode) || S_ISSOCK(s.st_mode)) &&
	       !ioctl(STDIN_FILENO, FIONREAD, &waiting) && waiting > 0;
}

int input_check(const char *program, struct errors *e)
{
	if (!has_bytes())
		return 0;
	error_add(e, STATUS_USAGE, NOWHERE,
		"--try: '%s' would not get what comes on the standard input: it runs many times",
		program);
	return error_hint(e,
		"-- sh -c 'exec %s ARG... <FILE', or affinity-map </dev/null if it "
		"reads nothing",
		program);
}
