/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Races the candidates of a program. */
#include "affinity-map/try.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "statistics/random.h"
#include "base/text.h"
#include "affinity-map/outputs.h"
#include "affinity-map/tools.h"
#include "system/program.h"
#include "base/error.h"

static bool has_bytes(void)
{
	struct stat s;
	int waiting = 0;

	if (fstat(STDIN_FILENO, &s))
		return false;
	if (S_ISREG(s.st_mode))
		return lseek(STDIN_FILENO, 0, SEEK_CUR) < s.st_size;
	return (S_ISFIFO(s.st_mode) || S_ISSOCK(s.st_mode)) &&
	       !ioctl(STDIN_FILENO, FIONREAD, &waiting) && waiting > 0;
}

/* Refuses an input that something is in: the program, which reads nothing in its place, would be
 * measured without its work. 0, or -1 with a message (STATUS_USAGE). */
static int check_input(const char *program, struct errors *e)
{
	if (!has_bytes())
		return 0;
	error_add(e, STATUS_USAGE, NOWHERE,
		"--try: '%s' would not get what comes on the standard input: it runs many times",
		program);
	return error_hint(e,
		"-- sh -c 'exec %s ARG... <FILE', or affinity-map </dev/null if it "
		"reads nothing",
		program);
}

/* In a shorter time starting a program is more than a placement changes; as of --pairs. */
#define SHORTEST_S 0.1
/* A candidate that takes so many times as long as the program in its first run, and a second more,
 * has lost, or hangs. */
#define PATIENCE 10

static int find_executable(struct map_app *app, char **argv, struct errors *e)
{
	const char *slash = strrchr(argv[0], '/');
	char why[512];

	*app = (struct map_app){.argv = argv, .name = slash ? slash + 1 : argv[0]};
	app->path = program_find(argv[0], why, sizeof(why));
	return app->path ? 0 : program_missing(argv[0], why, e);
}

const struct map_app *try_app(const struct try *t, size_t candidate)
{
	const struct map_app *own = t->candidates.list[candidate].app;

	return own ? own : &t->app;
}

static void warn_of_first(const struct try *t, const struct trial *first, struct errors *e)
{
	if (first->written_bytes)
		error_warn(e,
			"'%s' wrote %.3g MB to files in its first run, and it runs many times",
			t->app.name, (double)first->written_bytes * 1e-6);
	if (!t->measure.figure && first->wall_s < SHORTEST_S)
		error_warn(e, "'%s' ends after %.3g s: its start is more than a placement changes",
			t->app.name, first->wall_s);
	if (first->left)
		error_warn(e, "'%s' left processes behind; they were ended", t->app.name);
}

/* Which figures are better; without a word of the user the unit says it. */
static int find_direction(struct try *t, struct errors *e)
{
	const struct map_options *o = t->options;
	const enum figure_better better = figure_better(t->unit);

	if (!o->figure || o->larger || o->smaller)
		return 0;
	t->measure.larger = better == FIGURE_LARGER;
	if (better != FIGURE_UNKNOWN)
		return 0;
	error_add(e, STATUS_USAGE, NOWHERE,
		"--figure: is it better when it is larger, or smaller? %s%s%s says neither",
		*t->unit ? "its unit '" : "that it has no unit", t->unit, *t->unit ? "'" : "");
	return error_hint(e, "--larger or --smaller");
}

/* The program once as it is, before the race: does it work, how long does it take? */
static int run_first(struct try *t, struct errors *e)
{
	const double budget_s = (double)t->options->budget_ns * 1e-9;
	struct trial first;

	t->measure.limit_s = budget_s;
	if (trial_run(&first, &t->candidates.list[0], &t->app, &t->measure, e))
		return -1;
	t->first_s = first.wall_s;
	memcpy(t->unit, first.unit, sizeof(t->unit));
	t->measure.unit = t->unit;
	if (first.interrupted) {
		t->status = 128 + first.interrupted;
		error_add(e, STATUS_FAILED, NOWHERE, "interrupted by signal %d (%s)",
			first.interrupted, strsignal(first.interrupted));
	} else if (first.late || (!first.failed && first.wall_s > budget_s)) {
		error_add(e, STATUS_FAILED, NOWHERE, "'%s' took %s%.3g s, and the budget is %.3g s",
			t->app.name, first.late ? "more than " : "", first.wall_s, budget_s);
		error_hint(e, "give it a smaller input, or --budget more");
	} else if (first.failed) {
		error_add(e, STATUS_FAILED, NOWHERE, "'%s' cannot be tried: %s", t->app.name,
			first.failed);
		if (first.no_format)
			error_hint(e, "a script begins with a line such as #!/bin/sh; or -- sh %s",
				t->app.path);
		if (first.no_figure)
			error_hint(e, "--figure reads the standard output; for errors, too: -- sh "
				      "-c 'exec PROGRAM ARG... 2>&1'");
	}
	int failed = first.failed || first.interrupted || first.wall_s > budget_s;

	if (!failed)
		warn_of_first(t, &first, e);
	if (!failed)
		failed = find_direction(t, e);
	free(first.failed);
	return failed ? -1 : check_input(t->app.name, e);
}

