/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes a group through the two stages. */
#include "affinity-fleet/findings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "statistics/robust.h"
#include "affinity-fleet/lost_time.h"

/* All that the stages need of a group. */
struct stages {
	const struct findings *f;
	const struct group *g;
	const struct fleet_layout *l;
	size_t sets;
	double *values;              /* [nhosts * figures] */
	double *scores, *effects;    /* [nhosts * sets] */
	struct fleet_others *others; /* [sets] of the effects */
	struct fleet_scale scale;
	struct fleet_limits suspect, name;
	struct fleet_noise noise; /* within NULL: not known */
	size_t nfresh;            /* of each suspect that was run again; 0: none was */
	double **fresh;           /* [nhosts]: [nfresh * figures]; NULL: not run again */
};

static void first_stage(struct stages *s)
{
	const size_t n = s->g->nhosts;

	s->values = alloc_zeroed(n * s->l->figures, sizeof(*s->values));
	s->scores = alloc_zeroed(n * s->sets, sizeof(*s->scores));
	s->effects = alloc_zeroed(n * s->sets, sizeof(*s->effects));
	s->others = alloc_zeroed(s->sets, sizeof(*s->others));
	for (size_t set = 0; set < s->sets; set++)
		s->others[set] = FLEET_NO_OTHERS;
	fleet_clean(s->l, n, s->g->nruns, s->g->runs, s->values);
	s->scale = fleet_scale_of(s->l, n, s->values);
	for (size_t i = 0; i < n; i++) {
		double *effects = s->effects + i * s->sets;

		fleet_score(s->l, &s->scale, s->values + i * s->l->figures, s->scores + i * s->sets,
			effects);
		for (size_t set = 0; set < s->sets; set++)
			fleet_others_add(&s->others[set], effects[set]);
	}
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

static void confirm(
	const struct stages *s, const struct fleet_judge *j, size_t node, struct node_finding *v)
{
	const struct fleet_verdict found =
		fleet_judge(j, s->values + node * s->l->figures, s->nfresh, s->fresh[node]);

	v->kind = found.named ? VERDICT_SLOW : VERDICT_CLEARED;
	v->small = found.small;
	v->fresh = s->nfresh;
	if (!found.named)
		return;
	v->set_number = found.set;
	v->slower = (struct amount){fleet_per_cent(found.effect), fleet_per_cent(found.low),
		fleet_per_cent(found.high)};
}

static struct node_finding judge_node(
	const struct stages *s, const struct fleet_judge *j, size_t node)
{
	const double *scores = s->scores + node * s->sets;
	struct node_finding v = {.slower = AMOUNT_NONE, .least = NAN};
	double own;

	v.set_number = fleet_hottest(s->l, &s->suspect, scores);
	v.slower.value = fleet_per_cent(s->effects[node * s->sets + v.set_number]);
	v.kind = is_suspect(s, node) ? VERDICT_SUSPECT : VERDICT_ALIKE;
	if (s->fresh[node])
		confirm(s, j, node, &v);
	v.score = fleet_part(s->l, &s->suspect, scores, v.set_number);
	if (s->noise.within)
		v.least = fleet_per_cent(
			fleet_least(j, v.set_number, v.fresh ? v.fresh : VERDICTS_FRESH));
	own = s->effects[node * s->sets + v.set_number];
	v.others_low = fleet_per_cent(fleet_others_low(&s->others[v.set_number], own));
	v.others_high = fleet_per_cent(fleet_others_high(&s->others[v.set_number], own));
	return v;
}

/* The mean of a resource's figures above those of the median node; NAN: none was measured. */
static double above_median(
	const struct stages *s, const struct fleet_order *o, size_t node, size_t resource)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = o->first[resource]; i < o->first[resource + 1]; i++) {
		const size_t f = o->figure[i];
		const double value = s->values[node * s->l->figures + f] - s->scale.centre[f];

		sum += isnan(value) ? 0 : value;
		n += !isnan(value);
	}
	return n ? fleet_per_cent(sum / (double)n) : NAN;
}

