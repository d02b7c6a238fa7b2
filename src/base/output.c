/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes files under a temporary name and renames them. */
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/text.h"

/* The path of a file that need not exist, in a folder that should exist. The caller frees it. */
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

/* The target of one link, resolved from the link's own folder. The caller frees it. NULL: path is
 * not a link. */
static char *follow(const char *path)
{
	char link[PATH_MAX];
	ssize_t length = readlink(path, link, sizeof(link) - 1);

	if (length <= 0)
		return NULL;
	link[length] = '\0';
	const char *slash = *link == '/' ? NULL : strrchr(path, '/');
	return alloc_format("%.*s%s", slash ? (int)(slash - path) + 1 : 0, path, link);
}

/* The file at the end of all links, so that renaming replaces the file and not the link, even when
 * the file does not exist yet. Two names of one file have the same target. The caller frees it. */
static char *target_of(const char *path)
{
	char *real = realpath(path, NULL);

	if (real)
		return real;
	char *next = errno == ENOENT ? follow(path) : NULL;
	if (!next)
		return path_in_folder(path);
	char *target = target_of(next);
	free(next);
	return target;
}

/* The N of /proc/self/fd/N; -1: something else. */
static int number_in(const char *path, const char *folder)
{
	size_t length = strlen(folder);
	uint64_t number;

	if (strncmp(path, folder, length) || path[length] != '/' ||
		text_count(path + length + 1, &number) || number > INT_MAX)
		return -1;
	return (int)number;
}

/* More links in a row than Linux follows. */
#define MAX_LINKS 40

/* The descriptor of this process that a name refers to (-, /dev/stdout, /dev/fd/7 and links to
 * them); -1: none. The file behind it is not replaced, because another program may have written to
 * it before. */
static int descriptor_of(const char *path)
{
	if (!strcmp(path, "-"))
		return STDOUT_FILENO;
	char *own = realpath("/proc/self/fd", NULL), *name = alloc_string(path, strlen(path));
	int found = -1;

	for (int i = 0; own && name && found < 0 && i < MAX_LINKS; i++) {
		char *whole = path_in_folder(name), *next = follow(name);

		found = number_in(whole, own);
		free(whole);
		free(name);
		name = next;
	}
	free(name);
	free(own);
	return found;
}

static int look_at(const char *path, struct stat *st)
{
	int fd = descriptor_of(path);

	return fd >= 0 ? fstat(fd, st) : stat(path, st);
}

/* A rename cannot replace these. */
bool output_is_stream(const char *path)
{
	struct stat st;

	return descriptor_of(path) >= 0 ||
	       (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode));
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
	const char *name = strcmp(path, "-") ? path : "standard output";

	error_add(e, STATUS_FAILED, NOWHERE, "cannot write '%s': %s", name, why);
	return error_hint(e, "name a file in a folder that exists and that you may write to; - is "
			     "standard output");
}

static int cannot(const char *path, int error, struct errors *e)
{
	cannot_write(path, strerror(error), e);
	if (error != ENOSPC && error != EDQUOT && error != EFBIG)
		return -1;
	return error_hint(e, "make room there (df, quota, ulimit -f), or name a file elsewhere");
}

/* Blocks all signals, because a signal would leave a temporary file behind. */
static void hold_signals(sigset_t *before)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, before);
}

/* In a folder such as /tmp only the owner of a file may replace it. */
static bool is_kept_by_sticky_folder(const char *target)
{
	char *copy = alloc_string(target, strlen(target));
	struct stat folder, file;
	bool kept = geteuid() && !stat(dirname(copy), &folder) && folder.st_mode & S_ISVTX &&
		    folder.st_uid != geteuid() && !stat(target, &file) && file.st_uid != geteuid();

	free(copy);
	return kept;
}

static int check_folder(const char *path, struct errors *e)
{
	char *target = target_of(path), *temporary = temporary_beside(target);
	sigset_t before;

	hold_signals(&before);
	int fd = mkstemp(temporary), error = errno;
	if (fd >= 0)
		unlink(temporary);
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (fd >= 0) {
		close(fd);
		error = is_kept_by_sticky_folder(target) ? EPERM : 0;
	}
	free(temporary);
	free(target);
	return error ? cannot(path, error, e) : 0;
}

static int check_descriptor(const char *path, int fd, struct errors *e)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY)
		return 0;
	return cannot(path, EBADF, e);
}

