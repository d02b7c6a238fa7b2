/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nodes by their facts, and their costs as a table. */
#include "affinity-fleet/group.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "affinity-fleet/layout.h"

size_t group_results(const struct intake *in, const struct host *h, size_t experiment,
	enum role role, size_t want, size_t *found)
{
	size_t n = 0;

	for (size_t i = h->count; i-- > 0;) {
		const struct result *x = &in->results[h->results[i]];

		if (x->left_out || x->role != role || x->experiment != experiment)
			continue;
		if (n < want)
			found[n] = h->results[i];
		n++;
	}
	const size_t have = n < want ? n : want;

	for (size_t i = 0; i < have / 2; i++) { /* they were found newest first */
		const size_t swap = found[i];

		found[i] = found[have - 1 - i];
		found[have - 1 - i] = swap;
	}
	return n;
}

static void copy_known(
	const struct group *g, const struct result *x, const double *values, double *row)
{
	for (size_t i = 0; i < x->count; i++) {
		const size_t f = layout_find(g, x->figures[i]);

		if (f < g->layout.figures && !isnan(values[i]))
			row[f] = values[i];
	}
}

void group_fill(const struct group *g, const struct intake *in, size_t result, double *row)
{
	copy_known(g, &in->results[result], in->results[result].values, row);
}

void group_fill_times(const struct group *g, const struct intake *in, size_t result, double *row)
{
	copy_known(g, &in->results[result], in->results[result].times, row);
}

size_t group_usual(
	const struct group *g, const struct intake *in, const struct host *hosts, size_t fact)
{
	size_t *all = alloc_zeroed(g->nhosts, sizeof(*all));

	for (size_t i = 0; i < g->nhosts; i++)
		all[i] = in->results[hosts[g->hosts[i]].newest].facts[fact];
	const size_t usual = facts_usual(all, g->nhosts);

	free(all);
	return usual;
}

static int ascending(const void *a, const void *b)
{
	const size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return (x > y) - (x < y);
}

size_t group_usual_runs(
	const struct group *g, const struct intake *in, const struct host *hosts, enum role role)
{
	size_t *counts = alloc_zeroed(g->nhosts * g->nexperiments, sizeof(*counts)), n = 0;

	for (size_t i = 0; i < g->nhosts; i++)
		for (size_t k = 0; k < g->nexperiments; k++) {
			counts[n] = group_results(
				in, &hosts[g->hosts[i]], g->experiments[k], role, 0, NULL);
			n += counts[n] > 0;
		}
	qsort(counts, n, sizeof(*counts), ascending);
	const size_t usual = n ? counts[n / 2] : 0;

	free(counts);
	return usual;
}

static void fill_group(struct group *g, const struct intake *in, const struct host *hosts)
{
	const size_t width = g->layout.figures;
	size_t *found = alloc_zeroed(g->nruns, sizeof(*found));

	g->runs = alloc_zeroed(g->nhosts * g->nruns * width, sizeof(*g->runs));
	for (size_t i = 0; i < g->nhosts * g->nruns * width; i++)
		g->runs[i] = NAN;
	for (size_t i = 0; i < g->nhosts; i++)
		for (size_t k = 0; k < g->nexperiments; k++) {
			const size_t n = group_results(in, &hosts[g->hosts[i]], g->experiments[k],
				ROLE_FIRST, g->nruns, found);

			g->older += n > g->nruns ? n - g->nruns : 0;
			for (size_t r = 0; r < n && r < g->nruns; r++)
				group_fill(g, in, found[r], g->runs + (i * g->nruns + r) * width);
		}
	free(found);
}

static bool has_role(const struct intake *in, const struct host *h, enum role role)
{
	for (size_t i = 0; i < h->count; i++)
		if (in->results[h->results[i]].role == role && !in->results[h->results[i]].left_out)
			return true;
	return false;
}

