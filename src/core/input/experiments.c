/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds experiments below args/ by words. */
#include "input/experiments.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/installed.h"
#include "input/synonyms.h"

static const char ending[] = ".args";
#define ENDING (sizeof(ending) - 1)

static bool has_ending(const char *path)
{
	const size_t length = strlen(path);

	return length > ENDING && !strcmp(path + length - ENDING, ending);
}

/* The experiments of one suite; nothing where it is no folder. */
static void add_suite(struct words *names, const char *folder, const char *suite)
{
	char *path = alloc_format("%s/%s", folder, suite);
	DIR *files = opendir(path);
	const struct dirent *file;

	while (files && (file = readdir(files))) {
		char *name = alloc_format("%s/%s", suite, file->d_name);

		if (has_ending(name) && *file->d_name != '.')
			words_add(names, name, strlen(name) - ENDING);
		free(name);
	}
	if (files)
		closedir(files);
	free(path);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void find_all(struct words *names)
{
	char *folder = installed_args();
	DIR *suites = folder ? opendir(folder) : NULL;
	const struct dirent *suite;

	while (suites && (suite = readdir(suites)))
		if (*suite->d_name != '.')
			add_suite(names, folder, suite->d_name);
	if (suites)
		closedir(suites);
	free(folder);
	if (names->count)
		qsort(names->word, names->count, sizeof(*names->word), by_text);
}

/* "1_staircase" -> "staircase" */
static const char *past_number(const char *name)
{
	const char *rest = name + strspn(name, "0123456789");

	return rest > name && *rest == '_' ? rest + 1 : name;
}

/* Is the word one or several whole parts of a name, whose parts _ divides? */
static bool has_part(const char *name, const char *word)
{
	const size_t length = strlen(word);

	for (const char *at = name; length && (at = strcasestr(at, word)); at++)
		if ((at == name || at[-1] == '_') && (!at[length] || at[length] == '_'))
			return true;
	return false;
}

enum fit { FIT_NONE, FIT_PART, FIT_NAME, FIT_PATH };

static enum fit fit_of(const char *name, const char *word)
{
	const char *own = strchr(name, '/') + 1, *bare = past_number(own);
	char *suite = alloc_string(name, (size_t)(own - 1 - name));
	char *shorter = alloc_format("%s/%s", suite, bare);
	const bool path = synonym_same(word, name) || synonym_same(word, shorter);
	const bool whole =
		synonym_same(word, own) || synonym_same(word, bare) || synonym_same(word, suite);

	free(suite);
	free(shorter);
	return path ? FIT_PATH : whole ? FIT_NAME : has_part(bare, word) ? FIT_PART : FIT_NONE;
}

/* Without args/ and .args. Whoever writes these means one file. */
static char *word_of(const char *path, enum fit *least)
{
	static const char folder[] = "args/";
	const bool below = !strncmp(path, folder, sizeof(folder) - 1), whole = has_ending(path);

	path += below ? sizeof(folder) - 1 : 0;
	*least = below || whole ? FIT_PATH : FIT_PART;
	return alloc_string(path, strlen(path) - (whole ? ENDING : 0));
}

void experiments_find(struct words *names, const char *word)
{
	struct words all = {0};
	enum fit best = FIT_PART;

	find_all(&all);
	char *plain = word_of(word ? word : "", &best);
	const char *meant = synonym_meant(experiment_synonyms, plain);

	meant = meant ? meant : plain;
	for (size_t i = 0; word && i < all.count; i++) {
		const enum fit fit = fit_of(all.word[i], meant);

		best = fit > best ? fit : best;
	}
	for (size_t i = 0; i < all.count; i++)
		if (!word || fit_of(all.word[i], meant) == best)
			words_add(names, all.word[i], strlen(all.word[i]));
	free(plain);
	words_free(&all);
}

char *experiments_nearest(const char *word)
{
	struct words all = {0}, parts = {0};
	const char *nearest;

	find_all(&all);
	for (size_t i = 0; i < all.count; i++) {
		const char *own = strchr(all.word[i], '/') + 1;

		words_add(&parts, all.word[i], (size_t)(own - 1 - all.word[i]));
		words_add(&parts, past_number(own), strlen(past_number(own)));
	}
	nearest = synonym_nearest(
		experiment_synonyms, word, (const char *const *)parts.word, parts.count);
	char *copy = nearest ? alloc_string(nearest, strlen(nearest)) : NULL;

	words_free(&all);
	words_free(&parts);
	return copy;
}

char *experiments_path(const char *name)
{
	char *folder = installed_args(), *here = getcwd(NULL, 0);

	if (!folder) {
		free(here);
		return NULL;
	}
	const size_t length = here ? strlen(here) : 0;
	const bool below = length > 1 && !strncmp(folder, here, length) && folder[length] == '/';
	char *path = alloc_format("%s/%s%s", below ? folder + length + 1 : folder, name, ending);

	free(folder);
	free(here);
	return path;
}
