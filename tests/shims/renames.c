/* SPDX-License-Identifier: GPL-3.0-or-later */
/* After its first rename the process makes a file `renamed`, and goes on when there is a file `go`.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

int renameat2(int from, const char *a, int to, const char *b, unsigned flags)
{
	int (*real)(int, const char *, int, const char *, unsigned) = dlsym(RTLD_NEXT, "renameat2");
	int result = real(from, a, to, b, flags);

	if (access("renamed", F_OK)) {
		close(open("renamed", O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
		while (access("go", F_OK))
			nanosleep(&(struct timespec){0, 10000000}, NULL);
	}
	return result;
}
