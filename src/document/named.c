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
	const char *when; /* "last", or how the date begins */
	char *path;       /* NULL: nothing yet */
	bool exact;       /* of that very date */
	char *newest;     /* the newest date that is kept; NULL: none */
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
		char *way = alloc_format("%.*s" HISTORY "/%.*s", (int)(at - base), base,
			last && last > at ? (int)(last - at) : 0, at);

		search_folder(s, way, last ? last + 1 : base);
		free(way);
	}
}

static char *in_history(const char *name, const char *when, struct errors *e)
{
	struct search s = {.when = when};
	char *base = alloc_string(name, (size_t)(when - 1 - name));
	char *below = alloc_format("results/%s", base);

	search_ways(&s, base);
	if (!s.path)
		search_ways(&s, below);
	if (!s.path && s.newest) {
		error_add(e, STATUS_USAGE, NOWHERE, "no result '%s' is kept", name);
		error_hint(e,
			"the newest one that is kept is %s@%s; %s is the present one, whatever its "
			"date",
			base, s.newest, base);
	} else if (!s.path) {
		s.path = alloc_format("%s", name);
	}
	free(s.newest);
	free(base);
	free(below);
	return s.path;
}

char *named_result(const char *name, struct errors *e)
{
	static const char *const around[][2] = {{"", ""}, {"", ENDING}, {"results/", ENDING}};
	const char *at = strrchr(name, '@');

	for (size_t i = 0; i < sizeof(around) / sizeof(*around); i++) {
		char *path = alloc_format("%s%s%s", around[i][0], name, around[i][1]);

		if (!access(path, F_OK))
			return path;
		free(path);
	}
	if (at && at[1] && at > name && !strchr(at, '/'))
		return in_history(name, at + 1, e);
	return alloc_format("%s", name);
}
