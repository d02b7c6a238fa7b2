/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Generated fleets, with faults that are known. Per cent everywhere. */
#ifndef SIMULATION_H
#define SIMULATION_H

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#include "affinity-fleet/fleet.h"

#define FIGURES   40
#define RESOURCES 4
#define DOMAINS   8
#define SETS      (1 + RESOURCES + DOMAINS + FIGURES)
#define FIRST     2
#define FRESH     3
/* The standard error of the median of 15 samples of 2 %. */
#define SAMPLING 0.647

static size_t resource[FIGURES], domain[FIGURES];
static const struct fleet_layout layout = {FIGURES, RESOURCES, DOMAINS, resource, domain};

static void lay_out(void)
{
	for (size_t f = 0; f < FIGURES; f++) {
		resource[f] = f / (FIGURES / RESOURCES);
		domain[f] = f % DOMAINS;
	}
}

struct scenario {
	const char *name;
	size_t nodes;
	double between, within; /* standard deviations */
	double df;              /* of the tails of healthy nodes; 0: normal */
	double disturbed; /* part of the runs, slower by 10 to 50 % in 30 % of their figures */
	double lacking;   /* part of the nodes, without a third of their figures */
};

/* Variances of a node, its resources, domains and figures, as parts of the whole. */
static const double node_parts[] = {0.2, 0.35, 0.15, 0.3}, run_parts[] = {0.3, 0.2, 0.1, 0.4};

static double drawn(gsl_rng *rng, double sd, double df)
{
	return df > 0 ? sd * gsl_ran_tdist(rng, df) / sqrt(df / (df - 2))
		      : gsl_ran_gaussian(rng, sd);
}

/* Adds effects of all four kinds to x[FIGURES]. */
static void add_effects(gsl_rng *rng, double sd, double df, const double *parts, double *x)
{
	double node = drawn(rng, sd * sqrt(parts[0]), df), r[RESOURCES], d[DOMAINS];

	for (int i = 0; i < RESOURCES; i++)
		r[i] = drawn(rng, sd * sqrt(parts[1]), df);
	for (int i = 0; i < DOMAINS; i++)
		d[i] = drawn(rng, sd * sqrt(parts[2]), df);
	for (int f = 0; f < FIGURES; f++)
		x[f] += node + r[resource[f]] + d[domain[f]] + drawn(rng, sd * sqrt(parts[3]), df);
}

static void run(gsl_rng *rng, const struct scenario *s, const double *truth, double *x)
{
	const bool disturbed = gsl_rng_uniform(rng) < s->disturbed;

	for (int f = 0; f < FIGURES; f++)
		x[f] = truth[f] + gsl_ran_gaussian(rng, SAMPLING);
	add_effects(rng, s->within, 0, run_parts, x);
	for (int f = 0; disturbed && f < FIGURES; f++)
		if (gsl_rng_uniform(rng) < 0.3)
			x[f] += gsl_ran_flat(rng, 10, 50);
}

struct fault {
	enum fleet_kind kind;
	size_t index;
	double size; /* 0: none */
};

static void add_fault(const struct fault *fault, double *truth)
{
	for (size_t f = 0; f < FIGURES; f++) {
		const size_t at[] = {0, resource[f], domain[f], f};

		if (at[fault->kind] == fault->index)
			truth[f] += fault->size;
	}
}

struct fleet {
	struct fault *faults; /* [nodes] */
	double *truth;        /* [nodes * FIGURES] */
	double *runs;         /* [nodes * FIRST * FIGURES] */
	double *values;       /* [nodes * FIGURES] */
};

static struct fleet fleet_of(gsl_rng *rng, const struct scenario *s, struct fault *faults)
{
	struct fleet fleet = {.faults = faults,
		.truth = alloc_zeroed(s->nodes * FIGURES, sizeof(double)),
		.runs = alloc_zeroed(s->nodes * FIRST * FIGURES, sizeof(double)),
		.values = alloc_zeroed(s->nodes * FIGURES, sizeof(double))};

	for (size_t n = 0; n < s->nodes; n++) {
		double *truth = fleet.truth + n * FIGURES;
		const bool lacks = gsl_rng_uniform(rng) < s->lacking;

		add_effects(rng, s->between, s->df, node_parts, truth);
		add_fault(&faults[n], truth);
		for (int f = 0; lacks && f < FIGURES; f++)
			if (gsl_rng_uniform(rng) < 1.0 / 3)
				truth[f] = NAN;
		for (int r = 0; r < FIRST; r++)
			run(rng, s, truth, fleet.runs + (n * FIRST + (size_t)r) * FIGURES);
	}
	fleet_clean(&layout, s->nodes, FIRST, fleet.runs, fleet.values);
	return fleet;
}

static void fleet_free(struct fleet *fleet)
{
	free(fleet->truth);
	free(fleet->runs);
	free(fleet->values);
}

