/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs that replace files of the same folders take turns, so that the files of two runs are not
 * mixed. The lock is on the folders themselves: it leaves nothing behind, and ends with the
 * process.
 */
#ifndef TURNS_H
#define TURNS_H

#include <stddef.h>
#include <sys/stat.h>

struct turn {
	int fd;
	struct stat folder;
};

struct turns {
	struct turn *list; /* of each folder one */
	size_t count;
};

/* Adds the folder of a descriptor, which may be one of O_PATH. Without a right to read it, there is
 * no lock. */
void turns_add(struct turns *t, int folder);

/* Waits until no other run has one of them. Where the file system has no locks, and where another
 * program keeps one, it ends without. */
void turns_take(const struct turns *t);

/* Lets others in, and frees. */
void turns_end(struct turns *t);

#endif
