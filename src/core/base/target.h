/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a path leads that is to be written: a folder, and a name in it that is no link. Links on
 * the way are followed, but for those that somebody may have planted: in a sticky folder that
 * everyone may write to, such as /tmp, only a link of this user or of the folder's owner counts. It
 * is Linux's rule for fs.protected_symlinks, here on every machine, and for each folder of the
 * path.
 */
#ifndef TARGET_H
#define TARGET_H

#include <stdbool.h>
#include <sys/stat.h>

/* In place of an errno, all of which are below: another user put the link or the file there. */
#define TARGET_PLANTED 4096

struct target {
	int descriptor; /* of this process, which the path names (-, /dev/stdout, /dev/fd/7); or -1
			 */
	int folder;     /* else that of the file; opened with O_PATH */
	char *name;     /* in the folder; need not exist */
};

/* 0, or an errno; then there is nothing to free. */
int target_find(struct target *t, const char *path);

/* Looks at the file itself. Is there one? */
bool target_exists(const struct target *t, struct stat *st);

/* May another user have put what is there, as in /tmp? */
bool target_is_planted(const struct target *t, const struct stat *st);

void target_free(struct target *t);

#endif
