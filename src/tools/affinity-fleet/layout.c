/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses what a group is judged by. */
#include "affinity-fleet/layout.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"

/* With fewer a fast one cannot be told from slow others. */
#define RESOURCES 3

static void append_number(size_t **list, size_t *count, size_t number)
{
	*list = alloc_grow(*list, *count, sizeof(**list));
	(*list)[(*count)++] = number;
}

/* The place of a number in a list, which it is added to where it is new. */
static size_t place_in_list(size_t **list, size_t *count, size_t number)
{
	size_t i = 0;

	while (i < *count && (*list)[i] != number)
		i++;
	if (i == *count)
		append_number(list, count, number);
	return i;
}

/* For each figure how many nodes have it, and how many undisturbed; the same for experiments. */
struct tally {
	size_t *figures, *clean, *experiments;
	/* the node that was counted last, plus 1 */
	size_t *last_figure, *last_clean, *last_experiment;
};

static struct tally tally_of(const struct intake *in)
{
	const size_t figures = in->figures.count + 1, experiments = in->experiments.count + 1;

	return (struct tally){alloc_zeroed(figures, sizeof(size_t)),
		alloc_zeroed(figures, sizeof(size_t)), alloc_zeroed(experiments, sizeof(size_t)),
		alloc_zeroed(figures, sizeof(size_t)), alloc_zeroed(figures, sizeof(size_t)),
		alloc_zeroed(experiments, sizeof(size_t))};
}

static void tally_free(struct tally *t)
{
	free(t->figures);
	free(t->clean);
	free(t->last_clean);
	free(t->experiments);
	free(t->last_figure);
	free(t->last_experiment);
}

static void count_once(size_t *counts, size_t *last, size_t number, size_t host)
{
	if (last[number] == host + 1)
		return;
	last[number] = host + 1;
	counts[number]++;
}

static void count_host(struct tally *t, const struct intake *in, const struct host *h, size_t host)
{
	for (size_t i = 0; i < h->count; i++) {
		const struct result *x = &in->results[h->results[i]];

		if (x->role != ROLE_FIRST || x->left_out)
			continue;
		count_once(t->experiments, t->last_experiment, x->experiment, host);
		for (size_t k = 0; k < x->count; k++) {
			count_once(t->figures, t->last_figure, x->figures[k], host);
			if (!isnan(x->values[k]))
				count_once(t->clean, t->last_clean, x->figures[k], host);
		}
	}
}

static bool is_common(size_t nodes, size_t all)
{
	return nodes >= GROUP_LEAST && 2 * nodes >= all;
}

/* A node may be disturbed all the time: the others' costs do. */
static bool is_known(size_t clean, size_t all)
{
	return clean >= GROUP_LEAST - 1 && 2 * clean >= all;
}

static bool has_common(const struct group *g, const struct intake *in, const struct host *h)
{
	for (size_t i = 0; i < h->count; i++) {
		const struct result *x = &in->results[h->results[i]];

		for (size_t k = 0; k < x->count && x->role == ROLE_FIRST && !x->left_out; k++)
			if (layout_find(g, x->figures[k]) < g->layout.figures)
				return true;
	}
	return false;
}

static void drop_strangers(struct group *g, const struct intake *in, struct host *hosts)
{
	size_t kept = 0;

	for (size_t i = 0; i < g->nhosts; i++) {
		struct host *h = &hosts[g->hosts[i]];

		if (has_common(g, in, h))
			g->hosts[kept++] = g->hosts[i];
		else
			h->refused = alloc_format(
				"it has no cost that half of its kind have: other arguments?");
	}
	g->nhosts = kept;
}

static void choose_figures(struct group *g, const struct intake *in, const struct tally *t)
{
	for (size_t i = 0; i < in->experiments.count; i++)
		if (is_common(t->experiments[i], g->nhosts))
			append_number(&g->experiments, &g->nexperiments, i);
	for (size_t i = 0; i < in->figures.count; i++)
		if (is_common(t->figures[i], g->nhosts) && is_known(t->clean[i], g->nhosts))
			append_number(&g->figures, &g->layout.figures, i);
}

static void assign(struct group *g, const struct intake *in)
{
	const size_t n = g->layout.figures;

	g->by_parts = g->nexperiments < RESOURCES;
	g->resource_of = alloc_zeroed(n, sizeof(*g->resource_of));
	g->domain_of = alloc_zeroed(n, sizeof(*g->domain_of));
	/* of parts or experiments, from 1 */
	size_t *places = alloc_zeroed(in->parts.count + in->experiments.count + 1, sizeof(*places));

	for (size_t f = 0; f < n; f++) {
		const struct figure_about *about = &in->about[g->figures[f]];
		const size_t which = g->by_parts ? about->part : about->experiment;

		if (!places[which]) {
			append_number(&g->resources, &g->layout.resources, which);
			places[which] = g->layout.resources;
		}
		g->resource_of[f] = places[which] - 1;
		g->domain_of[f] = about->domain < 0 ? FLEET_NOWHERE
						    : place_in_list(&g->domains, &g->layout.domains,
							      (size_t)about->domain);
	}
	free(places);
	if (g->layout.domains < 2) { /* one has nothing beside it */
		g->layout.domains = 0;
		for (size_t f = 0; f < n; f++)
			g->domain_of[f] = FLEET_NOWHERE;
	}
	g->layout.resource = g->resource_of;
	g->layout.domain = g->domain_of;
}

void layout_of(struct group *g, const struct intake *in, struct host *hosts)
{
	struct tally t = tally_of(in);

	for (size_t i = 0; i < g->nhosts; i++)
		count_host(&t, in, &hosts[g->hosts[i]], g->hosts[i]);
	choose_figures(g, in, &t);
	tally_free(&t);
	if (!g->layout.figures)
		return;
	drop_strangers(g, in, hosts);
	assign(g, in);
}

size_t layout_find(const struct group *g, size_t figure)
{
	size_t low = 0, high = g->layout.figures;

	while (low < high) { /* figures ascend */
		const size_t middle = low + (high - low) / 2;

		if (g->figures[middle] < figure)
			low = middle + 1;
		else
			high = middle;
	}
	return low < g->layout.figures && g->figures[low] == figure ? low : g->layout.figures;
}
