/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads `table` and `plot`. */
#include "analysis/view.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/crossings.h"
#include "analysis/kernel_figures.h"
#include "analysis/needs.h"
#include "base/alloc.h"
#include "counters/counting.h"
#include "base/text.h"
#include "input/synonyms.h"

#define FIXED_AXES 3

/* The axes that no sweep makes; returns their number. */
static size_t fixed_axes(const struct experiment *x, const char *names[FIXED_AXES])
{
	size_t n = 0;

	for (int axis = AXIS_THREAD; axis >= AXIS_TIME; axis--)
		names[n++] = axis_name(x, axis);
	return n;
}

static int hint_axes(const struct experiment *x, struct errors *e)
{
	const char *names[FIXED_AXES];

	fixed_axes(x, names);
	return error_hint(
		e, "an axis is a variable of sweep, %s, %s or %s", names[0], names[1], names[2]);
}

static int find_axis(const struct view *v, const char *name, const struct experiment *x, int *axis,
	struct errors *e)
{
	const char *names[64];
	size_t count = fixed_axes(x, names);

	*axis = sweep_find(&x->sweep, name);
	if (*axis >= 0)
		return 0;
	if (!strcmp(name, "kernel")) /* its old name */
		name = axis_name(x, AXIS_OPERATION);
	for (*axis = AXIS_THREAD; *axis >= AXIS_TIME; --*axis)
		if (!strcmp(name, axis_name(x, *axis)))
			return 0;
	for (size_t i = 0; i < x->sweep.nvariables && count < 64; i++)
		names[count++] = x->sweep.variables[i].name;
	const char *nearest = text_nearest(name, names, count);
	error_unknown(e, STATUS_USAGE, v->at, nearest, "%s: '%s' is not a variable of a sweep",
		v->key, name);
	return hint_axes(x, e);
}

int view_read_thread(struct view *v, const char *number, struct errors *e)
{
	uint64_t thread;

	if (text_count(number, &thread) || thread > INT_MAX)
		return error_add(e, STATUS_USAGE, v->at, "%s: '%s' is not the number of a thread",
			v->key, number);
	v->thread = (int)thread;
	return 0;
}

/* "against=bandwidth": the points of a curve are placed at what was measured there, not at the
 * values of x. */
static int read_against(struct view *v, const char *word, struct errors *e)
{
	v->against = quantity_find(word + 8);
	if (v->against < 0)
		return error_add(
			e, STATUS_USAGE, v->at, "%s: unknown quantity '%s'", v->key, word + 8);
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
		"%s: unknown mean '%s'; there are geometric and scenarios", v->key, word + 5);
}

/* "along=queries" */
static int read_along(
	struct view *v, const char *word, const struct experiment *x, struct errors *e)
{
	if (find_axis(v, word + 6, x, &v->along, e))
		return -1;
	if (v->along >= 0)
		return 0;
	error_add(
		e, STATUS_USAGE, v->at, "%s: along=%s is no variable of a sweep", v->key, word + 6);
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
	error_add(e, STATUS_USAGE, v->at, "%s: '%s' is not understood", v->key, word);
	return error_hint(e,
		"table: cost rows=v cols=t; plot: cost x=d by=thread, or rows= and cols= for a "
		"heat map; thread=0, mean=geometric, mean=scenarios; table: crossing along=u "
		"rows=v");
}

/* Each rate has its time: a table would have a row for each sample, and other figures are of all of
 * them. */
static int check_time(const struct view *v, struct errors *e)
{
	bool trace = v->plot && !v->heat && v->against < 0 && !v->mean &&
		     (v->quantity == QUANTITY_SHARE_ABOVE ||
			     (v->quantity == QUANTITY_CLOCK_RATE && v->cols == AXIS_THREAD));

	if ((v->rows != AXIS_TIME || trace) && v->cols != AXIS_TIME)
		return 0;
	error_add(e, STATUS_USAGE, v->at,
		"%s: time is an axis of clock rates by thread and of share_above only", v->key);
	return error_hint(
		e, "plot: clock_rate x=time by=thread; plot: share_above x=time thread=0");
}

static int check_scenarios(const struct view *v, struct errors *e)
{
	if (v->mean != MEAN_SCENARIOS ||
		(v->quantity == QUANTITY_SLOWDOWN && v->rows >= 0 && v->cols >= 0))
		return 0;
	error_add(e, STATUS_USAGE, v->at,
		"%s: mean=scenarios is of slowdowns by two variables, the kernels of a pair",
		v->key);
	return error_hint(e, "slowdown rows=a cols=b thread=0 mean=scenarios");
}

int view_check_quantity(const struct view *v, const struct experiment *x, struct errors *e)
{
	return needs_check(v, x, e) || check_scenarios(v, e) || check_time(v, e) ||
			       crossings_check(v, x, e)
		       ? -1
		       : 0;
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

/* The known name that is meant by a word, or near to it; NULL: none is. */
static const char *nearest_quantity(const char *word, const struct words *names)
{
	struct synonym *synonyms = NULL;
	size_t n = 0;

	for (enum quantity q = 0; q < QUANTITIES; q++)
		for (const char *const *s = quantities[q].synonyms; *s; s++) {
			synonyms = alloc_grow(synonyms, n, sizeof(*synonyms));
			synonyms[n++] = (struct synonym){*s, quantities[q].name};
		}
	synonyms = alloc_grow(synonyms, n, sizeof(*synonyms));
	synonyms[n] = (struct synonym){NULL, NULL};
	const char *nearest =
		synonym_nearest(synonyms, word, (const char *const *)names->word, names->count);

	free(synonyms);
	return nearest;
}

int view_hint_quantities(
	const char *before, bool (*has)(const struct quantity_row *row), struct errors *e)
{
	char *all = quantity_list(has);

	error_hint(e,
		"%s%s, or what counters: counts, or a kernel's own figure (affinity --help KERNEL)",
		before, all);
	free(all);
	return -1;
}

static int unknown_quantity(
	const struct view *v, const char *word, const struct experiment *x, struct errors *e)
{
	struct words names = {0};

	for (enum quantity q = 0; q < QUANTITIES; q++)
		words_add(&names, quantities[q].name, strlen(quantities[q].name));
	for (size_t i = 0; x->counting && i < x->counting->nmetrics; i++)
		words_add(
			&names, x->counting->metrics[i].name, strlen(x->counting->metrics[i].name));
	add_figures(&names, x);
	error_unknown(e, STATUS_USAGE, v->at, nearest_quantity(word, &names),
		"%s: unknown quantity '%s'", v->key, word);
	words_free(&names);
	return view_hint_quantities("", NULL, e);
}

int view_read_quantity(
	struct view *v, const char *word, const struct experiment *x, struct errors *e)
{
	int quantity = quantity_find(word);

	v->counter = quantity < 0 ? counting_find(x->counting, word) : NULL;
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
		error_add(e, STATUS_USAGE, v->at, "%s: '%s' has no axis", v->key, text);
		const struct quantity_row *q = &quantities[v->quantity];

		failed = q->along ? error_hint(e, "table: %s %s", q->name, q->example)
				  : error_hint(e,
					    "table: cost rows=v cols=t, plot: cost x=d by=thread");
	}
	if (!failed && v->rows == v->cols) {
		error_add(e, STATUS_USAGE, v->at, "both axes of '%s' are the same", text);
		failed = hint_axes(x, e);
	}
	if (!failed && v->thread >= 0 && (v->rows == AXIS_THREAD || v->cols == AXIS_THREAD))
		failed = error_add(e, STATUS_USAGE, v->at,
			"%s: thread= names one thread, and an axis shows all of them", v->key);
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
