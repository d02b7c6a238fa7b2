/* SPDX-License-Identifier: GPL-3.0-or-later */
/* flock() on folders, always in the same order: two runs never wait for each other. */
#include "base/turns.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"

/* Some renames take milliseconds, on a busy disk a second. Whoever may read a folder may lock it
 * for ever: then results are worth more than turns. */
#define LOOK_NS    10000000
#define MOST_LOOKS 1000

static int compare_ages(const struct stat *a, const struct stat *b)
{
	if (a->st_dev != b->st_dev)
		return a->st_dev < b->st_dev ? -1 : 1;
	return a->st_ino < b->st_ino ? -1 : a->st_ino > b->st_ino;
}

void turns_add(struct turns *t, int folder)
{
	struct turn new = {.fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
	size_t i = 0;

	if (new.fd < 0 || fstat(new.fd, &new.folder))
		return;
	while (i < t->count && compare_ages(&t->list[i].folder, &new.folder) < 0)
		i++;
	if (i < t->count && !compare_ages(&t->list[i].folder, &new.folder)) {
		close(new.fd);
		return;
	}
	t->list = alloc_grow(t->list, t->count, sizeof(*t->list));
	memmove(&t->list[i + 1], &t->list[i], (t->count - i) * sizeof(*t->list));
	t->list[i] = new;
	t->count++;
}

void turns_take(const struct turns *t)
{
	int looks = 0;

	for (size_t i = 0; i < t->count; i++)
		while (flock(t->list[i].fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK &&
			looks++ < MOST_LOOKS)
			nanosleep(&(struct timespec){0, LOOK_NS}, NULL);
}

void turns_end(struct turns *t)
{
	for (size_t i = 0; i < t->count; i++)
		close(t->list[i].fd);
	free(t->list);
	*t = (struct turns){0};
}
