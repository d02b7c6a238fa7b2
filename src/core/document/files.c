/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists result documents. */
#include "document/files.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/denied.h"

static int is_json(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return length > 5 && !strcmp(entry->d_name + length - 5, ".json");
}

static bool is_folder(const char *path)
{
	struct stat s;

	return !stat(path, &s) && S_ISDIR(s.st_mode);
}

/* A pipe would be waited for. */
static bool is_file(const char *path)
{
	struct stat s;

	return !stat(path, &s) && S_ISREG(s.st_mode);
}

int document_folder(struct words *files, const char *folder, struct errors *e)
{
	struct dirent **list;

	if (denied_folder(folder, e))
		return -1;
	int n = scandir(folder, &list, is_json, alphasort);

	if (n < 0)
		return error_add(e, STATUS_USAGE, (struct place){folder, 0},
			"the folder cannot be read: %s", strerror(errno));

	for (int i = 0; i < n; i++) {
		char *path = alloc_format("%s/%s", folder, list[i]->d_name);

		if (is_file(path))
			words_add(files, path, strlen(path));
		free(path);
		free(list[i]);
	}
	free(list);
	return 0;
}

int document_files(struct words *files, const char *paths, struct errors *e)
{
	struct words given = {0};
	int failed = 0;

	words_split(&given, paths, ",");
	for (size_t i = 0; i < given.count; i++) {
		if (is_folder(given.word[i]))
			failed |= document_folder(files, given.word[i], e);
		else
			words_add(files, given.word[i], strlen(given.word[i]));
	}
	words_free(&given);
	return failed;
}

bool document_is_named(const char *paths, const char *file)
{
	struct words given = {0};
	bool found = false;

	words_split(&given, paths, ",");
	for (size_t i = 0; i < given.count && !found; i++)
		found = !strcmp(given.word[i], file);
	words_free(&given);
	return found;
}
