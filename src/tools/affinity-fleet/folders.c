/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks folders. Links are not followed: they may lead back. */
#include "affinity-fleet/folders.h"

#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/denied.h"

static int by_path(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_result(const FTSENT *entry)
{
	const size_t n = entry->fts_namelen;

	return entry->fts_info == FTS_F && n > 5 && !strcmp(entry->fts_name + n - 5, ".json");
}

/* Such as .history, with results that are not the present ones; named itself, it is not passed. */
static bool is_hidden(const FTSENT *entry)
{
	return entry->fts_info == FTS_D && entry->fts_level > 0 && entry->fts_name[0] == '.';
}

static int unreadable(const char *path, int code, struct errors *e)
{
	error_add(e, STATUS_USAGE, NOWHERE, "cannot read '%s': %s", path, strerror(code));
	error_hint(e, "name folders or files with results (.json)");
	return denied_hint(path, code, e);
}

static int walk(char *path, struct words *files, struct errors *e)
{
	char *const roots[] = {path, NULL};
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, NULL);
	int failed = 0;

	if (!tree)
		return unreadable(path, errno, e);
	for (FTSENT *entry = fts_read(tree); entry; entry = fts_read(tree)) {
		if (entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR) {
			failed = unreadable(entry->fts_path, entry->fts_errno, e);
		} else if (is_hidden(entry)) {
			fts_set(tree, entry, FTS_SKIP);
		} else if (entry->fts_info == FTS_D && denied_folder(entry->fts_path, e)) {
			failed = -1;
			fts_set(tree, entry, FTS_SKIP);
		} else if (is_result(entry)) {
			words_add(files, entry->fts_path, entry->fts_pathlen);
		}
	}
	fts_close(tree);
	return failed;
}

int folders_list(const char *path, struct words *files, bool *folder, struct errors *e)
{
	struct stat s;

	if (stat(path, &s))
		return unreadable(path, errno, e);
	*folder = S_ISDIR(s.st_mode);
	if (!*folder) {
		words_add(files, path, strlen(path));
		return 0;
	}
	char *root = strdup(path);
	int failed = root ? walk(root, files, e) : unreadable(path, ENOMEM, e);

	free(root);
	if (files->count)
		qsort(files->word, files->count, sizeof(*files->word), by_path);
	return failed;
}
