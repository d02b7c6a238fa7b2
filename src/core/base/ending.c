/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The end of a program that printed on standard output. */
#include "base/ending.h"

#include <poll.h>
#include <stdio.h>
#include <unistd.h>

/* Asks the pipe, because errno is that of the last write, and an earlier one may have failed. */
static bool reader_left(void)
{
	struct pollfd out = {.fd = STDOUT_FILENO};

	return poll(&out, 1, 0) == 1 && (out.revents & POLLERR);
}

void ending_flush(struct errors *e)
{
	if (!fflush(stdout) && !ferror(stdout))
		return;
	if (reader_left())
		error_add(e, STATUS_READER_LEFT, NOWHERE, "the reader of standard output is gone");
	else
		error_add(e, STATUS_FAILED, NOWHERE, "cannot write to standard output");
}
