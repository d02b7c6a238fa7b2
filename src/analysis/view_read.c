/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads `table` and `plot`. */
#include "analysis/view.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/crossings.h"
#include "analysis/huge_gain.h"
#include "analysis/kernel_figures.h"
#include "analysis/overheads.h"
#include "base/alloc.h"
#include "counters/counting.h"
#include "base/text.h"
#include "input/synonyms.h"

static const char *kind_of(const struct view *v)
{
	return v->key;
}

static int find_axis(const struct view *v, const char *name, const struct experiment *x, int *axis,
	struct errors *e)
{
	static const struct {
		const char *name;
		int axis;
	} fixed[] = {{"thread", AXIS_THREAD}, {AXIS_OPERATION_NAME, AXIS_OPERATION},
		{"time", AXIS_TIME}, {"kernel", AXIS_OPERATION}};
	const char *names[64] = {"thread", AXIS_OPERATION_NAME, "time"};
	size_t count = 3;

	*axis = sweep_find(&x->sweep, name);
	if (*axis >= 0)
		return 0;
	for (size_t i = 0; i < sizeof(fixed) / sizeof(*fixed); i++)
		if (!strcmp(name, fixed[i].name)) {
			*axis = fixed[i].axis;
			return 0;
		}
	for (size_t i = 0; i < x->sweep.nvariables && count < 64; i++)
		names[count++] = x->sweep.variables[i].name;
	const char *nearest = text_nearest(name, names, count);
	error_unknown(e, STATUS_USAGE, v->at, nearest, "%s: '%s' is not a variable of a sweep",
		kind_of(v), name);
	return error_hint(e, "an axis is a variable of sweep, thread or operation");
}

int view_read_thread(struct view *v, const char *number, struct errors *e)
{
	uint64_t thread;

	if (text_count(number, &thread) || thread > INT_MAX)
		return error_add(e, STATUS_USAGE, v->at, "%s: '%s' is not the number of a thread",
			kind_of(v), number);
	v->thread = (int)thread;
	return 0;
}

static int find_quantity(const char *name)
{
	for (int q = 0; q < QUANTITIES; q++)
		if (!strcmp(name, quantity_names[q]))
			return q;
	/* the name in older argument files */
	return strcmp(name, "ns_per_op") ? -1 : QUANTITY_NS_PER_UNIT;
}

/* "against=bandwidth": the points of a curve are placed at what was measured there, not at the
 * values of x. */
static int read_against(struct view *v, const char *word, struct errors *e)
{
	v->against = find_quantity(word + 8);
	if (v->against < 0)
		return error_add(
			e, STATUS_USAGE, v->at, "%s: unknown quantity '%s'", kind_of(v), word + 8);
	if (!v->plot) {
		error_add(e, STATUS_USAGE, v->at, "table: '%s' is for plots", word);
		return error_hint(e, "leave it out, or write plot: in place of table:");
	}
	return 0;
}

const char *const mean_names[] = {
	[MEAN_NONE] = "", [MEAN_GEOMETRIC] = "geometric", [MEAN_SCENARIOS] = "scenarios"};

static int read_mean(struct view *v, const char *word, struct errors *e)
{
	for (enum mean mean = MEAN_GEOMETRIC; mean <= MEAN_SCENARIOS; mean++)
		if (!strcmp(word + 5, mean_names[mean])) {
			v->mean = mean;
			return 0;
		}
	return error_add(e, STATUS_USAGE, v->at,
		"%s: unknown mean '%s'; there are geometric and scenarios", kind_of(v), word + 5);
}

/* "along=queries" */
static int read_along(
	struct view *v, const char *word, const struct experiment *x, struct errors *e)
{
	if (find_axis(v, word + 6, x, &v->along, e))
		return -1;
	if (v->along >= 0)
		return 0;
	error_add(e, STATUS_USAGE, v->at, "%s: along=%s is no variable of a sweep", kind_of(v),
		word + 6);
	return error_hint(e, "costs cross along the numbers of a sweep");
}

/* "rows=v", "x=d", "thread=0": what a word after the quantity sets. */
static int read_option(
	struct view *v, const char *word, const struct experiment *x, struct errors *e)
{
	static const struct {
		const char *prefix;
		bool rows, heat;
	} kinds[] = {{"rows=", true, true}, {"cols=", false, true}, {"x=", true, false},
		{"by=", false, false}};

