/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes files under a temporary name and renames them. */
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/target.h"
#include "base/turns.h"

static bool is_stream(const struct target *t)
{
	struct stat st;

	return t->descriptor >= 0 ||
	       (target_exists(t, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode));
}

/* A rename cannot replace these. */
bool output_is_stream(const char *path)
{
	struct target t;

	if (target_find(&t, path))
		return false;
	bool stream = is_stream(&t);
	target_free(&t);
	return stream;
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
	if (error == TARGET_PLANTED)
		return cannot_write(path,
			"another user's file or link lies there, in a folder for everyone", e);
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
static bool is_kept_by_sticky_folder(const struct target *t, const struct stat *file)
{
	struct stat folder;

	return geteuid() && !fstat(t->folder, &folder) && folder.st_mode & S_ISVTX &&
	       folder.st_uid != geteuid() && file->st_uid != geteuid();
}

/* 0, or that another user may have put there what is there. */
static int check_owner(const struct target *t)
{
	struct stat st;

	return target_exists(t, &st) && target_is_planted(t, &st) ? TARGET_PLANTED : 0;
}

/* 0, or why what is there may not be written to or replaced. */
static int check_present(const struct target *t)
{
	struct stat st;

	if (!target_exists(t, &st))
		return 0;
	if (S_ISDIR(st.st_mode))
		return EISDIR;
	if (check_owner(t))
		return TARGET_PLANTED;
	if (faccessat(t->folder, t->name, W_OK, 0))
		return errno;
	return !is_stream(t) && is_kept_by_sticky_folder(t, &st) ? EPERM : 0;
}

#define TEMPORARY_SIZE 32

/* More than chance can take. */
#define MAX_NAMES 100

/* Opens a new file beside the target. -1 with errno. */
static int make_temporary(const struct target *t, char *name)
{
	int fd = -1;
	uint64_t number;

	for (int i = 0; i < MAX_NAMES && fd < 0 && (!i || errno == EEXIST); i++) {
		if (getrandom(&number, sizeof(number), 0) != sizeof(number))
			return -1;
		snprintf(name, TEMPORARY_SIZE, ".affinity-%016" PRIx64, number);
		fd = openat(t->folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			0600);
	}
	return fd;
}

static int check_folder(const struct target *t)
{
	char temporary[TEMPORARY_SIZE];
	sigset_t before;

	hold_signals(&before);
	int fd = make_temporary(t, temporary), error = fd < 0 ? errno : 0;
	if (fd >= 0)
		unlinkat(t->folder, temporary, 0);
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (fd >= 0)
		close(fd);
	return error;
}

static int check_target(const struct target *t)
{
	if (t->descriptor >= 0) {
		int flags = fcntl(t->descriptor, F_GETFL);

		return flags < 0 || (flags & O_ACCMODE) == O_RDONLY ? EBADF : 0;
	}
	int error = check_present(t);
	return error || is_stream(t) ? error : check_folder(t);
}

int output_check(const char *path, struct errors *e)
{
	struct target t;
	int error = target_find(&t, path);

	if (!error) {
		error = check_target(&t);
		target_free(&t);
	}
	if (error == EISDIR)
		return cannot_write(path, "it is a folder", e);
	if (!*path || path[strlen(path) - 1] == '/')
		return cannot_write(path, "it names no file", e);
	return error ? cannot(path, error, e) : 0;
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

static int open_stream(const struct target *t)
{
	if (t->descriptor >= 0)
		return t->descriptor;
	errno = check_owner(t);
	return errno ? -1
		     : openat(t->folder, t->name, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
}

static int write_stream(const struct output *x, const struct target *t, struct errors *e)
{
	int fd = open_stream(t);
	int error = fd < 0 || write_all(fd, x->data, x->size) ? errno : 0;

	if (t->descriptor < 0 && fd >= 0)
		close(fd);
	if (error == EPIPE && t->descriptor == STDOUT_FILENO)
		return error_add(e, STATUS_READER_LEFT, NOWHERE, "its reader is gone");
	return error ? cannot(x->path, error, e) : 0;
}

/* That of the replaced file, of which another user's gives no more than a new one has: 0666 without
 * the umask's bits. */
static mode_t mode_for(const struct target *t)
{
	struct stat st;
	mode_t mask = umask(0), fresh = 0666 & ~mask;

	umask(mask);
	if (!target_exists(t, &st))
		return fresh;
	return st.st_uid == geteuid() ? st.st_mode & 07777 : st.st_mode & fresh;
}

/* A file that is being written: first under its temporary name, then in the place of its target. */
struct staged {
	const struct output *output;
	struct target target;
	char temporary[TEMPORARY_SIZE]; /* "": not made */
	int error;                      /* errno; 0: no error so far */
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

/* Asks for no memory: without it the program ends at once and would leave a temporary file. */
static void stage(struct staged *s)
{
	const struct output *x = s->output;

	s->error = check_owner(&s->target);
	if (s->error)
		return;
	int fd = make_temporary(&s->target, s->temporary);
	if (fd >= 0)
		fchmod(fd, mode_for(&s->target)); /* some file systems have no modes */
	if (fd < 0 || write_all(fd, x->data, x->size) || synchronise(fd))
		s->error = errno;
	/* close() can report that a full disk or a network file system did not store all data */
	if (fd >= 0 && close(fd) && !s->error)
		s->error = errno;
}

static int exchange(const struct staged *s)
{
	return renameat2(
		s->target.folder, s->temporary, s->target.folder, s->target.name, RENAME_EXCHANGE);
}

/* Exchanges the earlier file with the new one where the file system can do that, so that the change
 * can be undone. */
static void put_in_place(struct staged *s)
{
	const struct target *t = &s->target;
	struct stat st;

	s->state = NEW;
	if (target_exists(t, &st) && S_ISREG(st.st_mode)) {
		s->state = SWAPPED;
		if (!exchange(s))
			return;
		s->state = REPLACED;
	}
	if (!renameat(t->folder, s->temporary, t->folder, t->name))
		return;
	s->error = errno;
	s->state = STAGED;
}

static void put_back(struct staged *s)
{
	const struct target *t = &s->target;

	if (s->state == SWAPPED)
		exchange(s);
	else if (s->state == NEW)
		renameat(t->folder, t->name, t->folder, s->temporary);
}

static int finish_staged(struct staged *list, size_t count, bool failed, struct errors *e)
{
	for (size_t i = 0; i < count; i++) {
		if (failed)
			put_back(&list[i]);
		if (*list[i].temporary)
			unlinkat(list[i].target.folder, list[i].temporary, 0);
	}
	for (size_t i = 0; i < count; i++) {
		if (list[i].error)
			cannot(list[i].output->path, list[i].error, e);
		target_free(&list[i].target);
	}
	if (failed && count > 1)
		error_add(e, STATUS_FAILED, NOWHERE,
			"no file of this run is written: affinity writes all of them or none");
	return failed ? -1 : 0;
}

static int replace_all(struct staged *list, size_t count, struct errors *e)
{
	bool failed = false;
	struct turns turns = {0};

	for (size_t i = 0; i < count; i++)
		if (!list[i].error)
			turns_add(&turns, list[i].target.folder);
	for (size_t i = 0; i < count; i++) {
		if (!list[i].error)
			stage(&list[i]);
		failed |= list[i].error != 0;
	}
	if (!failed)
		turns_take(&turns);
	for (size_t i = 0; i < count && !failed; i++) {
		put_in_place(&list[i]);
		failed = list[i].error != 0;
	}
	int result = finish_staged(list, count, failed, e);
	turns_end(&turns);
	return result;
}

/* Writes streams first, while signals are not blocked, because a pipe may wait for its reader for
 * ever. */
int output_write_all(const struct output *outputs, size_t count, struct errors *e)
{
	struct staged *files = alloc_zeroed(count, sizeof(*files));
	size_t nfiles = 0;
	int failed = 0;
	sigset_t before;

	for (size_t i = 0; i < count; i++) {
		struct staged s = {.output = &outputs[i]};

		s.error = target_find(&s.target, outputs[i].path);
		if (s.error || !is_stream(&s.target)) {
			files[nfiles++] = s;
			continue;
		}
		failed |= write_stream(&outputs[i], &s.target, e);
		target_free(&s.target);
	}
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

/* An input may lie behind links that no output would follow. */
static bool look_at(const char *path, const struct target *t, struct stat *st)
{
	return t->descriptor >= 0 ? !fstat(t->descriptor, st) : !stat(path, st);
}

static bool is_same(const char *a, const struct target *ta, const char *b, const struct target *tb)
{
	struct stat sa, sb;

	if (ta->descriptor >= 0 && ta->descriptor == tb->descriptor)
		return true;
	bool a_there = look_at(a, ta, &sa), b_there = look_at(b, tb, &sb);
	if ((a_there && S_ISCHR(sa.st_mode)) || (b_there && S_ISCHR(sb.st_mode)))
		return false;
	if (!a_there || !b_there) {
		if (!ta->name || !tb->name || strcmp(ta->name, tb->name) || a_there || b_there)
			return false;
		a_there = !fstat(ta->folder, &sa);
		b_there = !fstat(tb->folder, &sb);
	}
	return a_there && b_there && sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
}

bool output_same(const char *a, const char *b)
{
	struct target ta, tb;

	target_find(&ta, a);
	target_find(&tb, b);
	bool same = is_same(a, &ta, b, &tb);
	target_free(&ta);
	target_free(&tb);
	return same;
}

static int refuse_same_file(const char *one, const char *other, struct errors *e)
{
	error_add(e, STATUS_USAGE, NOWHERE, "'%s' and '%s' are the same file", one, other);
	return error_hint(e, "name another: one would replace the other, or be read twice");
}

int output_distinct(const char *const *files, size_t count, struct errors *e)
{
	int failed = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t k = i + 1; k < count; k++)
			if (files[i] && files[k] && output_same(files[i], files[k]))
				failed = refuse_same_file(files[i], files[k], e);
	return failed;
}
