/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replaces files of /proc and /sys: with FILES=FOLDER, /sys/x is read from FOLDER/sys/x if that
 * exists. An empty file there means that the file does not exist. FILES_LATER=/sys/x: from its
 * second opening on, FOLDER/sys/x.later is read instead; FILES_AFTER=N: after its N-th one.
 * FILES_KEPT=/sys/x FILES_KEPT_FROM=CALL: access, open or fopen for writing fails with EPERM. What
 * has no replacement is never written. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_later(const char *path)
{
	static atomic_int opened;
	const char *later = getenv("FILES_LATER"), *after = getenv("FILES_AFTER");

	return later && !strcmp(later, path) &&
	       atomic_fetch_add(&opened, 1) >= (after ? atoi(after) : 1);
}

/* path itself, the path of its replacement, or NULL. */
static const char *other(const char *path, char *buffer, size_t n)
{
	const char *folder = getenv("FILES");
	struct stat st;

	if (!folder || (strncmp(path, "/proc/", 6) && strncmp(path, "/sys/", 5)))
		return path;
	snprintf(buffer, n, "%s%s%s", folder, path, is_later(path) ? ".later" : "");
	if (stat(buffer, &st))
		return path;
	errno = ENOENT;
	return S_ISREG(st.st_mode) && !st.st_size ? NULL : buffer;
}

/* file: what other() has found for path. */
static int is_kept(const char *path, const char *file, const char *from)
{
	const char *kept = getenv("FILES_KEPT"), *call = getenv("FILES_KEPT_FROM");
	const int ours = !strncmp(path, "/proc/", 6) || !strncmp(path, "/sys/", 5);

	if (!(kept && call && !strcmp(kept, path) && !strcmp(call, from)) &&
		!(ours && getenv("FILES") && file == path))
		return 0;
	errno = EPERM;
	return 1;
}

FILE *fopen(const char *path, const char *mode)
{
	char buffer[4096];
	const char *file = other(path, buffer, sizeof(buffer));
	FILE *(*real)(const char *, const char *) =
		(FILE * (*)(const char *, const char *)) dlsym(RTLD_NEXT, "fopen");

	if (*mode == 'w' && is_kept(path, file, "fopen"))
		return NULL;
	return file ? real(file, mode) : NULL;
}

int open(const char *path, int flags, ...)
{
	char buffer[4096];
	const char *file = other(path, buffer, sizeof(buffer));
	int (*real)(const char *, int, ...) =
		(int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
	va_list mode;
	int result;

	if (flags & O_WRONLY && is_kept(path, file, "open"))
		return -1;
	va_start(mode, flags);
	result = file ? real(file, flags, va_arg(mode, int)) : -1;
	va_end(mode);
	return result;
}

int access(const char *path, int mode)
{
	char buffer[4096];
	const char *file = other(path, buffer, sizeof(buffer));
	int (*real)(const char *, int) = (int (*)(const char *, int))dlsym(RTLD_NEXT, "access");

	if (mode & W_OK && is_kept(path, file, "access"))
		return -1;
	return file ? real(file, mode) : -1;
}