double try_spent_s(uint64_t begin_ns)
{
	return (double)(clock_ns() - begin_ns) * 1e-9;
}

double try_patience_s(const struct try *t)
{
	return PATIENCE * t->first_s + 1;
}

/* A run that began in the budget may end behind it by the time of the first run, and is ended then:
 * the race is over without its round. A figure may be good although its run takes long. */
static int run_once(struct try *t, size_t i, struct trial *run, uint64_t begin_ns, struct errors *e)
{
	const double budget_s = (double)t->options->budget_ns * 1e-9;
	const double left_s = fmax(budget_s - try_spent_s(begin_ns), 0) + t->first_s;
	const double most_s = t->measure.figure ? INFINITY : try_patience_s(t);

	t->measure.limit_s = fmin(left_s, most_s);
	try_tell(t, t->candidates.list[i].name, try_spent_s(begin_ns));
	int failed = trial_run(run, &t->candidates.list[i], try_app(t, i), &t->measure, e);

	if (failed || !run->late || left_s > most_s)
		return failed;
	t->end = TRY_BUDGET;
	error_warn(e, "'%s' was ended after %.3g s, because the budget was over",
		t->candidates.list[i].name, run->wall_s);
	error_hint(e, "'%s' took %.3g s in its first run", t->app.name, t->first_s);
	return 0;
}

/* A failure may be the program's own: a candidate is withdrawn when it fails twice in a row. */
static int run_candidate(
	struct try *t, size_t i, struct trial *run, uint64_t begin_ns, struct errors *e)
{
	int failed = run_once(t, i, run, begin_ns, e);

	if (failed || run->interrupted || !run->failed || t->end == TRY_BUDGET)
		return failed;
	free(run->failed);
	failed = run_once(t, i, run, begin_ns, e);
	t->repeated += !failed && !run->interrupted && !run->failed;
	return failed;
}

/* A candidate that fails is out of the race. -1: it is the program as it is, which worked before,
 * so that failures say nothing of candidates. */
static int withdraw(struct try *t, size_t i, char *why, struct errors *e)
{
	race_withdraw(&t->race, i);
	t->failed[i] = why;
	if (i)
		return 0;
	t->end = TRY_FAILED;
	error_add(e, STATUS_FAILED, NOWHERE,
		"'%s' as it is worked in its first run, and then failed twice in a row: %s",
		t->app.name, why);
	return error_hint(e, "with failures of its own the candidates cannot be compared");
}

static void warn_of_budget(const struct try *t, struct errors *e)
{
	const double needed_s = 3 * t->first_s * (double)t->candidates.n;

	if (needed_s * 1e9 < (double)t->options->budget_ns)
		return;
	error_warn(e, "three rounds of %zu candidates take about %.3g s, more than the budget",
		t->candidates.n, needed_s);
	error_hint(e,
		"candidates are dropped from round 3 on: a smaller input, fewer --mapping or "
		"--threads, or --budget %.0fs",
		ceil(4 * needed_s));
}

static bool is_over(struct try *t, uint64_t begin_ns)
{
	t->spent_s = try_spent_s(begin_ns);
	if (t->spent_s + t->first_s < (double)t->options->budget_ns * 1e-9)
		return false;
	t->end = TRY_BUDGET;
	return true;
}

/* 0: the round is complete; 1: the race ends without it; -1 with messages. */
static int run_round(struct try *t, uint64_t *random, uint64_t begin_ns, struct errors *e)
{
	size_t *order = alloc_zeroed(t->candidates.n, sizeof(*order));
	size_t n = race_order(&t->race, random, order);
	int failed = 0;

	for (size_t k = 0; k < n && !failed; k++) {
		struct trial run = {0};

		if (is_over(t, begin_ns))
			failed = 1;
		else
			failed = run_candidate(t, order[k], &run, begin_ns, e);
		if (!failed && run.interrupted) {
			t->end = TRY_INTERRUPTED;
			t->status = 128 + run.interrupted;
			failed = 1;
		} else if (!failed && t->end == TRY_BUDGET) {
			failed = 1;
		} else if (!failed && run.failed) {
			failed = withdraw(t, order[k], run.failed, e);
			run.failed = NULL;
		} else if (!failed) {
			race_value(&t->race, order[k], run.value);
		}
		free(run.failed);
	}
	free(order);
	return failed;
}

static int run_race(struct try *t, uint64_t begin_ns, struct errors *e)
{
	int failed = 0;

	t->seed = t->options->seed ? t->options->seed : random_seed();
	uint64_t random = t->seed;

	while (!failed && t->state == RACE_RUNS) {
		failed = run_round(t, &random, begin_ns, e);
		if (!failed)
			t->state = race_close(&t->race);
	}
	t->spent_s = try_spent_s(begin_ns);
	return failed < 0 ? -1 : 0;
}

static int write_text(const void *arg, FILE *out)
{
	try_report(arg, out);
	return 0;
}

static int write_json(const void *arg, FILE *out)
{
	return try_json(arg, out);
}

