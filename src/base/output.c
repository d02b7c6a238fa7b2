/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes files by temporary name and rename. */
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"

static bool is_stdout(const char *path)
{
	return !strcmp(path, "-");
}

/* /dev/full, /dev/null, a pipe: nothing to rename over. */
static bool is_special(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

/* The path of a file that need not be there, in a folder that should be; to be freed. */
static char *path_in_folder(const char *path)
{
	char *copy = alloc_string(path, strlen(path)), *folder = realpath(dirname(copy), NULL);
	const char *slash = strrchr(path, '/');
	char *whole = folder ? alloc_format("%s/%s", folder, slash ? slash + 1 : path)
			     : alloc_string(path, strlen(path));

	free(folder);
	free(copy);
	return whole;
}

/* Where a link leads, so that renaming replaces the file and not the link, also when nothing is
 * there yet; to be freed. Two names of one file have the same target. */
static char *target_of(const char *path)
{
	char link[PATH_MAX], *real = realpath(path, NULL);

	if (real)
		return real;
	ssize_t length = errno == ENOENT ? readlink(path, link, sizeof(link) - 1) : -1;
	if (length <= 0)
		return path_in_folder(path);
	link[length] = '\0';
	const char *slash = *link == '/' ? NULL : strrchr(path, '/');
	char *next = alloc_format("%.*s%s", slash ? (int)(slash - path) + 1 : 0, path, link);
	char *target = target_of(next);
	free(next);
	return target;
}

static char *temporary_beside(const char *target)
{
	char *copy = alloc_string(target, strlen(target));
	char *temporary = alloc_format("%s/.affinity-XXXXXX", dirname(copy));

	free(copy);
	return temporary;
}

static int cannot_write(const char *path, const char *why, struct errors *e)
{
	error_add(e, STATUS_FAILED, NOWHERE, "cannot write '%s': %s", path, why);
	return error_hint(e, "name a file in a folder that exists and that you may write to; - is "
			     "standard output");
}

/* A signal while there is a temporary file would leave it behind. */
static void hold_signals(sigset_t *before)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, before);
}

static int check_folder(const char *path, struct errors *e)
{
	char *target = target_of(path), *temporary = temporary_beside(target);
	sigset_t before;

	hold_signals(&before);
	int fd = mkstemp(temporary), failed = 0;
	if (fd < 0)
		failed = cannot_write(path, strerror(errno), e);
	else
		unlink(temporary);
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (fd >= 0)
		close(fd);
	free(temporary);
	free(target);
	return failed;
}

int output_check(const char *path, struct errors *e)
{
	struct stat st;

	if (is_stdout(path))
		return 0;
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return cannot_write(path, "it is a folder", e);
	if (!*path || path[strlen(path) - 1] == '/')
		return cannot_write(path, "it names no file", e);
	if (stat(path, &st) == 0 && access(path, W_OK))
		return cannot_write(path, strerror(errno), e);
	return is_special(path) ? 0 : check_folder(path, e);
}

static int write_all(int fd, const char *data, size_t size)
{
	while (size) {
		ssize_t wrote = write(fd, data, size);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote <= 0)
			return -1;
		data += wrote;
		size -= (size_t)wrote;
	}
	return 0;
}

static int write_special(const char *path, const char *data, size_t size, struct errors *e)
{
	int fd = is_stdout(path) ? STDOUT_FILENO : open(path, O_WRONLY | O_CLOEXEC);
	int failed = fd < 0 || write_all(fd, data, size);
	int error = errno;

	if (fd >= 0 && !is_stdout(path))
		close(fd);
	return failed ? cannot_write(is_stdout(path) ? "standard output" : path, strerror(error), e)
		      : 0;
}

/* The mode of the file that is replaced, or what the umask leaves of a new one's (mkstemp gives
 * 0600). */
static mode_t mode_for(const char *target)
{
	struct stat st;
	mode_t mask = umask(0);

	umask(mask);
	return stat(target, &st) == 0 ? st.st_mode & 07777 : 0666 & ~mask;
}

static int replace(const char *path, const char *data, size_t size, struct errors *e)
{
	char *target = target_of(path), *temporary = temporary_beside(target);
	int fd = mkstemp(temporary);
	int failed =
		fd < 0 || write_all(fd, data, size) || fchmod(fd, mode_for(target)) || fsync(fd);
	int error = errno;

	/* close() can bring the news that a full disk or a network file system did not take it all
	 */
	if (fd >= 0 && close(fd) && !failed) {
		failed = 1;
		error = errno;
	}
	if (!failed && rename(temporary, target)) {
		failed = 1;
		error = errno;
	}
	if (fd >= 0 && failed)
		unlink(temporary);
	free(temporary);
	free(target);
	return failed ? cannot_write(path, strerror(error), e) : 0;
}

int output_write(const char *path, const char *data, size_t size, struct errors *e)
{
	sigset_t before;
	int failed;

	if (is_stdout(path) || is_special(path))
		return write_special(path, data, size, e);
	hold_signals(&before);
	failed = replace(path, data, size, e);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return failed;
}

int output_same(const char *a, const char *b)
{
	struct stat sa, sb;

	if (is_stdout(a) || is_stdout(b))
		return is_stdout(a) && is_stdout(b);
	if (is_special(a) || is_special(b))
		return 0;
	if (stat(a, &sa) == 0 && stat(b, &sb) == 0)
		return sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
	char *to_a = target_of(a), *to_b = target_of(b);
	int same = !strcmp(to_a, to_b);

	free(to_a);
	free(to_b);
	return same;
}
