/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds results by name and date. */
#include "document/named.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/text.h"

#define HISTORY ".history"
#define ENDING  ".json"

/* What is looked for, and what was found. */
struct search {
	const char *when;  /* "last", or how the date begins */
	char *path;        /* NULL: nothing yet */
	bool exact;        /* of that very date */
	char *newest;      /* the newest date that is kept; NULL: none */
	struct words *all; /* gets all that is found; NULL: the newest is enough */
};

/* The date of NAME@DATE.json, to be freed; NULL: the file is not one of NAME. */
static char *date_of(const char *file, const char *name)
{
	size_t before = strlen(name), all = strlen(file);

	if (all <= before + 1 + strlen(ENDING) || strncmp(file, name, before) != 0 ||
		file[before] != '@' || strcmp(file + all - strlen(ENDING), ENDING) != 0)
		return NULL;
	return alloc_string(file + before + 1, all - before - 1 - strlen(ENDING));
}

static void replace(char **text, char *by)
{
	free(*text);
	*text = by;
}

/* Whatever the locale: names sort as their dates do. */
static int by_bytes(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* A whole date is that one, and no other result of the same second. */
static bool is_meant(const struct search *s, const char *date)
{
	return !s->exact && (!strcmp(s->when, "last") || !strncmp(date, s->when, strlen(s->when)));
}

static void search_folder(struct search *s, const char *folder, const char *name)
{
	struct dirent **list;
	int n = scandir(folder, &list, NULL, by_bytes);

	for (int i = 0; i < n; i++) {
		char *date = date_of(list[i]->d_name, name);

		if (date && is_meant(s, date)) {
			replace(&s->path, alloc_format("%s/%s", folder, list[i]->d_name));
			s->exact = !strcmp(date, s->when);
			if (s->all)
				words_add(s->all, s->path, strlen(s->path));
		}
		if (date)
			replace(&s->newest, date);
		free(list[i]);
	}
	if (n >= 0)
		free(list);
}

/* The history may lie in any folder on the way to the result. */
static void search_ways(struct search *s, const char *base)
{
	const char *last = strrchr(base, '/');

	for (const char *at = base; !s->path && at; at = strchr(at, '/')) {
		at += *at == '/';
		const int below = last && last > at ? (int)(last - at) : 0;
		char *way = alloc_format("%.*s" HISTORY "%s%.*s", (int)(at - base), base,
			below ? "/" : "", below, at);

		search_folder(s, way, last ? last + 1 : base);
		free(way);
	}
}

/* In the current folder and its results/. */
static void search_around(struct search *s, const char *base)
{
	char *below = alloc_format("results/%s", base);

	search_ways(s, base);
	if (!s->path)
		search_ways(s, below);
	free(below);
}

static int none_of_that_date(
	const char *name, const char *base, const char *newest, struct errors *e)
{
	error_add(e, STATUS_USAGE, NOWHERE, "no result '%s' is kept", name);
	return error_hint(e,
		"the newest one that is kept is %s@%s; %s is the present one, whatever its date",
		base, newest, base);
}

/* The file itself, or the present result of that name; to be freed. NULL: there is none. */
static char *present(const char *name)
{
	static const char *const around[][2] = {{"", ""}, {"", ENDING}, {"results/", ENDING}};

	for (size_t i = 0; i < sizeof(around) / sizeof(*around); i++) {
		char *path = alloc_format("%s%s%s", around[i][0], name, around[i][1]);

		if (!access(path, F_OK))
			return path;
		free(path);
	}
	return NULL;
}

/* What follows the @ of NAME@DATE; NULL: no date. */
static const char *date_in(const char *name)
{
	const char *at = strrchr(name, '@');

	return at && at[1] && at > name && !strchr(at, '/') ? at + 1 : NULL;
}

/* NULL with a message: nothing has that name. A file's name stays, for the one who reads it to
 * refuse. */
static char *missing(const char *name, const char *base, const char *newest, struct errors *e)
{
	size_t length = strlen(name);
	char *now = present(base);

	if (newest) {
		none_of_that_date(name, base, newest, e);
	} else if (length > strlen(ENDING) && !strcmp(name + length - strlen(ENDING), ENDING)) {
		free(now);
		return alloc_string(name, length);
	} else if (now) {
		error_add(e, STATUS_USAGE, NOWHERE, "no earlier result of '%s' is kept", base);
		error_hint(e,
			"a batch (scripts/ejec.sh) keeps what it measures again; %s is the only "
			"one",
			now);
	} else {
		error_add(e, STATUS_USAGE, NOWHERE, "there is no result '%s'", name);
		error_hint(e, "name a file, or HOST/SUITE/EXPERIMENT of results/ in the current "
			      "folder: find results -name '*.json' lists them");
	}
	free(now);
	return NULL;
}

static char *in_history(const char *name, const char *when, struct errors *e)
{
	struct search s = {.when = when};
	char *base = alloc_string(name, (size_t)(when - 1 - name));

	search_around(&s, base);
	if (!s.path)
		s.path = missing(name, base, s.newest, e);
	free(s.newest);
	free(base);
	return s.path;
}

char *named_result(const char *name, struct errors *e)
{
	const char *when = date_in(name);
	char *path = present(name);

	if (path)
		return path;
	return when ? in_history(name, when, e) : missing(name, name, NULL, e);
}

static void add_freed(struct words *files, char *path)
{
	words_add(files, path, strlen(path));
	free(path);
}

/* All that are kept of that name and date, and the present one if there is no date. */
static int add_kept(struct words *files, const char *name, const char *when, struct errors *e)
{
	struct search s = {.when = when ? when : "", .all = files};
	size_t before = files->count;
	char *base = alloc_string(name, when ? (size_t)(when - 1 - name) : strlen(name));
	char *now = when ? NULL : present(name);
	int failed = 0;

	search_around(&s, base);
	if (now)
		add_freed(files, now);
	if (files->count == before) {
		char *path = missing(name, base, s.newest, e);

		failed = path ? 0 : -1;
		if (path)
			add_freed(files, path);
	}
	free(s.path);
	free(s.newest);
	free(base);
	return failed;
}

int named_history(struct words *files, const char *name, struct errors *e)
{
	const char *when = date_in(name);

	if (access(name, F_OK) && (!when || strcmp(when, "last") != 0))
		return add_kept(files, name, when, e);
	char *path = named_result(name, e);

	if (!path)
		return -1;
	add_freed(files, path);
	return 0;
}