int output_check(const char *path, struct errors *e)
{
	int fd = descriptor_of(path);
	struct stat st;

	if (fd >= 0)
		return check_descriptor(path, fd, e);
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return cannot_write(path, "it is a folder", e);
	if (!*path || path[strlen(path) - 1] == '/')
		return cannot_write(path, "it names no file", e);
	if (stat(path, &st) == 0 && access(path, W_OK))
		return cannot(path, errno, e);
	return output_is_stream(path) ? 0 : check_folder(path, e);
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

static int write_stream(const struct output *x, struct errors *e)
{
	int own = descriptor_of(x->path);
	int fd = own >= 0 ? own : open(x->path, O_WRONLY | O_APPEND | O_CLOEXEC);
	int error = fd < 0 || write_all(fd, x->data, x->size) ? errno : 0;

	if (own < 0 && fd >= 0)
		close(fd);
	if (error == EPIPE && own == STDOUT_FILENO)
		return error_add(e, STATUS_READER_LEFT, NOWHERE, "nobody reads it");
	return error ? cannot(x->path, error, e) : 0;
}

/* That of the replaced file; of a new one 0666 without the umask's bits (mkstemp gives 0600). */
static mode_t mode_for(const char *target)
{
	struct stat st;
	mode_t mask = umask(0);

	umask(mask);
	return stat(target, &st) == 0 ? st.st_mode & 07777 : 0666 & ~mask;
}

/* A file that is being written: first under its temporary name, then in the place of its target. */
struct staged {
	const struct output *output;
	char *target, *temporary;
	int error; /* errno; 0: no error so far */
	enum {
		STAGED,   /* new file under the temporary name */
		NEW,      /* new file at the target, where no file was before */
		SWAPPED,  /* new file at the target, earlier file under the temporary name */
		REPLACED, /* new file at the target; the earlier file is gone */
	} state;
};

/* Only EIO, ENOSPC and EDQUOT mean that data are lost. With any other error the file system cannot
 * say whether data are on its disk. */
static int synchronise(int fd)
{
	if (!fsync(fd))
		return 0;
	return errno == EIO || errno == ENOSPC || errno == EDQUOT ? -1 : 0;
}

static void name(struct staged *s, const struct output *x)
{
	*s = (struct staged){.output = x, .target = target_of(x->path)};
	s->temporary = temporary_beside(s->target);
}

/* Asks for no memory: without it the program ends at once and would leave a temporary file. */
static void stage(struct staged *s)
{
	const struct output *x = s->output;
	int fd = mkstemp(s->temporary);

	if (fd >= 0)
		fchmod(fd, mode_for(s->target)); /* some file systems have no modes */
	if (fd < 0 || write_all(fd, x->data, x->size) || synchronise(fd))
		s->error = errno;
	/* close() can report that a full disk or a network file system did not store all data */
	if (fd >= 0 && close(fd) && !s->error)
		s->error = errno;
}

/* Exchanges the earlier file with the new one where the file system can do that, so that the change
 * can be undone. */
static void put_in_place(struct staged *s)
{
	struct stat st;
	bool earlier = !lstat(s->target, &st);

	s->state = NEW;
	if (earlier && S_ISREG(st.st_mode)) {
		s->state = SWAPPED;
		if (!renameat2(AT_FDCWD, s->temporary, AT_FDCWD, s->target, RENAME_EXCHANGE))
			return;
		s->state = REPLACED;
	}
	if (!rename(s->temporary, s->target))
		return;
	s->error = errno;
	s->state = STAGED;
}

static void put_back(struct staged *s)
{
	if (s->state == SWAPPED)
		renameat2(AT_FDCWD, s->temporary, AT_FDCWD, s->target, RENAME_EXCHANGE);
	else if (s->state == NEW)
		rename(s->target, s->temporary);
}

static int finish(struct staged *list, size_t count, bool failed, struct errors *e)
{
	for (size_t i = 0; i < count; i++) {
		if (failed)
			put_back(&list[i]);
		unlink(list[i].temporary);
	}
	for (size_t i = 0; i < count; i++) {
		if (list[i].error)
			cannot(list[i].output->path, list[i].error, e);
		free(list[i].temporary);
		free(list[i].target);
	}
	if (failed && count > 1)
		error_add(e, STATUS_FAILED, NOWHERE,
			"no file of this run is written: affinity writes all of them or none");
	return failed ? -1 : 0;
}

static int replace_all(const struct output *const *files, size_t count, struct errors *e)
{
	struct staged *list = alloc_zeroed(count, sizeof(*list));
	bool failed = false;

	for (size_t i = 0; i < count; i++)
		name(&list[i], files[i]);
	for (size_t i = 0; i < count; i++) {
		stage(&list[i]);
		failed |= list[i].error != 0;
	}
	for (size_t i = 0; i < count && !failed; i++) {
		put_in_place(&list[i]);
		failed = list[i].error != 0;
	}
	int result = finish(list, count, failed, e);
	free(list);
	return result;
}

/* Writes streams first, while signals are not blocked, because a pipe may wait for its reader for
 * ever. */
int output_write_all(const struct output *outputs, size_t count, struct errors *e)
{
	const struct output **files = alloc_zeroed(count, sizeof(*files));
	size_t nfiles = 0;
	int failed = 0;
	sigset_t before;

	for (size_t i = 0; i < count; i++)
		if (output_is_stream(outputs[i].path))
			failed |= write_stream(&outputs[i], e);
		else
			files[nfiles++] = &outputs[i];
	hold_signals(&before);
	failed |= replace_all(files, nfiles, e);
	sigprocmask(SIG_SETMASK, &before, NULL);
	free(files);
	return failed;
}

int output_write(const char *path, const char *data, size_t size, struct errors *e)
{
	return output_write_all(&(struct output){path, data, size}, 1, e);
}

bool output_same(const char *a, const char *b)
{
	int fd = descriptor_of(a);
	struct stat sa, sb;

	if (fd >= 0 && fd == descriptor_of(b))
		return true;
	bool a_there = !look_at(a, &sa), b_there = !look_at(b, &sb);
	if ((a_there && S_ISCHR(sa.st_mode)) || (b_there && S_ISCHR(sb.st_mode)))
		return false;
	if (a_there && b_there)
		return sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
	if (fd >= 0 || descriptor_of(b) >= 0)
		return false;
	char *to_a = target_of(a), *to_b = target_of(b);
	bool same = !strcmp(to_a, to_b);

	free(to_a);
	free(to_b);
	return same;
}
