/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds levels by their words, and names them and their places. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/text.h"
#include "topology/levels.h"

int topo_level_highest(const struct topo *t, const struct topo_level *l)
{
	int most = -1;

	for (int i = 0; i < t->ncpus; i++)
		most = l->of[i] > most ? l->of[i] : most;
	return most;
}

bool topo_is_among(const char *list, const char *word)
{
	const size_t length = strlen(word);

	for (const char *at = list; *at; at += strspn(at, " ")) {
		const size_t n = strcspn(at, " ");

		if (n == length && !strncasecmp(at, word, n))
			return true;
		at += n;
	}
	return false;
}

int topo_level(const struct topo *t, const char *word)
{
	for (int i = 0; i < t->nlevels; i++)
		if (!strcasecmp(t->levels[i].name, word) ||
			topo_is_among(t->levels[i].synonyms, word))
			return i;
	return -1;
}

bool topo_level_groups(const struct topo *t, int level)
{
	const struct topo_level *l = &t->levels[level];

	return l->same_as < 0 && !l->aside && (l->count > 1 || l->missing) &&
	       l->count != t->ncores && l->count != t->ncpus;
}

bool topo_level_above_cores(const struct topo *t, int level)
{
	const int core = topo_level(t, "core");

	return topo_level_groups(t, level) && (core < 0 || level < core);
}

const char *topo_last_cache_above(
	const struct topo *t, const struct topo_cpu *cpu, char *buffer, size_t n)
{
	const int node = topo_level(t, "node"), last = topo_level(t, "LLC");
	int level = last, root;

	if (node < 0 || last < 0 || t->levels[last].of[cpu - t->cpus] < 0)
		return NULL;
	root = t->levels[last].same_as < 0 ? last : t->levels[last].same_as;
	if (!topo_level_above_cores(t, root) || t->levels[last].count <= t->levels[node].count)
		return NULL;
	for (int i = root; i < t->nlevels && !t->levels[level].cache; i++)
		if (t->levels[i].cache && (i == root || t->levels[i].same_as == root))
			level = i;
	snprintf(buffer, n, "%s %d", t->levels[level].name, t->levels[level].of[cpu - t->cpus]);
	return buffer;
}

const char *topo_level_names(const struct topo *t, int level, char *buffer, size_t n)
{
	const int core = topo_level(t, "core");
	size_t used = 0;

	*buffer = '\0';
	if (core >= 0 && (core == level || t->levels[core].same_as == level)) {
		snprintf(buffer, n, "core"); /* whatever caches it has of its own */
		return buffer;
	}
	for (int i = t->nlevels - 1; i >= level && used < n; i--)
		if (i == level ||
			(t->levels[i].same_as == level && strcmp(t->levels[i].name, "LLC") != 0))
			used += (size_t)snprintf(buffer + used, n - used, "%s%s", used ? " = " : "",
				t->levels[i].name);
	return buffer;
}

const char *topo_level_numbers(
	const struct topo *t, const struct topo_level *l, char *buffer, size_t n)
{
	const size_t most = (size_t)topo_level_highest(t, l) + 1;
	bool *set = alloc_zeroed(most + 1, sizeof(*set));

	for (int i = 0; i < t->ncpus; i++)
		if (l->of[i] >= 0)
			set[l->of[i]] = true;
	text_ranges(set, most, buffer, n);
	free(set);
	return buffer;
}

const char *topo_level_list(const struct topo *t, char *buffer, size_t n)
{
	size_t used = 0;

	*buffer = '\0';
	for (int i = 0; i < t->nlevels && used < n; i++) {
		const struct topo_level *l = &t->levels[i];
		char numbers[64];

		if (l->same_as >= 0)
			continue;
		used += (size_t)snprintf(
			buffer + used, n - used, "%s%s", used ? ", " : "", l->name);
		for (int k = i + 1; k < t->nlevels && used < n; k++)
			if (t->levels[k].same_as == i)
				used += (size_t)snprintf(
					buffer + used, n - used, " = %s", t->levels[k].name);
		if (used < n)
			used += (size_t)snprintf(buffer + used, n - used, " %s",
				topo_level_numbers(t, l, numbers, sizeof(numbers)));
	}
	return buffer;
}
