/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads `table` and `plot`, and gathers their matrices from the runs. */
#include "view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "text.h"

static int find_axis(const struct view *v, const char *name, const struct experiment *x, int *axis,
	struct errors *e)
{
	const char *names[64] = {"thread", "kernel"};
	size_t count = 2;

	*axis = sweep_find(&x->sweep, name);
	if (*axis >= 0)
		return 0;
	*axis = !strcmp(name, "thread") ? AXIS_THREAD : AXIS_KERNEL;
	if (!strcmp(name, "thread") || !strcmp(name, "kernel"))
		return 0;
	for (size_t i = 0; i < x->sweep.nvariables && count < 64; i++)
		names[count++] = x->sweep.variables[i].name;
	const char *nearest = text_nearest(name, names, count);
	error_add(e, STATUS_USAGE, v->at, "%s: '%s' is no variable of a sweep%s%s%s",
		v->plot ? "plot" : "table", name, nearest ? "; did you mean '" : "",
		nearest ? nearest : "", nearest ? "'?" : "");
	return error_hint(e, "an axis is a variable of sweep, thread or kernel");
}

/* "rows=v", "x=d": which axis a word sets. */
static int read_axis(struct view *v, const char *word, const struct experiment *x, struct errors *e)
{
	static const struct {
		const char *prefix;
		bool rows, heat;
	} kinds[] = {{"rows=", true, true}, {"cols=", false, true}, {"x=", true, false},
		{"by=", false, false}};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		size_t length = strlen(kinds[i].prefix);

		if (strncmp(word, kinds[i].prefix, length))
			continue;
		v->heat |= v->plot && kinds[i].heat;
		return find_axis(v, word + length, x, kinds[i].rows ? &v->rows : &v->cols, e);
	}
	error_add(e, STATUS_USAGE, v->at, "%s: '%s' is not understood", v->plot ? "plot" : "table",
		word);
	return error_hint(e,
		"table: cost rows=v cols=t; plot: cost x=d by=thread, or rows= and cols= for a "
		"heat map");
}

static int check_quantity(const struct view *v, const struct experiment *x, struct errors *e)
{
	const struct request *q = experiment_request(x);
	const char *name = quantity_names[v->quantity];

	if (v->quantity == QUANTITY_SPEEDUP && !q->baseline.count) {
		error_add(e, STATUS_USAGE, v->at, "a table or plot of speedup needs a baseline");
		return error_hint(e, "baseline: d=0 names the run that speedups refer to");
	}
	if ((v->quantity == QUANTITY_OVERHEAD || v->quantity == QUANTITY_SLOWDOWN) && !q->solo) {
		error_add(e, STATUS_USAGE, v->at, "a table or plot of %s needs each thread alone",
			name);
		return error_hint(e, "solo: yes runs them");
	}
	return 0;
}

static int read_view(struct view *v, const char *text, const struct experiment *x, struct errors *e)
{
	struct words words = {0};
	int failed = 0, quantity = -1;

	words_split(&words, text, " \t");
	for (int q = 0; words.count && q < QUANTITIES; q++)
		if (!strcmp(words.word[0], quantity_names[q]))
			quantity = q;
	if (quantity < 0) {
		const char *nearest = text_nearest(words.word[0], quantity_names, QUANTITIES);
		error_add(e, STATUS_USAGE, v->at, "%s: unknown quantity '%s'%s%s%s",
			v->plot ? "plot" : "table", words.word[0],
			nearest ? "; did you mean '" : "", nearest ? nearest : "",
			nearest ? "'?" : "");
		failed = error_hint(
			e, "cost, busy, ns_per_op, rate, bandwidth, speedup, overhead, slowdown");
	}
	v->quantity = quantity < 0 ? QUANTITY_COST : (enum quantity)quantity;
	for (size_t i = 1; i < words.count; i++)
		failed |= read_axis(v, words.word[i], x, e);
	if (!failed && v->rows == AXIS_NONE) {
		error_add(e, STATUS_USAGE, v->at, "%s: '%s' has no axis",
			v->plot ? "plot" : "table", text);
		failed = error_hint(e, "table: cost rows=v cols=t, plot: cost x=d by=thread");
	}
	if (!failed && v->rows == v->cols)
		failed = error_add(e, STATUS_USAGE, v->at, "both axes of '%s' are the same", text);
	words_free(&words);
	return failed ? failed : check_quantity(v, x, e);
}