	if (!strncmp(word, "thread=", 7))
		return view_read_thread(v, word + 7, e);
	if (!strncmp(word, "against=", 8))
		return read_against(v, word, e);
	if (!strncmp(word, "mean=", 5))
		return read_mean(v, word, e);
	if (!strncmp(word, "along=", 6))
		return read_along(v, word, x, e);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		size_t length = strlen(kinds[i].prefix);

		if (strncmp(word, kinds[i].prefix, length))
			continue;
		v->heat |= v->plot && kinds[i].heat;
		return find_axis(v, word + length, x, kinds[i].rows ? &v->rows : &v->cols, e);
	}
	error_add(e, STATUS_USAGE, v->at, "%s: '%s' is not understood", kind_of(v), word);
	return error_hint(e,
		"table: cost rows=v cols=t; plot: cost x=d by=thread, or rows= and cols= for a "
		"heat map; thread=0, mean=geometric, mean=scenarios; table: crossing along=u "
		"rows=v");
}

/* Each rate has its time: a table would have a row for each sample, and other figures are of all of
 * them. */
static int check_clock_rate(const struct view *v, const struct experiment *x, struct errors *e)
{
	bool trace = v->plot && !v->heat && v->quantity == QUANTITY_CLOCK_RATE &&
		     v->cols == AXIS_THREAD && v->against < 0 && !v->mean;

	if ((v->rows == AXIS_TIME && !trace) || v->cols == AXIS_TIME) {
		error_add(e, STATUS_USAGE, v->at,
			"%s: time is an axis of clock rates by thread only", kind_of(v));
		return error_hint(e, "plot: clock_rate x=time by=thread");
	}
	if (v->quantity == QUANTITY_CLOCK_RATE && !experiment_request(x)->clock_rate) {
		error_add(e, STATUS_USAGE, v->at,
			"a table, plot or claim of clock_rate needs clockRate: yes");
		return error_hint(e, "leave out clockRate: no");
	}
	return 0;
}

int view_check_quantity(const struct view *v, const struct experiment *x, struct errors *e)
{
	const struct request *q = experiment_request(x);

	if ((v->quantity == QUANTITY_SPEEDUP || v->quantity == QUANTITY_HYPOTHETICAL ||
		    v->quantity == QUANTITY_EXTRA) &&
		!x->file.baseline.count) {
		error_add(e, STATUS_USAGE, v->at, "a table, plot or claim of %s needs a baseline",
			quantity_names[v->quantity]);
		return error_hint(e, "baseline: d=0 names the run that speedups refer to");
	}
	if ((v->quantity == QUANTITY_OVERHEAD || v->quantity == QUANTITY_SLOWDOWN) && !q->solo) {
		error_add(e, STATUS_USAGE, v->at,
			"a table, plot or claim of %s needs runs of each thread alone",
			quantity_names[v->quantity]);
		return error_hint(e, "solo: yes adds them");
	}
	if (v->mean == MEAN_SCENARIOS &&
		(v->quantity != QUANTITY_SLOWDOWN || v->rows < 0 || v->cols < 0)) {
		error_add(e, STATUS_USAGE, v->at,
			"%s: mean=scenarios is of slowdowns by two variables, the kernels of a "
			"pair",
			kind_of(v));
		return error_hint(e, "slowdown rows=a cols=b thread=0 mean=scenarios");
	}
	if (check_clock_rate(v, x, e) || overheads_check(v, x, e) || huge_gain_check(v, x, e))
		return -1;
	return crossings_check(v, x, e);
}

static const struct counted_metric *find_counter(const struct experiment *x, const char *name)
{
	for (size_t i = 0; x->counting && i < x->counting->nmetrics; i++)
		if (!strcmp(x->counting->metrics[i].name, name))
			return &x->counting->metrics[i];
	return NULL;
}

/* Of any kernel that runs. */
static const struct kernel_figure *find_figure(const struct experiment *x, const char *name)
{
	const struct kernel_figure *found = NULL;
	struct kernel_figures all;

	kernel_figures_of_all(&all, x);
	for (size_t i = 0; i < all.count && !found; i++)
		found = strcmp(all.list[i]->name, name) ? NULL : all.list[i];
	kernel_figures_free(&all);
	return found;
}

static void add_figures(struct words *names, const struct experiment *x)
{
	struct kernel_figures all;

	kernel_figures_of_all(&all, x);
	for (size_t i = 0; i < all.count; i++)
		words_add(names, all.list[i]->name, strlen(all.list[i]->name));
	kernel_figures_free(&all);
}

