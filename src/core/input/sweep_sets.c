/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets of the machine as values of a sweep. */
#include "input/sweep_sets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/list.h"
#include "input/places.h"

static void add_number(struct words *values, int number)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", number);
	words_add(values, text, strlen(text));
}

static void add_nodes(struct words *values, const struct topo *t, bool for_threads)
{
	for (int i = 0; i < t->nnodes; i++) {
		const struct topo_node *n = &t->nodes[i];

		if (for_threads ? n->allowed_cpus > 0 : topo_is_target(n))
			add_number(values, n->node);
	}
}

static void add_cpus(struct words *values, const struct topo *t, bool cores, bool of_first)
{
	const int node = of_first ? topo_first(t) : -1;
	int last = -1;

	for (int i = 0; i < t->ncpus; i++) {
		const struct topo_cpu *c = &t->cpus[i];

		if (!c->allowed || (cores && c->core == last) || (of_first && c->node != node))
			continue;
		last = c->core;
		add_number(values, cores ? c->core : c->cpu);
	}
}

/* cores(L3(0)), cpus(node(0)), count(L3): of places. Those of the first node are older words. */
static bool is_of_places(const char *word)
{
	struct list_call c;
	const bool is =
		list_call_read(&c, word) && c.arguments.count == 1 &&
		strcmp(c.arguments.word[0], "first") != 0 &&
		(!strcmp(c.name, "cores") || !strcmp(c.name, "cpus") || !strcmp(c.name, "count"));

	list_call_free(&c);
	return is;
}

/* L3(each), node(0):L3(each): a place in each value. */
static bool is_each(const char *word)
{
	return strstr(word, "(each)") && !is_of_places(word);
}

bool sweep_is_set(const char *word)
{
	return !strcmp(word, "nodes") || !strcmp(word, "cpunodes") || !strcmp(word, "cores") ||
	       !strcmp(word, "cpus") || !strcmp(word, "cores(first)") ||
	       !strcmp(word, "cpus(first)") || is_of_places(word) || is_each(word);
}

static void add_cpus_of(
	struct words *values, const struct topo *t, bool cores, const struct places_one *one)
{
	int last = -1;

	for (int i = 0; i < one->ncpus; i++) {
		const struct topo_cpu *c = &t->cpus[one->cpus[i]];

		if (!c->allowed || (cores && c->core == last))
			continue;
		last = c->core;
		add_number(values, cores ? c->core : c->cpu);
	}
}

static int add_places(
	struct words *values, const char *set, const struct names *names, struct errors *e)
{
	const struct places_from from = {names, "sweep", values->at, NULL};
	struct list_call c = {0};
	struct places p = {0};
	const bool of_places = is_of_places(set) && list_call_read(&c, set);
	const bool count = of_places && !strcmp(c.name, "count");
	char *word = of_places ? alloc_format(count ? "%s(each)" : "%s", c.arguments.word[0])
			       : alloc_format("%s", set);
	const int failed = places_read(&p, word, &from, e);

	for (size_t i = 0; i < p.count; i++)
		if (!of_places)
			words_add(values, p.list[i].text, strlen(p.list[i].text));
		else if (count)
			add_number(values, (int)i);
		else
			add_cpus_of(values, names->topo, c.name[1] == 'o', &p.list[i]);
	places_free(&p);
	list_call_free(&c);
	free(word);
	return failed;
}

int sweep_add_set(
	struct words *values, const char *set, const struct names *names, struct errors *e)
{
	const struct topo *t = names->topo;

	if (is_of_places(set) || is_each(set))
		return add_places(values, set, names, e);
	if (strstr(set, "nodes"))
		add_nodes(values, t, *set == 'c');
	else
		add_cpus(values, t, set[1] == 'o', strchr(set, '(') != NULL);
	return 0;
}
