/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks where the running program lies, not where it was built: the tree may have been moved. */
#include "base/installed.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buffer.h"

/* Characters of a path; before one of them no name of ours begins. */
static const char path_characters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789_./-";

char *installed_folder(void)
{
	char self[4096];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash = length > 0 ? memrchr(self, '/', (size_t)length) : NULL;

	if (!slash || slash - self < 4 || strncmp(slash - 4, "/bin", 4))
		return NULL;
	char *folder = alloc_format("%.*s/share/affinity/", (int)(slash - 4 - self), self);
	char *args = alloc_format("%sargs", folder);

	if (access(args, R_OK)) {
		free(folder);
		folder = NULL;
	}
	free(args);
	return folder;
}

/* The sources that lie deepest above the program: BUILD may be a folder of theirs. */
static char *args_of_sources(void)
{
	char self[4096], *args = NULL;
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);

	while (!args && length > 0) {
		const char *slash = memrchr(self, '/', (size_t)length);

		length = slash ? slash - self : 0;
		args = alloc_format("%.*s/args/quickstart", (int)length, self);
		if (access(args, R_OK)) {
			free(args);
			args = NULL;
		}
	}
	if (args)
		*strrchr(args, '/') = '\0';
	return args;
}

char *installed_args(void)
{
	char *folder = installed_folder();

	if (!folder)
		return args_of_sources();
	char *args = alloc_format("%sargs", folder);

	free(folder);
	return args;
}

static bool begins_word(const char *text, const char *at, const char *word)
{
	return !strncmp(at, word, strlen(word)) && (at == text || !strchr(path_characters, at[-1]));
}

/* The user's own args/... stays what it is. */
static bool is_here(const char *path, size_t length)
{
	char *copy = alloc_string(path, length);
	bool here = !access(copy, F_OK);

	free(copy);
	return here;
}

/* Writes the program that scripts/NAME is when installed; returns how long that word was. */
static size_t put_script(const char *at, FILE *out)
{
	size_t all = strspn(at, path_characters), begin = strlen("scripts/");
	size_t end = begin + strspn(at + begin, "abcdefghijklmnopqrstuvwxyz-");

	fprintf(out, "affinity-%.*s", (int)(end - begin), at + begin);
	return end < all && !strncmp(at + end, ".sh", 3) ? end + 3 : end;
}

char *installed_names(const char *text, const char *folder)
{
	struct buffer copy;
	FILE *out;
	const char *at = text;

	if (!folder)
		return alloc_string(text, strlen(text));
	out = buffer_open(&copy);
	while (*at) {
		if (begins_word(text, at, "scripts/")) {
			at += put_script(at, out);
			continue;
		}
		if (begins_word(text, at, "args/") && !is_here(at, strspn(at, path_characters)))
			fputs(folder, out);
		fputc(*at++, out);
	}
	return buffer_text(&copy, out);
}
