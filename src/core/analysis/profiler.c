/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the runs that judge another one, and compares gain and cost. */
#include "analysis/profiler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/derive.h"
#include "analysis/huge_gain.h"
#include "analysis/overheads.h"
#include "base/alloc.h"

/* The run that differs in nothing but the profiler; -1: there is none. */
static long unprofiled(const struct experiment *x, size_t run)
{
	const char *name = placement_names[PLACEMENT_RHP_FRAG_PROFILER],
		   *plain = placement_names[PLACEMENT_RHP_FRAG];
	struct words words = {0};

	for (size_t v = 0; v < x->sweep.nvariables; v++)
		if (!strcmp(sweep_value(&x->sweep, run, v), name)) {
			char *word = alloc_format("%s=%s", x->sweep.variables[v].name, plain);

			words_add(&words, word, strlen(word));
			free(word);
		}
	long found = derive_named_index(x, &words, run);
	words_free(&words);
	return found;
}

static int refuse_run(
	const struct experiment *x, size_t run, const char *why, const char *hint, struct errors *e)
{
	error_add(e, STATUS_USAGE, x->runs[run].request.node_per_vector.at, "rhp_frag_profiler %s",
		why);
	return error_hint(e, "%s", hint);
}

/* The file may be right, and the machine lack what a run before this one needs. */
static const char *why_skipped(const struct experiment *x, size_t run)
{
	for (size_t i = 0; i < run; i++)
		if (x->runs[i].skipped)
			return errors_failure(&x->runs[i].errors);
	return NULL;
}

static int refuse_alone(
	const struct experiment *x, size_t run, const char *skipped, struct errors *e)
{
	error_add(e, STATUS_PLACEMENT, x->runs[run].request.node_per_vector.at,
		"rhp_frag_profiler is judged by runs before it, which this machine cannot do");
	return error_hint(e, "one of them: %s", skipped);
}

/* Are there all runs that judge this one, before it? */
static bool is_judged(const struct experiment *x, size_t run)
{
	const long base = derive_baseline_index(x, run),
		   small = derive_named_index(x, &x->file.small_pages, run),
		   by = unprofiled(x, run), before = (long)run;

	return huge_gain_asked(x) && base >= 0 && base < before && small >= 0 && small < before &&
	       by >= 0 && by < before;
}

static int check_profiled_run(const struct experiment *x, size_t run, struct errors *e)
{
	if (x->runs[run].request.interleave)
		return refuse_run(x, run,
			"is judged by runs before it, and interleave: yes has none",
			"leave interleave out", e);
	if (x->runs[run].plan.nops != 1)
		return refuse_run(x, run, "is judged for one kernel, and moves pages for all",
			"sweep: program = hotcold triad, with kernels: $program", e);
	/* a trial may have left out the values of these: it then skips the run */
	const char *skipped = why_skipped(x, run);

	if (is_judged(x, run) || x->runs[run].request.quick)
		return 0;
	if (skipped)
		return refuse_alone(x, run, skipped, e);
	return refuse_run(x, run,
		"is judged by runs before it: of baseline, of smallPages with values of "
		"the same variables, and the same with rhp_frag",
		"sweep: placement = local_2m local_4k rhp_frag rhp_frag_profiler, "
		"baseline: placement=local_2m, smallPages: placement=local_4k",
		e);
}

int profiler_check(const struct experiment *x, struct errors *e)
{
	for (size_t i = 0; i < x->nruns; i++)
		if (!x->runs[i].skipped && plan_profiled(&x->runs[i].plan) &&
			check_profiled_run(x, i, e))
			return -1;
	return 0;
}

/* By which part a run takes longer than the baseline, in percent. */
static struct amount longer(const struct experiment *x, size_t run, int who)
{
	double base_s;
	const struct amount times = amount_inverse(derive_gain(x, run, 0, who, &base_s));

	return (struct amount){
		100 * (times.value - 1), 100 * (times.low - 1), 100 * (times.high - 1)};
}

static struct judgement judgement_by(const struct experiment *x, size_t by, int who)
{
	struct judgement j = {.gain = huge_gain_of(x, by, 0, who),
		.cost = overheads_stalls(x, by, 0, who),
		.by = by};

	j.of_stalls = !isnan(j.cost.value);
	if (!j.of_stalls)
		j.cost = longer(x, by, who);
	j.moves_back = j.cost.value > j.gain.value;
	return j;
}

/* Why the verdict may be chance; NULL: it is none. */
static const char *chance(const struct judgement *j)
{
	if (j->gain.low <= j->cost.high && j->cost.low <= j->gain.high)
		return "is no farther apart than their intervals";
	if (!isfinite(j->gain.high - j->gain.low) || !isfinite(j->cost.high - j->cost.low))
		return "lacks an interval";
	return NULL;
}

static int refuse_unknown(const struct experiment *x, size_t run, struct errors *e)
{
	error_add(e, STATUS_PLACEMENT, x->runs[run].request.node_per_vector.at,
		"rhp_frag_profiler cannot be judged: a run of baseline, smallPages or rhp_frag "
		"was not measured, or the kernel does not show its pages");
	return error_hint(e, "the messages above say what became of these runs");
}

int profiler_judge(const struct experiment *x, size_t run, struct judgement *j, struct errors *e)
{
	const long by = unprofiled(x, run);
	const char *why;

	if (by < 0 || !x->runs[by].samples.ops)
		return refuse_unknown(x, run, e);
	*j = judgement_by(x, (size_t)by, x->runs[run].plan.nthreads == 1 ? 0 : ALL_THREADS);
	if (isnan(j->gain.value) || isnan(j->cost.value))
		return refuse_unknown(x, run, e);
	why = chance(j);
	if (why && !x->runs[run].prepared.made) {
		error_warn(e,
			"run %s: what far huge pages gain and cost %s: that they are %s may be "
			"chance",
			x->runs[run].label, why, j->moves_back ? "moved back" : "kept");
		error_hint(e, "more samples and placements, and a quiet machine");
	}
	return 0;
}
