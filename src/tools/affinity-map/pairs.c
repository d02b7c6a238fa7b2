/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans, runs and compares every pair of several programs. */
#include "affinity-map/pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "statistics/random.h"
#include "memory/capacity.h"

static int plan_pair(struct map_pairs *p, int a, int b, struct errors *e)
{
	struct map_pair *pair = &p->list[p->n++];

	*pair = (struct map_pair){.programs = {a, b}, .apps = {p->apps[a], p->apps[b]}};
	pair->job = (struct job){.options = p->options,
		.topo = p->topo,
		.apps = pair->apps,
		.napps = 2,
		.counted = p->counted};
	return job_plan(&pair->job, e);
}

int pairs_plan(struct map_pairs *p, struct errors *e)
{
	int most = p->napps * (p->napps - 1) / 2, failed = 0;

	p->list = alloc_zeroed((size_t)most, sizeof(*p->list));
	for (int a = 0; a < p->napps && !failed; a++)
		for (int b = a + 1; b < p->napps && !failed; b++)
			failed = plan_pair(p, a, b, e);
	return failed;
}

struct lone {
	struct map_pairs *pairs;
	const struct map_layout *layout;
	int program;
	const char *library;
};

static int try_alone(void *arg, bool *paused, struct errors *e)
{
	const struct lone *lone = arg;
	struct map_pairs *p = lone->pairs;
	const struct map_app *app = &p->apps[lone->program];
	struct map_sample *sample = &p->alone[lone->program];
	int interrupted = 0;

	if (map_run(lone->layout, app, 1, lone->library, NULL, sample, &interrupted, e))
		return -1;
	p->status = map_judge(app, 1, sample, interrupted, e);
	*paused = sample->paused && !p->status;
	if (!p->status)
		return 0;
	if (!interrupted)
		error_hint(e, "'%s' ran alone, before any pair", app->name);
	return -1;
}

static int run_alone(struct map_pairs *p, int i, const char *library, struct errors *e)
{
	const struct map_app *app = &p->apps[i];
	int *cpus = alloc_zeroed((size_t)app->threads, sizeof(*cpus));
	const struct map_layout layout = {.method = MAPPING_OS, .cpus = &cpus};
	struct lone lone = {p, &layout, i, library};

	for (int k = 0; k < app->threads; k++)
		cpus[k] = -1;
	char *what = alloc_format("'%s' alone", app->name);
	int failed = job_attempts(try_alone, &lone, what, e);

	free(what);
	free(cpus);
	return failed;
}

int pairs_alone(struct map_pairs *p, const char *library, struct errors *e)
{
	int failed = 0;

	p->alone = alloc_zeroed((size_t)p->napps, sizeof(*p->alone));
	for (int i = 0; i < p->napps && !failed; i++)
		failed = run_alone(p, i, library, e);
	return failed;
}

/* The reason why nothing could be told of a pair, to be freed, or NULL. */
static char *why_no_pair(const struct map_pairs *p, const struct map_pair *pair)
{
	struct capacity_left left = capacity_left(-1);
	uint64_t bytes = 0;
	char need[32], have[32];

	for (int i = 0; i < 2; i++) {
		const struct map_sample *alone = &p->alone[pair->programs[i]];

		if (alone->wall_s < MAP_SHORTEST_S)
			return alloc_format("'%s' ends after %.4f s: below %.1f s its start is "
					    "more than a mapping changes",
				pair->apps[i].name, alone->wall_s, MAP_SHORTEST_S);
		bytes += alone->resident_bytes;
	}
	if (bytes <= left.bytes)
		return NULL;
	return alloc_format("together they take %s of memory, %s can give %s just now",
		text_size(bytes, need, sizeof(need)),
		left.by_limit ? "the control group" : "the machine",
		text_size(left.bytes, have, sizeof(have)));
}

/* Returns how many pairs can be measured. */
static size_t leave_out(struct map_pairs *p, struct errors *e)
{
	size_t left = 0;

	for (int i = 0; i < p->n; i++) {
		struct map_pair *pair = &p->list[i];

		pair->skipped = why_no_pair(p, pair);
		left += !pair->skipped;
		if (!pair->skipped)
			continue;
		char *name = pairs_name(p, pair);

		error_warn(e, "%s is left out: %s", name, pair->skipped);
		error_hint(e, "give the programs other inputs");
		free(name);
	}
	return left;
}

/* What is left of all runs of a batch that began at begin_ns. */
struct course {
	size_t done, all;
	uint64_t begin_ns;
};

static void tell_pair(
	const struct map_pairs *p, const struct map_pair *pair, size_t layout, struct course *c)
{
	char *name = pairs_name(p, pair);
	char *what = alloc_format("%s, %s", name, pair->job.layouts[layout].name);

	job_tell(what, c->done++, c->all, c->begin_ns);
	free(what);
	free(name);
}

