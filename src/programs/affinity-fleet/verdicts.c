/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes a group through the two stages. */
#include "programs/affinity-fleet/verdicts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/robust.h"
#include "programs/affinity-fleet/held.h"

const char *const verdicts_words[] = {[VERDICT_ALIKE] = "alike",
	[VERDICT_SUSPECT] = "suspect",
	[VERDICT_CLEARED] = "cleared",
	[VERDICT_SLOW] = "slow"};

const double verdicts_claims[VERDICTS_CLAIMS] = {3, 5, 10};

/* All that the stages need of a group. */
struct stages {
	const struct group *g;
	const struct fleet_layout *l;
	size_t sets;
	double *values;           /* [nhosts * figures] */
	double *scores, *effects; /* [nhosts * sets] */
	struct fleet_scale scale;
	struct fleet_limits suspect, name;
	struct fleet_noise noise; /* within NULL: not known */
	size_t nfresh;            /* of each suspect that was run again; 0: none was */
	double **fresh;           /* [nhosts]: [nfresh * figures]; NULL: not run again */
};

/* The detector's effects are logarithms. */
static double per_cent(double effect)
{
	return 100 * expm1(effect / 100);
}

static double part_of_limit(const struct stages *s, size_t node, size_t set)
{
	return s->scores[node * s->sets + set] / s->suspect.of[fleet_set(s->l, set).kind];
}

static size_t hottest(const struct stages *s, size_t node)
{
	size_t best = 0;

	for (size_t set = 1; set < s->sets; set++) {
		const double part = part_of_limit(s, node, set);

		if (!isnan(part) && !(part <= part_of_limit(s, node, best)))
			best = set;
	}
	return best;
}

static void first_stage(struct stages *s)
{
	const size_t n = s->g->nhosts;

	s->values = alloc_zeroed(n * s->l->figures, sizeof(*s->values));
	s->scores = alloc_zeroed(n * s->sets, sizeof(*s->scores));
	s->effects = alloc_zeroed(n * s->sets, sizeof(*s->effects));
	fleet_clean(s->l, n, s->g->nruns, s->g->runs, s->values);
	s->scale = fleet_scale_of(s->l, n, s->values);
	for (size_t i = 0; i < n; i++)
		fleet_score(s->l, &s->scale, s->values + i * s->l->figures, s->scores + i * s->sets,
			s->effects + i * s->sets);
	s->suspect = fleet_limits(s->l, n, FLEET_SUSPECT);
}

/* ---- fresh runs */

/* How many fresh runs a node has of the experiment of which it has most. */
static size_t count_fresh(const struct group *g, const struct intake *in, const struct host *h)
{
	size_t most = 0;

	for (size_t k = 0; k < g->nexperiments; k++) {
		const size_t n = group_results(in, h, g->experiments[k], ROLE_FRESH, 0, NULL);

		most = n > most ? n : most;
	}
	return most;
}

static double *read_fresh(const struct stages *s, const struct intake *in, const struct host *h)
{
	const size_t width = s->l->figures;
	double *runs = alloc_zeroed(s->nfresh * width, sizeof(*runs));
	size_t *found = alloc_zeroed(s->nfresh, sizeof(*found));

	for (size_t i = 0; i < s->nfresh * width; i++)
		runs[i] = NAN;
	for (size_t k = 0; k < s->g->nexperiments; k++) {
		const size_t n =
			group_results(in, h, s->g->experiments[k], ROLE_FRESH, s->nfresh, found);

		for (size_t r = 0; r < n && r < s->nfresh; r++)
			group_fill(s->g, in, found[r], runs + r * width);
	}
	free(found);
	return runs;
}

static bool is_suspect(const struct stages *s, size_t node)
{
	return fleet_is_hot(s->l, &s->suspect, s->scores + node * s->sets);
}

/* All suspects that were run again count with as many runs as the one that has fewest. */
static void take_fresh(struct stages *s, const struct intake *in, const struct host *hosts)
{
	s->fresh = alloc_zeroed(s->g->nhosts, sizeof(*s->fresh));
	for (size_t i = 0; i < s->g->nhosts; i++) {
		const size_t n =
			is_suspect(s, i) ? count_fresh(s->g, in, &hosts[s->g->hosts[i]]) : 0;

		if (n >= 2 && (!s->nfresh || n < s->nfresh))
			s->nfresh = n;
	}
	for (size_t i = 0; i < s->g->nhosts && s->nfresh; i++) {
		const struct host *h = &hosts[s->g->hosts[i]];

		if (is_suspect(s, i) && count_fresh(s->g, in, h) >= s->nfresh)
			s->fresh[i] = read_fresh(s, in, h);
	}
}