/* What became of the faults of a kind and size, and of healthy nodes. */
#define SIZES 3
static const double sizes[SIZES] = {3, 5, 10};

struct tally {
	size_t faults[FLEET_KINDS][SIZES], found[FLEET_KINDS][SIZES];
	size_t right; /* of the found ones, with the set that was slow */
	size_t healthy,
		false_alarms; /* named although the named set is slower by less than 1.5 % */
	size_t really;        /* named, no fault, but slower by that much: tails */
};

static void count_fault(const struct fault *fault, const struct fleet_verdict *v, struct tally *t)
{
	for (int i = 0; i < SIZES; i++)
		if (sizes[i] == fault->size) {
			t->faults[fault->kind][i]++;
			t->found[fault->kind][i] += v->named;
		}
	const struct fleet_set set = fleet_set(&layout, v->set);

	t->right += v->named && set.kind == fault->kind && set.index == fault->index;
}

static void count_healthy(const struct fleet_judge *j, const double *truth,
	const struct fleet_verdict *v, struct tally *t)
{
	double scores[SETS], effects[SETS];

	t->healthy++;
	if (!v->named)
		return;
	fleet_score(&layout, j->scale, truth, scores, effects);
	if (effects[v->set] < 1.5)
		t->false_alarms++;
	else
		t->really++;
}

static struct fleet_verdict verdict_on(gsl_rng *rng, const struct scenario *s,
	const struct fleet_judge *j, const double *truth, const double *value)
{
	double scores[SETS], effects[SETS], fresh[FRESH * FIGURES];

	fleet_score(&layout, j->scale, value, scores, effects);
	if (!fleet_is_hot(&layout, j->suspect, scores))
		return (struct fleet_verdict){0};
	for (int r = 0; r < FRESH; r++)
		run(rng, s, truth, fresh + r * FIGURES);
	return fleet_judge(j, value, FRESH, fresh);
}

/* Judges a fleet and counts. */
static void judge_fleet(gsl_rng *rng, const struct scenario *s, const struct fleet_limits *suspect,
	const struct fleet_limits *name, const struct fleet *fleet, struct tally *t)
{
	struct fleet_scale scale = fleet_scale_of(&layout, s->nodes, fleet->values);
	struct fleet_noise noise =
		fleet_noise_of(&layout, &scale, s->nodes, FIRST, fleet->runs, FIRST);
	const struct fleet_judge j = {&layout, &scale, &noise, suspect, name, FLEET_FLOOR};

	for (size_t n = 0; n < s->nodes; n++) {
		const double *truth = fleet->truth + n * FIGURES;
		struct fleet_verdict v = verdict_on(rng, s, &j, truth, fleet->values + n * FIGURES);

		if (fleet->faults[n].size > 0)
			count_fault(&fleet->faults[n], &v, t);
		else
			count_healthy(&j, truth, &v, t);
	}
	fleet_noise_free(&noise);
	fleet_scale_free(&scale);
}

/* Fleets with nine faults for each 333 nodes, one of each kind and size; small fleets have one. */
static inline struct tally simulate_fleets(const struct scenario *s, size_t fleets)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	const struct fleet_limits suspect = fleet_limits(&layout, s->nodes, FLEET_SUSPECT),
				  name = fleet_limits(&layout, s->nodes, FLEET_NAME);
	const size_t faulty = s->nodes < 300 ? 1 : 9 * (s->nodes / 333);
	struct fault *faults = alloc_zeroed(s->nodes, sizeof(*faults));
	struct tally t = {0};
	size_t turn = 0;

	for (size_t i = 0; i < fleets; i++) {
		for (size_t n = 0; n < faulty; n++, turn++) {
			const enum fleet_kind kind = (enum fleet_kind)(1 + turn % 3);

			faults[n] = (struct fault){kind,
				gsl_rng_uniform_int(rng, fleet_members(&layout, kind)),
				sizes[turn / 3 % SIZES]};
		}
		struct fleet fleet = fleet_of(rng, s, faults);

		judge_fleet(rng, s, &suspect, &name, &fleet, &t);
		fleet_free(&fleet);
	}
	free(faults);
	gsl_rng_free(rng);
	return t;
}

/* The chapter on clusters has a table as it is printed here. */
static inline void manual_has(void (*print)(FILE *out))
{
	char *table = NULL, *manual = alloc_zeroed(1, 1 << 16);
	size_t length;
	FILE *out = open_memstream(&table, &length), *in = fopen("manual/clusters.md", "r");

	assert_non_null(out);
	assert_non_null(in);
	print(out);
	fclose(out);
	assert_true(fread(manual, 1, (1 << 16) - 1, in) > 0);
	fclose(in);
	assert_non_null(strstr(manual, table));
	free(table);
	free(manual);
}

#endif