int views_read(struct views *v, const struct experiment *x, struct errors *e)
{
	size_t before = e->failures;

	*v = (struct views){0};
	for (size_t i = 0; i < x->args->count; i++) {
		const struct entry *entry = &x->args->entries[i];
		struct view view = {QUANTITY_COST, AXIS_NONE, AXIS_NONE,
			!strcmp(entry->key, "plot"), false, entry->at};

		if (!view.plot && strcmp(entry->key, "table"))
			continue;
		if (read_view(&view, entry->value, x, e))
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

/* The first run that can be done: what operations and threads there are. */
static const struct plan *any_plan(const struct experiment *x)
{
	for (size_t i = 0; i < x->ntrials; i++)
		if (!x->trials[i].skipped)
			return &x->trials[i].plan;
	return NULL;
}

/* Most threads of any run: a sweep can change their number. */
static int most_threads(const struct experiment *x)
{
	int most = 0;

	for (size_t i = 0; i < x->ntrials; i++)
		if (!x->trials[i].skipped && x->trials[i].plan.nthreads > most)
			most = x->trials[i].plan.nthreads;
	return most;
}

static size_t axis_length(const struct experiment *x, int axis)
{
	if (axis == AXIS_NONE)
		return 1;
	if (axis == AXIS_THREAD)
		return (size_t)most_threads(x);
	if (axis == AXIS_KERNEL)
		return (size_t)any_plan(x)->nops;
	return x->sweep.variables[axis].values.count;
}

static char *axis_name(const struct experiment *x, int axis)
{
	const char *name = axis == AXIS_NONE     ? ""
			   : axis == AXIS_THREAD ? "thread"
			   : axis == AXIS_KERNEL ? "kernel"
						 : x->sweep.variables[axis].name;
	return alloc_string(name, strlen(name));
}

static char *axis_label(const struct experiment *x, int axis, size_t i)
{
	if (axis == AXIS_NONE)
		return alloc_format("all threads");
	if (axis == AXIS_THREAD)
		return alloc_format("thread %zu", i);
	if (axis == AXIS_KERNEL)
		return alloc_format("%s", any_plan(x)->ops[i].label);
	return alloc_format("%s", x->sweep.variables[axis].values.word[i]);
}

/* A place in the space of all axes: a value of every variable, an operation, a thread. */
struct point {
	size_t *values; /* [nvariables] */
	int op, thread;
};

static void move_along(struct point *p, int axis, size_t i)
{
	if (axis == AXIS_THREAD)
		p->thread = (int)i;
	else if (axis == AXIS_KERNEL)
		p->op = (int)i;
	else if (axis >= 0)
		p->values[axis] = i;
}

/* -1: `where` leaves this combination out. */
static long trial_at(const struct experiment *x, const struct point *p)
{
	for (size_t i = 0; i < x->ntrials; i++) {
		bool same = true;

		for (size_t v = 0; same && v < x->sweep.nvariables; v++)
			same = !strcmp(sweep_value(&x->sweep, i, v),
				x->sweep.variables[v].values.word[p->values[v]]);
		if (same)
			return (long)i;
	}
	return -1;
}

static struct amount amount_at(
	const struct experiment *x, const struct view *v, const struct point *p)
{
	static const struct amount nothing = {NAN, NAN, NAN};
	long trial = trial_at(x, p);

	if (trial < 0 || x->trials[trial].skipped || p->op >= x->trials[trial].plan.nops ||
		p->thread >= x->trials[trial].plan.nthreads)
		return nothing;
	return quantity_of(x, (size_t)trial, p->op, p->thread, v->quantity);
}

/* The operation's name, where it is the same in all runs: opType can depend on the sweep. */
static const char *common_label(const struct experiment *x, int op)
{
	const char *label = any_plan(x)->ops[op].label;

	for (size_t i = 0; i < x->ntrials; i++) {
		const struct plan *p = &x->trials[i].plan;

		if (!x->trials[i].skipped && (op >= p->nops || strcmp(p->ops[op].label, label)))
			return NULL;
	}
	return label;
}

static char *quantity_title(const struct experiment *x, const struct view *v)
{
	const char *unit = quantity_unit(x, v->quantity), *name = quantity_names[v->quantity];

	return *unit ? alloc_format("%s (%s)", name, unit) : alloc_format("%s", name);
}

static char *title_of(const struct experiment *x, const struct view *v, const struct point *p)
{
	char *title = quantity_title(x, v);
	const char *label = common_label(x, p->op);

	if (label && v->rows != AXIS_KERNEL && v->cols != AXIS_KERNEL) {
		char *longer = alloc_format("%s, %s", title, label);
		free(title);
		title = longer;
	}
	for (int i = 0; i < (int)x->sweep.nvariables; i++)
		if (i != v->rows && i != v->cols) {
			char *longer = alloc_format("%s, %s=%s", title, x->sweep.variables[i].name,
				x->sweep.variables[i].values.word[p->values[i]]);
			free(title);
			title = longer;
		}
	return title;
}

static void free_matrix(struct matrix *m)
{
	for (size_t i = 0; i < m->rows; i++)
		free(m->row_labels[i]);
	for (size_t i = 0; i < m->cols; i++)
		free(m->col_labels[i]);
	free(m->row_labels);
	free(m->col_labels);
	free(m->row_name);
	free(m->col_name);
	free(m->quantity);
	free(m->title);
	free(m->cells);
}

static void fill(
	const struct experiment *x, const struct view *v, struct point *p, struct matrix *m)
{
	*m = (struct matrix){quantity_title(x, v), title_of(x, v, p), axis_name(x, v->rows),
		axis_name(x, v->cols), NULL, NULL, axis_length(x, v->rows), axis_length(x, v->cols),
		NULL};
	m->row_labels = alloc_zeroed(m->rows, sizeof(*m->row_labels));
	m->col_labels = alloc_zeroed(m->cols, sizeof(*m->col_labels));
	m->cells = alloc_zeroed(m->rows * m->cols, sizeof(*m->cells));
	for (size_t i = 0; i < m->cols; i++)
		m->col_labels[i] = axis_label(x, v->cols, i);
	for (size_t i = 0; i < m->rows; i++) {
		m->row_labels[i] = axis_label(x, v->rows, i);
		move_along(p, v->rows, i);
		for (size_t k = 0; k < m->cols; k++) {
			move_along(p, v->cols, k);
			m->cells[i * m->cols + k] = amount_at(x, v, p);
		}
	}
}

/* Steps through the values of what is on no axis, like the digits of a counter. */
static bool next_point(const struct experiment *x, const struct view *v, struct point *p)
{
	for (int i = (int)x->sweep.nvariables - 1; i >= 0; i--) {
		if (i == v->rows || i == v->cols)
			continue;
		if (++p->values[i] < axis_length(x, i))
			return true;
		p->values[i] = 0;
	}
	if (v->rows == AXIS_KERNEL || v->cols == AXIS_KERNEL)
		return false;
	return ++p->op < any_plan(x)->nops;
}

static bool has_figures(const struct matrix *m)
{
	for (size_t i = 0; i < m->rows * m->cols; i++)
		if (isfinite(m->cells[i].value))
			return true;
	return false;
}

void view_matrices(const struct experiment *x, const struct view *v,
	void (*each)(void *arg, const struct matrix *m), void *arg)
{
	struct point p = {alloc_zeroed(x->sweep.nvariables + 1, sizeof(*p.values)), 0, ALL_THREADS};

	if (any_plan(x))
		do {
			struct matrix m;

			fill(x, v, &p, &m);
			if (has_figures(&m))
				each(arg, &m);
			free_matrix(&m);
			/* fill() went along the axes */
			p.thread = ALL_THREADS;
		} while (next_point(x, v, &p));
	free(p.values);
}