/* The noise of a run: of the fresh runs of all suspects; where no node was run again, of the first
 * runs. */
static void learn_noise(struct stages *s)
{
	const size_t row = s->nfresh * s->l->figures;
	double *all = alloc_zeroed(s->g->nhosts * row, sizeof(*all));
	size_t n = 0;

	for (size_t i = 0; i < s->g->nhosts; i++)
		if (s->fresh[i])
			memcpy(all + n++ * row, s->fresh[i], row * sizeof(*all));
	if (s->g->nruns > 1)
		s->noise = fleet_noise_of(
			s->l, &s->scale, s->g->nhosts, s->g->nruns, s->g->runs, s->g->nruns);
	else if (n)
		s->noise = fleet_noise_of(s->l, &s->scale, n, s->nfresh, all, s->g->nruns);
	free(all);
}

/* ---- verdicts */

static void range_of_others(const struct stages *s, size_t node, struct node_verdict *v)
{
	v->others_low = INFINITY;
	v->others_high = -INFINITY;
	for (size_t i = 0; i < s->g->nhosts; i++) {
		const double effect = s->effects[i * s->sets + v->set];

		if (i == node || isnan(effect))
			continue;
		v->others_low = fmin(v->others_low, per_cent(effect));
		v->others_high = fmax(v->others_high, per_cent(effect));
	}
}

static void confirm(
	const struct stages *s, const struct fleet_judge *j, size_t node, struct node_verdict *v)
{
	const struct fleet_verdict found =
		fleet_judge(j, s->values + node * s->l->figures, s->nfresh, s->fresh[node]);

	v->kind = found.named ? VERDICT_SLOW : VERDICT_CLEARED;
	v->small = found.small;
	v->fresh = s->nfresh;
	if (!found.named)
		return;
	v->set = found.set;
	v->effect = per_cent(found.effect);
	v->low = per_cent(found.low);
	v->high = per_cent(found.high);
}

static struct node_verdict verdict_of(
	const struct stages *s, const struct fleet_judge *j, size_t node)
{
	struct node_verdict v = {.host = s->g->hosts[node], .low = NAN, .high = NAN, .least = NAN};

	v.set = hottest(s, node);
	v.effect = per_cent(s->effects[node * s->sets + v.set]);
	v.kind = is_suspect(s, node) ? VERDICT_SUSPECT : VERDICT_ALIKE;
	if (s->fresh[node])
		confirm(s, j, node, &v);
	v.score = part_of_limit(s, node, v.set);
	if (s->noise.within)
		v.least = per_cent(fleet_least(j, v.set, v.fresh ? v.fresh : VERDICTS_FRESH));
	range_of_others(s, node, &v);
	return v;
}

/* The mean of a resource's figures above those of the median node; NAN: none was measured. */
static double above_median(const struct stages *s, size_t node, size_t resource)
{
	double sum = 0;
	size_t n = 0;

	for (size_t f = 0; f < s->l->figures; f++) {
		const double value = s->values[node * s->l->figures + f] - s->scale.centre[f];

		if (s->l->resource[f] != resource || isnan(value))
			continue;
		sum += value;
		n++;
	}
	return n ? per_cent(sum / (double)n) : NAN;
}

static double *effects_of(const struct stages *s)
{
	const size_t width = 1 + s->l->resources;
	double *effects = alloc_zeroed(s->g->nhosts * width, sizeof(*effects));

	for (size_t i = 0; i < s->g->nhosts; i++) {
		effects[i * width] = per_cent(s->effects[i * s->sets]);
		for (size_t r = 0; r < s->l->resources; r++)
			effects[i * width + 1 + r] = above_median(s, i, r);
	}
	return effects;
}

/* The spread between nodes is without that of their runs. */
static struct figure_spread figure_of(const struct stages *s, size_t f)
{
	const size_t runs = s->g->nruns;
	const double all = s->scale.scale[f],
		     within = runs > 1 ? fleet_run_spread(s->l, s->g->nhosts, runs, s->g->runs, f)
				       : NAN;

	return (struct figure_spread){exp(s->scale.centre[f] / 100),
		isnan(within) ? all : sqrt(fmax(0, all * all - within * within / (double)runs)),
		within};
}

