/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Walks a path name by name, each from the open folder before it, so that nobody can exchange a
 * folder meanwhile. A link's own text takes the place of its name in the rest of the path.
 */
#include "base/target.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/text.h"

/* As many as Linux follows. */
#define MAX_LINKS 40

static int enter(struct target *t, int from, const char *name)
{
	int folder = openat(from, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (folder < 0)
		return errno;
	if (t->folder >= 0)
		close(t->folder);
	t->folder = folder;
	return 0;
}

/* Is the folder /proc/self/fd? Its links name what is open, not a file to be replaced: another
 * program may have written to it before. */
static bool has_own_descriptors(int folder)
{
	char *own = realpath("/proc/self/fd", NULL), link[64], path[PATH_MAX];

	snprintf(link, sizeof(link), "/proc/self/fd/%d", folder);
	ssize_t n = own ? readlink(link, path, sizeof(path) - 1) : -1;
	bool same = n > 0 && (size_t)n == strlen(own) && !memcmp(path, own, (size_t)n);
	free(own);
	return same;
}

static bool is_descriptor(struct target *t)
{
	uint64_t number;

	if (text_count(t->name, &number) || number > INT_MAX || !has_own_descriptors(t->folder))
		return false;
	t->descriptor = (int)number;
	return true;
}

bool target_exists(const struct target *t, struct stat *st)
{
	return !fstatat(t->folder, t->name, st, AT_SYMLINK_NOFOLLOW);
}

bool target_is_planted(const struct target *t, const struct stat *st)
{
	struct stat folder;

	return !fstat(t->folder, &folder) && folder.st_mode & S_ISVTX && folder.st_mode & S_IWOTH &&
	       st->st_uid != geteuid() && st->st_uid != folder.st_uid;
}

/* What the link of that name says. NULL: it is none, or with an error. */
static char *read_link(const struct target *t, int *error)
{
	char text[PATH_MAX];
	struct stat st;

	if (!target_exists(t, &st) || !S_ISLNK(st.st_mode))
		return NULL;
	ssize_t n = readlinkat(t->folder, t->name, text, sizeof(text));
	*error = n < 0 ? errno : n == sizeof(text) ? ENAMETOOLONG : n ? 0 : ENOENT;
	if (target_is_planted(t, &st))
		*error = TARGET_PLANTED;
	return *error ? NULL : alloc_string(text, (size_t)n);
}

/* The next name of the path. 0, or an errno. *rest: what follows; NULL: that was the last one. */
static int step(struct target *t, char **rest, int *links)
{
	const char *name = *rest + strspn(*rest, "/"), *end = name + strcspn(name, "/");
	const char *after = end + strspn(end, "/");
	char *next = NULL, *link;
	int error = 0;

	free(t->name);
	t->name = alloc_string(name, (size_t)(end - name));
	if (!*after && is_descriptor(t)) {
		free(*rest);
		*rest = NULL;
		return 0;
	}
	link = read_link(t, &error);
	if (link) {
		next = alloc_format("%s%s%s", link, *after ? "/" : "", after);
		error = ++*links > MAX_LINKS ? ELOOP : *link == '/' ? enter(t, AT_FDCWD, "/") : 0;
	} else if (!error && *after) {
		next = alloc_string(after, strlen(after));
		error = enter(t, t->folder, t->name);
	}
	free(link);
	free(*rest);
	*rest = next;
	return error;
}

int target_find(struct target *t, const char *path)
{
	char *rest = alloc_string(path, strlen(path));
	int links = 0, error = 0;

	*t = (struct target){.descriptor = -1, .folder = -1};
	if (!strcmp(path, "-"))
		t->descriptor = STDOUT_FILENO;
	else
		error = enter(t, AT_FDCWD, *path == '/' ? "/" : ".");
	while (!error && t->descriptor < 0 && rest)
		error = step(t, &rest, &links);
	free(rest);
	if (error)
		target_free(t);
	return error;
}

void target_free(struct target *t)
{
	if (t->folder >= 0)
		close(t->folder);
	free(t->name);
	*t = (struct target){.descriptor = -1, .folder = -1};
}