/* A round of all pairs under all mappings, in random order. */
static int run_round(struct map_pairs *p, uint64_t *state, struct course *c, struct errors *e)
{
	size_t width = (size_t)p->options->nmethods, n = (size_t)p->n * width;
	size_t *order = alloc_zeroed(n, sizeof(*order));
	int failed = 0;

	for (size_t i = 0; i < n; i++)
		order[i] = i;
	random_shuffle(state, order, n);
	for (size_t i = 0; i < n && !failed; i++) {
		struct map_pair *pair = &p->list[order[i] / width];

		if (pair->skipped)
			continue;
		tell_pair(p, pair, order[i] % width, c);
		failed = job_run(&pair->job, (int)(order[i] % width), e);
		p->status = pair->job.status;
	}
	free(order);
	return failed;
}

int pairs_run(struct map_pairs *p, const char *library, struct errors *e)
{
	const size_t pairs = leave_out(p, e);
	struct course c = {0, pairs * (size_t)p->options->nmethods * p->options->runs, clock_ns()};
	int failed = 0;

	if (!pairs)
		return error_add(e, STATUS_FAILED, NOWHERE, "no pair can be measured");
	p->seed = p->options->seed ? p->options->seed : random_seed();
	uint64_t state = p->seed;

	for (int i = 0; i < p->n; i++) {
		p->list[i].job.library = library;
		job_begin(&p->list[i].job);
	}
	for (uint64_t k = 0; k < p->options->runs && !failed; k++)
		failed = run_round(p, &state, &c, e);
	for (int i = 0; i < p->n && !failed; i++)
		if (!p->list[i].skipped)
			job_compare_threads(&p->list[i].job, e);
	return failed;
}

bool pairs_measured(const struct map_pair *pair)
{
	const struct map_result *r = &pair->job.result;

	for (int l = 0; l < r->nlayouts; l++)
		if (!r->done || !r->done[l])
			return false;
	return !pair->skipped;
}

bool pairs_any(const struct map_pairs *p)
{
	for (int i = 0; i < p->n; i++)
		if (pairs_measured(&p->list[i]))
			return true;
	return false;
}

static bool has_program(const struct map_pair *pair, int program)
{
	return program < 0 || pair->programs[0] == program || pair->programs[1] == program;
}

/* Rounds that all pairs of the program have completed under both mappings. */
static size_t common_rounds(const struct map_pairs *p, int layout, int program)
{
	size_t n = SIZE_MAX;

	for (int i = 0; i < p->n; i++) {
		const struct map_result *r = &p->list[i].job.result;

		if (p->list[i].skipped || !has_program(&p->list[i], program))
			continue;
		n = r->done[layout] < n ? r->done[layout] : n;
		n = r->done[0] < n ? r->done[0] : n;
	}
	return n == SIZE_MAX ? 0 : n;
}

/* The geometric mean over pairs of their times in a round. */
static double mean_of_round(const struct map_pairs *p, int layout, int program, size_t round)
{
	double logs = 0;
	int n = 0;

	for (int i = 0; i < p->n; i++)
		if (!p->list[i].skipped && has_program(&p->list[i], program)) {
			logs += log(map_wall(&p->list[i].job.result, layout, round, MAP_SLOWEST));
			n++;
		}
	return exp(logs / n);
}

struct amount pairs_ratio(const struct map_pairs *p, int layout, int program)
{
	size_t n = common_rounds(p, layout, program);
	double *times = alloc_zeroed(2 * n + 1, sizeof(*times));
	struct amount ratio = AMOUNT_NONE;

	for (size_t i = 0; i < n; i++) {
		times[i] = mean_of_round(p, layout, program, i);
		times[n + i] = mean_of_round(p, 0, program, i);
	}
	if (n && layout)
		stats_paired_ratio(times, times + n, n, MAP_CONFIDENCE, &ratio);
	else if (n)
		ratio = AMOUNT_ONE;
	free(times);
	return ratio;
}

int pairs_group(const struct map_app *app)
{
	static const int groups[] = {MAPPING_FP, MAPPING_INT, MAPPING_LOAD};
	int best = -1;

	for (size_t i = 0; i < 3 && app->has_mix; i++)
		if (!isnan(app->share[groups[i]]) &&
			(best < 0 || app->share[groups[i]] > app->share[best]))
			best = groups[i];
	return best;
}

char *pairs_program(const struct map_pairs *p, int program)
{
	const struct map_app *app = &p->apps[program];

	for (int i = 0; i < p->napps; i++)
		if (i != program && !strcmp(p->apps[i].name, app->name))
			return map_command(app);
	return alloc_format("%s", app->name);
}

char *pairs_name(const struct map_pairs *p, const struct map_pair *pair)
{
	char *a = pairs_program(p, pair->programs[0]), *b = pairs_program(p, pair->programs[1]);
	char *name = alloc_format("%s + %s", a, b);

	free(a);
	free(b);
	return name;
}

void pairs_free(struct map_pairs *p)
{
	for (int i = 0; i < p->n; i++) {
		job_free(&p->list[i].job);
		free(p->list[i].skipped);
	}
	free(p->list);
	free(p->alone);
}