/* Of the median figure of a resource. */
static struct spread spread_of(const struct stages *s, const struct fleet_judge *j,
	const struct figure_spread *figures, size_t resource)
{
	double *between = alloc_zeroed(2 * s->l->figures, sizeof(*between)),
	       *within = between + s->l->figures;
	struct spread out = {.resource = resource, .least = NAN};

	for (size_t f = 0; f < s->l->figures; f++) {
		if (s->l->resource[f] != resource)
			continue;
		within[out.figures] = figures[f].within;
		between[out.figures++] = figures[f].between;
	}
	out.between = robust_median(between, out.figures);
	out.within = robust_median(within, out.figures);
	if (s->noise.within) {
		out.least = per_cent(fleet_least(j, 1 + resource, VERDICTS_FRESH));
		out.healthy = per_cent(fleet_between(j, 1 + resource));
		for (int i = 0; i < VERDICTS_CLAIMS; i++)
			out.runs_for[i] = fleet_runs_for(
				j, 1 + resource, 100 * log1p(verdicts_claims[i] / 100));
	}
	free(between);
	return out;
}

struct verdicts verdicts_of(
	const struct group *g, const struct intake *in, const struct host *hosts, double tolerance)
{
	struct stages s = {.g = g, .l = &g->layout, .sets = fleet_sets(&g->layout)};
	struct verdicts v = {.nodes = alloc_zeroed(g->nhosts, sizeof(*v.nodes)),
		.spreads = alloc_zeroed(g->layout.resources, sizeof(*v.spreads)),
		.figures = alloc_zeroed(g->layout.figures, sizeof(*v.figures)),
		.counts = alloc_zeroed(VERDICT_SLOW + 1, sizeof(*v.counts))};

	first_stage(&s);
	take_fresh(&s, in, hosts);
	learn_noise(&s);
	if (s.noise.within) /* else nothing can be named; the simulation takes long */
		s.name = fleet_limits(s.l, g->nhosts, FLEET_NAME);
	const struct fleet_judge j = {
		s.l, &s.scale, &s.noise, &s.suspect, &s.name, 100 * log1p(tolerance / 100)};

	for (size_t i = 0; i < g->nhosts; i++)
		v.nodes[i] = verdict_of(&s, &j, i);
	held_judge(g, in, hosts, s.scale.centre, s.effects, j.floor, v.nodes);
	for (size_t i = 0; i < g->nhosts; i++) {
		v.counts[v.nodes[i].kind]++;
		free(s.fresh[i]);
	}
	for (size_t f = 0; f < g->layout.figures; f++)
		v.figures[f] = figure_of(&s, f);
	for (size_t r = 0; r < g->layout.resources; r++)
		v.spreads[r] = spread_of(&s, &j, v.figures, r);
	v.effects = effects_of(&s);
	free(s.fresh);
	fleet_noise_free(&s.noise);
	fleet_scale_free(&s.scale);
	free(s.values);
	free(s.scores);
	free(s.effects);
	return v;
}

void verdicts_free(struct verdicts *v)
{
	free(v->nodes);
	free(v->spreads);
	free(v->figures);
	free(v->counts);
	free(v->effects);
	*v = (struct verdicts){0};
}

/* ---- names */

static char *resource_name(const struct group *g, const struct intake *in, size_t resource)
{
	const size_t which = g->resources[resource];

	if (g->by_parts)
		return alloc_format("%s", in->parts.list[which]);
	return alloc_format("%.*s", intake_name_length(in, which), in->experiments.list[which]);
}

static char *figure_name(const struct group *g, const struct intake *in, size_t column)
{
	const size_t figure = g->figures[column], experiment = in->about[figure].experiment;
	const char *rest = strrchr(in->figures.list[figure], '\t') + 1;

	return alloc_format("%.*s: %s", intake_name_length(in, experiment),
		in->experiments.list[experiment], rest);
}

char *verdicts_set_name(const struct group *g, const struct intake *in, size_t set)
{
	if (set == fleet_sets(&g->layout))
		return alloc_format("time taken away");
	const struct fleet_set which = fleet_set(&g->layout, set);

	switch (which.kind) {
	case FLEET_NODE:
		return alloc_format("the whole node");
	case FLEET_RESOURCE:
		return resource_name(g, in, which.index);
	case FLEET_DOMAIN:
		return alloc_format("NUMA node %ld", g->domains[which.index]);
	default:
		return figure_name(g, in, which.index);
	}
}