static int unknown_quantity(
	const struct view *v, const char *word, const struct experiment *x, struct errors *e)
{
	struct words names = {0};

	for (int q = 0; q < QUANTITIES; q++)
		words_add(&names, quantity_names[q], strlen(quantity_names[q]));
	for (size_t i = 0; x->counting && i < x->counting->nmetrics; i++)
		words_add(
			&names, x->counting->metrics[i].name, strlen(x->counting->metrics[i].name));
	add_figures(&names, x);
	const char *nearest = synonym_nearest(
		quantity_synonyms, word, (const char *const *)names.word, names.count);
	error_unknown(
		e, STATUS_USAGE, v->at, nearest, "%s: unknown quantity '%s'", kind_of(v), word);
	words_free(&names);
	return error_hint(e,
		"cost, busy, ns_per_unit, rate, bandwidth, speedup, overhead, "
		"slowdown, traffic, hypothetical, clock_rate, break_even, "
		"break_even_time, extra, numa_overhead, stall_cost, huge_gain, whole_time, "
		"crossing, crossing_time, reach_1, reach_2, walk, best_share, advised_share, "
		"kernel_share, or what "
		"counters: counts, or a kernel's own figure (affinity --help KERNEL)");
}

int view_read_quantity(
	struct view *v, const char *word, const struct experiment *x, struct errors *e)
{
	int quantity = find_quantity(word);

	v->counter = quantity < 0 ? find_counter(x, word) : NULL;
	v->figure = quantity < 0 && !v->counter ? find_figure(x, word) : NULL;
	v->quantity = v->counter ? QUANTITY_COUNTER : v->figure ? QUANTITY_FIGURE : QUANTITY_COST;
	if (quantity >= 0)
		v->quantity = (enum quantity)quantity;
	return quantity >= 0 || v->counter || v->figure ? 0 : unknown_quantity(v, word, x, e);
}

static int read_view(struct view *v, const char *text, const struct experiment *x, struct errors *e)
{
	struct words words = {0};

	words_split(&words, text, " \t");
	int failed = view_read_quantity(v, words.count ? words.word[0] : "", x, e);
	for (size_t i = 1; i < words.count; i++)
		failed |= read_option(v, words.word[i], x, e);
	if (!failed && v->rows == AXIS_NONE) {
		error_add(e, STATUS_USAGE, v->at, "%s: '%s' has no axis", kind_of(v), text);
		failed = error_hint(e, "%s",
			crossings_follow(v->quantity)
				? crossings_example(v->quantity)
				: "table: cost rows=v cols=t, plot: cost x=d by=thread");
	}
	if (!failed && v->rows == v->cols) {
		error_add(e, STATUS_USAGE, v->at, "both axes of '%s' are the same", text);
		failed = error_hint(e, "name two of: a variable of sweep, thread, kernel");
	}
	if (!failed && v->thread >= 0 && (v->rows == AXIS_THREAD || v->cols == AXIS_THREAD))
		failed = error_add(e, STATUS_USAGE, v->at,
			"%s: thread= names one thread, and an axis shows all of them", kind_of(v));
	if (!failed && (v->heat || v->mean) && v->against >= 0)
		failed = error_add(e, STATUS_USAGE, v->at,
			"plot: against= goes with x=, not with rows= or mean=");
	words_free(&words);
	return failed ? failed : view_check_quantity(v, x, e);
}

struct view view_begin(const struct line *line)
{
	return (struct view){.key = line->key,
		.rows = AXIS_NONE,
		.cols = AXIS_NONE,
		.plot = !strcmp(line->key, "plot"),
		.thread = ALL_THREADS,
		.against = -1,
		.along = AXIS_NONE,
		.at = line->at};
}

int views_read(struct views *v, const struct experiment *x, struct errors *e)
{
	size_t before = e->failures;

	*v = (struct views){0};
	for (size_t i = 0; i < x->file.views.count; i++) {
		const struct line *line = &x->file.views.list[i];
		struct view view = view_begin(line);

		if (read_view(&view, line->text, x, e))
			continue;
		v->list = alloc_grow(v->list, v->count, sizeof(*v->list));
		v->list[v->count++] = view;
	}
	return e->failures == before ? 0 : -1;
}

void views_free(struct views *v)
{
	free(v->list);
	*v = (struct views){0};
}