static void join(struct group **groups, size_t *count, const struct intake *in,
	const struct host *hosts, size_t host, size_t alike)
{
	const size_t *facts = in->results[hosts[host].newest].facts;
	size_t k = 0;

	while (k < *count &&
		facts_differ(facts, in->results[hosts[(*groups)[k].hosts[0]].newest].facts, alike))
		k++;
	if (k == *count) {
		*groups = alloc_grow(*groups, *count, sizeof(**groups));
		(*groups)[(*count)++] = (struct group){.alike = alike};
	}
	struct group *g = &(*groups)[k];

	g->hosts = alloc_grow(g->hosts, g->nhosts, sizeof(*g->hosts));
	g->hosts[g->nhosts++] = host;
}

/* "cpu_model Model, kernel Linux 6.1" */
static char *kind_of(const struct group *g, const struct intake *in, const size_t *facts)
{
	struct buffer text;
	FILE *out = buffer_open(&text);

	for (size_t i = 0; i < g->alike; i++)
		if (facts_recorded(in->words.list[facts[i]]))
			fprintf(out, "%s%s %s", i ? ", " : "", facts_names[i],
				in->words.list[facts[i]]);
	return buffer_text(&text, out);
}

static char *too_few(const struct group *g, const struct intake *in, const struct host *hosts)
{
	char *kind = kind_of(g, in, in->results[hosts[g->hosts[0]].newest].facts);
	char *told = alloc_format("of its kind there %s %zu, judging takes %d: %s",
		g->nhosts == 1 ? "is" : "are", g->nhosts, GROUP_LEAST, kind);

	free(kind);
	return told;
}

static bool has_cost(const struct result *x)
{
	for (size_t i = 0; i < x->count; i++)
		if (!isnan(x->values[i]))
			return true;
	return false;
}

static char *no_common(const struct intake *in, const struct host *h)
{
	for (size_t i = 0; i < h->count; i++)
		if (has_cost(&in->results[h->results[i]]))
			return alloc_format("half of its kind have no cost in common");
	return alloc_format("all its costs are disturbed or missing: measure it again, alone");
}

static void group_free(struct group *g)
{
	free(g->hosts);
	free(g->experiments);
	free(g->figures);
	free(g->resources);
	free(g->domains);
	free(g->runs);
	free(g->resource_of);
	free(g->domain_of);
}

/* False: the nodes cannot be judged. */
static bool complete(struct group *g, const struct intake *in, struct host *hosts)
{
	if (g->nhosts >= GROUP_LEAST) {
		layout_of(g, in, hosts);
		if (g->layout.figures) {
			g->nruns = group_usual_runs(g, in, hosts, ROLE_FIRST);
			fill_group(g, in, hosts);
			return true;
		}
	}
	for (size_t i = 0; i < g->nhosts; i++)
		hosts[g->hosts[i]].refused = g->nhosts < GROUP_LEAST
						     ? too_few(g, in, hosts)
						     : no_common(in, &hosts[g->hosts[i]]);
	return false;
}

struct group *groups_of(const struct intake *in, struct host *hosts, size_t alike, size_t *count)
{
	struct group *groups = NULL;
	size_t n = 0, kept = 0;

	for (size_t i = 0; i < in->hosts.count; i++) {
		if (!hosts[i].refused && has_role(in, &hosts[i], ROLE_FIRST))
			join(&groups, &n, in, hosts, i, alike);
		else if (!hosts[i].refused)
			hosts[i].refused = alloc_format(has_role(in, &hosts[i], ROLE_FRESH)
								? "it has fresh runs only"
								: "it was measured before only");
	}
	for (size_t i = 0; i < n; i++) {
		if (complete(&groups[i], in, hosts))
			groups[kept++] = groups[i];
		else
			group_free(&groups[i]);
	}
	*count = kept;
	return groups;
}

void groups_free(struct group *groups, size_t count)
{
	for (size_t i = 0; i < count; i++)
		group_free(&groups[i]);
	free(groups);
}
