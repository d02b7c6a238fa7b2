/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Suspects, judged by fresh runs alone. */
#include "affinity-fleet/fleet.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "statistics/robust.h"

#define CONFIDENCE 0.95
/* Degrees of freedom that a median of variances keeps, about (Hampel, as in statistics/robust.h).
 */
#define EFFICIENCY 0.37
/* A run this far above the median run was disturbed; standard deviations of a run. */
#define DISTURBED 4

/* Scores and effects of each run of a node, [nruns * sets]. */
struct scored {
	size_t sets, nruns;
	double *scores, *effects;
};

static struct scored score_runs(
	const struct fleet_layout *l, const struct fleet_scale *s, size_t nruns, const double *runs)
{
	const size_t sets = fleet_sets(l);
	double *all = alloc_zeroed(2 * nruns * sets, sizeof(*all));
	const struct scored out = {sets, nruns, all, all + nruns * sets};

	for (size_t r = 0; r < nruns; r++)
		fleet_score(
			l, s, runs + r * l->figures, out.scores + r * sets, out.effects + r * sets);
	return out;
}

static double variance(const struct scored *x, size_t set)
{
	double mean = 0, squares = 0;

	for (size_t r = 0; r < x->nruns; r++) { /* Welford, Technometrics 4, 1962 */
		const double score = x->scores[r * x->sets + set], d = score - mean;

		mean += d / (double)(r + 1);
		squares += d * (score - mean);
	}
	return squares / (double)(x->nruns - 1);
}

/* Means of one set over the runs that nothing disturbed, and how many these are. */
struct clean {
	double score, effect;
	size_t runs;
};

static struct clean clean_of(const struct scored *x, size_t set, double within)
{
	double *scores = alloc_zeroed(x->nruns, sizeof(*scores));
	struct clean c = {0};

	for (size_t r = 0; r < x->nruns; r++)
		scores[r] = x->scores[r * x->sets + set];
	const double most = robust_median(scores, x->nruns) + DISTURBED * within;

	for (size_t r = 0; r < x->nruns; r++)
		if (x->scores[r * x->sets + set] <= most) {
			c.score += x->scores[r * x->sets + set];
			c.effect += x->effects[r * x->sets + set];
			c.runs++;
		}
	free(scores);
	c.score = c.runs > 0 ? c.score / (double)c.runs : NAN;
	c.effect = c.runs > 0 ? c.effect / (double)c.runs : NAN;
	return c;
}

struct fleet_noise fleet_noise_of(const struct fleet_layout *l, const struct fleet_scale *s,
	size_t nodes, size_t nruns, const double *runs, size_t first)
{
	const size_t sets = fleet_sets(l);
	double *all = alloc_zeroed(2 * sets, sizeof(*all));
	double *variances = alloc_zeroed(sets * nodes, sizeof(*variances));
	const struct fleet_noise noise = {
		all, all + sets, fmax(1, EFFICIENCY * (double)nodes * ((double)nruns - 1))};

	for (size_t n = 0; n < nodes; n++) {
		struct scored x = score_runs(l, s, nruns, runs + n * nruns * l->figures);

		for (size_t set = 0; set < sets; set++)
			variances[set * nodes + n] = variance(&x, set);
		free(x.scores);
	}
	for (size_t set = 0; set < sets; set++) {
		const double w2 = robust_median(variances + set * nodes, nodes) /
				  robust_variance_bias((double)nruns - 1);

		noise.within[set] = sqrt(w2);
		noise.between[set] = sqrt(fmax(0, 1 - w2 / (double)first)); /* scores have 1 */
	}
	free(variances);
	return noise;
}

void fleet_noise_free(struct fleet_noise *n)
{
	free(n->within);
	*n = (struct fleet_noise){0};
}

/* The standard deviation that a healthy node's mean score of so many fresh runs has. */
static double deviation(const struct fleet_judge *j, size_t set, size_t nruns)
{
	const double within = j->noise->within[set], between = j->noise->between[set];

	return sqrt(between * between + within * within / (double)nruns);
}

/* What a score of 1 is. */
static double per_cent(const struct fleet_judge *j, size_t set)
{
	return j->scale->spread[set] * j->scale->unit[set];
}

/* The score as a part of its limit; below 1: not beyond it. */
static double beyond(const struct fleet_judge *j, size_t set, double score, size_t nruns)
{
	const double limit = j->name->of[fleet_set(j->layout, set).kind];

	return score / (limit * deviation(j, set, nruns));
}

/* How far a set is beyond its limit; 0 where it was not hot before or is not slow enough. */
static double distance(
	const struct fleet_judge *j, size_t set, const struct scored *fresh, double score_before)
{
	const struct clean c = clean_of(fresh, set, j->noise->within[set]);
	const bool was_hot = score_before > j->suspect->of[fleet_set(j->layout, set).kind];

	if (!was_hot || !(c.effect >= j->floor))
		return 0;
	return beyond(j, set, c.score, c.runs);
}

struct fleet_verdict fleet_judge(
	const struct fleet_judge *j, const double *first, size_t nruns, const double *fresh)
{
	const size_t sets = fleet_sets(j->layout);
	double *before = alloc_zeroed(2 * sets, sizeof(*before)), *far = before + sets;
	struct scored x = score_runs(j->layout, j->scale, nruns, fresh);
	struct fleet_verdict v = {.set = 0};

	fleet_score(j->layout, j->scale, first, before, NULL);
	v.set = fleet_hottest(j->layout, j->suspect, before);
	for (size_t set = 0; set < sets; set++) {
		far[set] = distance(j, set, &x, before[set]);
		if (far[set] > far[v.set])
			v.set = set;
	}
	v.named = far[v.set] > 1;
	const struct clean c = clean_of(&x, v.set, j->noise->within[v.set]);
	const double half = robust_t_half(CONFIDENCE, j->noise->df) * j->noise->within[v.set] *
			    per_cent(j, v.set) / sqrt((double)c.runs);

	v.small = !v.named && c.effect < j->floor && beyond(j, v.set, c.score, c.runs) > 1;
	v.effect = c.effect;
	v.low = v.effect - half;
	v.high = v.effect + half;
	free(x.scores);
	free(before);
	return v;
}

double fleet_least(const struct fleet_judge *j, size_t set, size_t nruns)
{
	const double s = deviation(j, set, nruns) * per_cent(j, set),
		     limit = j->name->of[fleet_set(j->layout, set).kind];

	return fmax(limit * s, j->floor) + robust_normal_limit(1 - CONFIDENCE) * s;
}

/* The deviation, as in fleet_least(), that the effect can bear. */
size_t fleet_runs_for(const struct fleet_judge *j, size_t set, double effect)
{
	const double limit = j->name->of[fleet_set(j->layout, set).kind],
		     sure = robust_normal_limit(1 - CONFIDENCE),
		     most = fmin(effect / (limit + sure), (effect - j->floor) / sure) /
			    per_cent(j, set),
		     between = j->noise->between[set], within = j->noise->within[set];
	const double runs = within * within / (most * most - between * between);

	if (!(most > between) || !isfinite(runs))
		return 0;
	return runs > 2 ? (size_t)ceil(runs) : 2;
}

double fleet_between(const struct fleet_judge *j, size_t set)
{
	return j->noise->between[set] * per_cent(j, set);
}