static bool any_policy(const struct try *t)
{
	bool any = false;

	for (size_t i = 0; i < t->candidates.n; i++)
		any |= t->candidates.list[i].policy != MPOL_DEFAULT;
	return any;
}

static void warn_of_failures(const struct try *t, struct errors *e)
{
	for (size_t i = 1; i < t->candidates.n; i++)
		if (t->failed[i] && !t->other.path)
			error_warn(e, "dropped '%s': %s", t->candidates.list[i].name, t->failed[i]);
	if (!t->repeated)
		return;
	error_warn(e, "'%s' failed in %zu run%s, and worked when it was run again", t->app.name,
		t->repeated, text_s(t->repeated));
	error_hint(e, "a candidate is dropped when it fails twice in a row; the time of the runs "
		      "that failed does not count");
}

/* Of two programs: is the second one no slower? */
static int judge_other(const struct try *t, struct errors *e)
{
	const struct candidate *one = &t->candidates.list[0], *other = &t->candidates.list[1];

	if (t->failed[1])
		return error_add(e, STATUS_FAILED, NOWHERE, "'%s' cannot be compared with '%s': %s",
			other->name, one->name, t->failed[1]);
	if (try_faster(t).high < 1 / (1 + t->race.tolerance))
		return error_add(e, STATUS_FAILED, NOWHERE,
			"'%s' is slower than '%s' by more than %.3g %%", other->name, one->name,
			t->race.tolerance * 100);
	return 0;
}

static int measure_candidates(struct try *t, struct errors *e)
{
	uint64_t begin_ns = clock_ns();

	if (!t->topo->this_system)
		return error_add(e, STATUS_PLACEMENT, NOWHERE,
			"cannot run programs on a topology that is not this machine: %s",
			t->topo->source);
	if (map_outputs_check(t->options, e) || check_input(t->app.name, e))
		return -1;
	try_tell(t, "as it is, before the race", 0);
	int failed = run_first(t, e);

	try_tell(t, "", 0);
	if (failed)
		return -1;
	warn_of_budget(t, e);
	race_begin(&t->race, t->candidates.n, t->options->tolerance, TRY_ERRORS);
	t->failed = alloc_zeroed(t->candidates.n, sizeof(*t->failed));
	t->places = alloc_zeroed(t->candidates.n, sizeof(*t->places));
	failed = run_race(t, begin_ns, e);
	if (!failed && t->race.rounds)
		failed = try_prove(t, begin_ns, e);
	try_tell(t, "", 0);

	if (t->end == TRY_INTERRUPTED)
		error_add(e, STATUS_FAILED, NOWHERE, "interrupted by signal %d (%s)",
			t->status - 128, strsignal(t->status - 128));
	warn_of_failures(t, e);
	if (!t->race.rounds)
		return failed ? -1 : error_add(e, STATUS_FAILED, NOWHERE, "no round is complete");
	failed |= map_outputs_write(t->options, write_json, write_text, t, e);
	return failed || !t->other.path ? failed : judge_other(t, e);
}

static void free_all(struct try *t)
{
	for (size_t i = 0; t->failed && i < t->candidates.n; i++)
		free(t->failed[i]);
	free(t->failed);
	for (size_t i = 0; t->places && i < t->candidates.n; i++) {
		free(t->places[i].text);
		free(t->places[i].fault);
	}
	free(t->places);
	race_free(&t->race);
	candidates_free(&t->candidates);
	if (t->measure.figure)
		figure_free(&t->figure);
	map_app_free(&t->app);
	map_app_free(&t->other);
}

/* What races: placements of a program, or two programs as they are. */
static int find_candidates(struct try *t, const struct map_options *o, struct errors *e)
{
	int failed = find_executable(&t->app, o->programs[0], e);

	if (o->versus)
		failed |= find_executable(&t->other, o->programs[1], e);
	if (failed)
		return -1;
	if (o->versus) {
		candidates_of(
			&t->candidates, (const struct map_app *const[]){&t->app, &t->other}, 2);
		return 0;
	}
	if (candidates_make(&t->candidates, o, &t->app, t->topo, e))
		return -1;
	if (o->action == MAP_PLAN || t->candidates.n > 1)
		return 0;
	error_add(e, STATUS_PLACEMENT, NOWHERE,
		"--try: on this machine nothing differs from the program as it is");
	return error_hint(e, "--mapping compact,scatter or --threads N,M; --plan shows what is "
			     "left out, and why");
}

int try_program(const struct map_options *o, const struct topo *topo, int *status, struct errors *e)
{
	struct try t = {.options = o, .topo = topo, .warnings = e};
	int failed = 0;

	t.measure.larger = o->larger;
	if (o->figure && figure_compile(&t.figure, o->figure, e))
		failed = -1;
	else if (o->figure)
		t.measure.figure = &t.figure;
	failed |= find_candidates(&t, o, e);
	if (!failed && any_policy(&t))
		tools_warn(e);
	if (!failed && o->action == MAP_PLAN)
		try_report_plan(&t, stdout);
	else if (!failed)
		failed = measure_candidates(&t, e);
	*status = t.status;
	free_all(&t);
	return failed;
}