/* What the map shows. */
static void find_effects(const struct stages *s, const struct fleet_order *o, struct judged *out)
{
	const size_t width = s->l->resources;

	out->effects = alloc_zeroed(s->g->nhosts * width, sizeof(*out->effects));
	out->whole = alloc_zeroed(s->g->nhosts, sizeof(*out->whole));
	for (size_t i = 0; i < s->g->nhosts; i++) {
		double *rank = &out->nodes[i].rank;

		*rank = out->whole[i] = fleet_per_cent(s->effects[i * s->sets]);
		for (size_t r = 0; r < width; r++) {
			out->effects[i * width + r] = above_median(s, o, i, r);
			*rank = fmax(*rank, out->effects[i * width + r]);
		}
	}
}

/* The spread between nodes is without that of their runs. */
static struct figure_finding judge_figure(const struct stages *s, size_t f)
{
	const size_t runs = s->g->nruns;
	const double all = s->scale.scale[f],
		     within = runs > 1 ? fleet_run_spread(s->l, s->g->nhosts, runs, s->g->runs, f)
				       : NAN;

	return (struct figure_finding){NULL, exp(s->scale.centre[f] / 100),
		isnan(within) ? all : sqrt(fmax(0, all * all - within * within / (double)runs)),
		within};
}

/* Of the median figure of a resource. */
static struct resource_finding judge_resource(const struct stages *s, const struct fleet_judge *j,
	const struct figure_finding *figures, const struct fleet_order *o, size_t resource)
{
	const size_t first = o->first[resource], n = o->first[resource + 1] - first;
	double *between = alloc_zeroed(2 * n + 1, sizeof(*between)), *within = between + n;
	struct resource_finding out = {.figures = n, .least = NAN};

	for (size_t i = 0; i < n; i++) {
		within[i] = figures[o->figure[first + i]].within;
		between[i] = figures[o->figure[first + i]].between;
	}
	out.between = robust_median(between, out.figures);
	out.within = robust_median(within, out.figures);
	if (s->noise.within) {
		out.least = fleet_per_cent(fleet_least(j, 1 + resource, VERDICTS_FRESH));
		out.healthy = fleet_per_cent(fleet_between(j, 1 + resource));
		for (int i = 0; i < VERDICTS_CLAIMS; i++)
			out.runs_for[i] =
				fleet_runs_for(j, 1 + resource, fleet_effect(verdicts_claims[i]));
	}
	free(between);
	return out;
}

static void judge_all(struct stages *s, struct judged *out)
{
	const struct fleet_judge j = {
		s->l, &s->scale, &s->noise, &s->suspect, &s->name, fleet_effect(s->f->tolerance)};
	const struct fleet_order order = fleet_order_of(s->l);

	out->nodes = alloc_zeroed(s->g->nhosts, sizeof(*out->nodes));
	out->resources = alloc_zeroed(s->l->resources, sizeof(*out->resources));
	out->figures = alloc_zeroed(s->l->figures, sizeof(*out->figures));
	for (size_t i = 0; i < s->g->nhosts; i++)
		out->nodes[i] = judge_node(s, &j, i);
	lost_time_judge(s->f, s->g, s->scale.centre, s->effects, out->nodes);
	for (size_t k = 0; k < s->l->figures; k++)
		out->figures[k] = judge_figure(s, k);
	for (size_t r = 0; r < s->l->resources; r++)
		out->resources[r] = judge_resource(s, &j, out->figures, &order, r);
	find_effects(s, &order, out);
	free(order.first);
}

void verdicts_judge(const struct findings *f, size_t group, struct judged *out)
{
	const struct group *g = &f->groups[group];
	struct stages s = {.f = f, .g = g, .l = &g->layout, .sets = fleet_sets(&g->layout)};

	first_stage(&s);
	take_fresh(&s, f->in, f->hosts);
	learn_noise(&s);
	if (s.noise.within) /* else nothing can be named; the simulation takes long */
		s.name = fleet_limits(s.l, g->nhosts, FLEET_NAME);
	judge_all(&s, out);
	for (size_t i = 0; i < g->nhosts; i++)
		free(s.fresh[i]);
	free(s.fresh);
	fleet_noise_free(&s.noise);
	fleet_scale_free(&s.scale);
	free(s.values);
	free(s.scores);
	free(s.effects);
	free(s.others);
}
