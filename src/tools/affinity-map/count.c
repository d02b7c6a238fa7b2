/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts the instructions of programs that wait at the gate, and computes shares from the
 * counts. */
#include "affinity-map/count.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/counted_mix.h"
#include "base/alloc.h"
#include "counters/counters.h"
#include "counters/counting.h"

struct task {
	struct counting counting;
	const struct counted_metric *of[MAPPING_TYPES]; /* NULL: not counted here */
	double **counts; /* [npasses][events of the pass], of one program; NULL: not counted */
};

static char *copy_reason(const char *text)
{
	return alloc_string(text, strlen(text));
}

/* Returns NULL, or the reason why no mix can be counted, to be freed. The group's first metric is
 * the number of instructions. Every share needs it, so no share can be counted without it. */
static char *find_metrics(struct task *t, enum mapping_type by)
{
	struct words mix = {0};
	struct errors told = {0};
	char *why[MAPPING_TYPES], *none = NULL;
	bool any = false;

	words_add(&mix, "mix", 3);
	counting_make(&t->counting, &mix, NULL, 0, false, &told);
	for (int i = 0; i < MAPPING_TYPES; i++) {
		why[i] = counted_mix_find(&t->counting, (enum mapping_type)i, false, &t->of[i]);
		any |= t->of[i] != NULL;
	}
	const char *hardware = counter_missing(&t->counting.metrics[0]);
	if (!any)
		none = copy_reason(hardware ? hardware : why[0]);
	else if (by != MAPPING_SPREAD && !t->of[by])
		none = alloc_format("%s is not counted here: %s", mapping_types[by], why[by]);
	for (int i = 0; i < MAPPING_TYPES; i++)
		free(why[i]);
	errors_free(&told);
	words_free(&mix);
	return none;
}

/* Each pass costs a run of every program, so passes that only other figures need are left out. */
static bool is_needed(const struct task *t, size_t pass)
{
	for (int i = 0; i < MAPPING_TYPES; i++) {
		const struct counted_metric *m = t->of[i];

		if (m && m->pass == (int)pass)
			return true;
		for (size_t k = 0; m && m->pass < 0 && k < m->formula.nnames; k++)
			if (counting_pass_find(&t->counting.passes[pass], m->formula.names[k]) >= 0)
				return true;
	}
	return false;
}

/* A pass, and the program that is counted in it. */
struct counted_run {
	const struct counting_pass *pass;
	struct counters *counters;
	char why[256];
};

static int at_gate(void *arg, pid_t process)
{
	struct counted_run *r = arg;

	r->counters = counters_attach(process, r->pass->names, r->pass->n, r->why, sizeof(r->why));
	if (r->counters && counters_start(r->counters)) {
		snprintf(r->why, sizeof(r->why), "%s does not start", r->pass->names[0]);
		return -1;
	}
	return r->counters ? 0 : -1;
}

/* The program runs unbound, but with the number of places of a measured run, so that
 * OMP_NUM_THREADS is the same. */
static int run_pass(struct map_app *app, const char *library, struct counted_run *r, int *status,
	struct errors *e)
{
	struct map_probe probe = {at_gate, r};
	struct map_sample sample = {0};
	int *cpus = alloc_zeroed((size_t)app->threads, sizeof(*cpus)), interrupted;

	for (int i = 0; i < app->threads; i++)
		cpus[i] = -1;
	struct map_layout layout = {.method = MAPPING_OS, .cpus = &cpus};
	int failed = map_run(&layout, app, 1, library, &probe, &sample, &interrupted, e);

	free(cpus);
	if (failed)
		return -1;
	if (*r->why && !interrupted) {
		app->why = copy_reason(r->why);
		return 0;
	}
	*status = map_judge(app, 1, &sample, interrupted, e);
	if (*status && !interrupted)
		error_hint(e, "this run counts its instructions, alone and unbound; --profile "
			      "replaces it");
	return *status ? -1 : 0;
}

static double event_value(const void *arg, const char *event)
{
	const struct task *t = arg;

	for (size_t i = 0; i < t->counting.npasses; i++) {
		long at = t->counts[i] ? counting_pass_find(&t->counting.passes[i], event) : -1;

		if (at >= 0)
			return t->counts[i][at];
	}
	return NAN;
}

static void take_shares(struct map_app *app, const struct task *t)
{
	for (int i = 0; i < MAPPING_TYPES; i++) {
		double percent = t->of[i] ? formula_value(&t->of[i]->formula, event_value, t) : NAN;

		app->share[i] = counted_mix_share(percent);
		app->has_mix |= !isnan(app->share[i]);
	}
	app->counted = app->has_mix;
	if (!app->has_mix)
		app->why = copy_reason("its counters stayed 0 while it ran");
}

static int count_app(
	struct map_app *app, struct task *t, const char *library, int *status, struct errors *e)
{
	const struct counting *c = &t->counting;
	int failed = 0;

	t->counts = alloc_zeroed(c->npasses + 1, sizeof(*t->counts));
	for (size_t i = 0; i < c->npasses && !failed && !app->why; i++) {
		struct counted_run run = {.pass = &c->passes[i]};

		if (!is_needed(t, i))
			continue;
		failed = run_pass(app, library, &run, status, e);
		if (!failed && !app->why) {
			t->counts[i] = alloc_zeroed(run.pass->n, sizeof(**t->counts));
			counters_stop(run.counters, t->counts[i]);
		}
		counters_free(run.counters);
	}
	if (!failed && !app->why)
		take_shares(app, t);
	for (size_t i = 0; i < c->npasses; i++)
		free(t->counts[i]);
	free(t->counts);
	return failed;
}

static void fill_counted(struct map_counted *counted, const struct task *t)
{
	for (size_t i = 0; i < t->counting.npasses; i++)
		counted->runs += is_needed(t, i);
	for (int i = 0; i < MAPPING_TYPES; i++)
		if (t->of[i])
			counted->formula[i] = copy_reason(t->of[i]->formula.text);
}

int map_count(struct map_app *apps, int n, enum mapping_type by, const char *library,
	struct map_counted *counted, int *status, struct errors *e)
{
	struct task t = {0};
	char *why = find_metrics(&t, by);
	bool any = false;
	int failed = 0;

	for (int i = 0; i < n && !failed; i++) {
		if (apps[i].has_mix)
			continue;
		if (why)
			apps[i].why = copy_reason(why);
		else
			failed = count_app(&apps[i], &t, library, status, e);
		any |= apps[i].counted;
	}
	if (any)
		fill_counted(counted, &t);
	counting_free(&t.counting);
	free(why);
	return failed;
}

void map_counted_free(struct map_counted *counted)
{
	for (int i = 0; i < MAPPING_TYPES; i++)
		free(counted->formula[i]);
	*counted = (struct map_counted){0};
}
