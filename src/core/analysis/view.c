/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gathers the matrices of tables and plots from the runs. */
#include "analysis/view.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "statistics/crossing.h"
#include "analysis/begins.h"
#include "analysis/counters.h"
#include "analysis/crossings.h"
#include "analysis/factors.h"
#include "analysis/kernel_figures.h"
#include "analysis/kinds.h"
#include "analysis/means.h"
#include "analysis/op_names.h"
#include "analysis/pair_classes.h"
#include "analysis/table_held.h"
#include "analysis/trace.h"
#include "analysis/trust.h"
#include "plan/held.h"
#include "input/param.h"

/* Does the text use $name or ${name}? */
static bool uses_name(const char *text, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = text; (at = strchr(at, '$')); at++) {
		const char *begin = at[1] == '{' ? at + 2 : at + 1;
		unsigned char next = (unsigned char)begin[strnlen(begin, length)];

		if (!strncmp(begin, name, length) && !isalnum(next) && next != '_')
			return true;
	}
	return false;
}

static bool is_node_of_vectors(const struct experiment *x, const char *name)
{
	for (size_t i = 0; i < x->args->count; i++) {
		const struct entry *e = &x->args->entries[i];

		if (!strcmp(e->key, "nodePerVector") && uses_name(e->value, name))
			return true;
	}
	return false;
}

/* The label of a value of the sweep's variable `v`: the value, with the kind of memory behind it
 * where the variable says where vectors lie: "2 (HBM)". To be freed. */
static char *label_node(const struct experiment *x, int v, const char *value)
{
	const struct topo_node *n;
	uint64_t number;

	if (text_count(value, &number) || number > INT_MAX ||
		!(n = topo_node(x->topo, (int)number)) || !n->memory ||
		!is_node_of_vectors(x, x->sweep.variables[v].name))
		return alloc_string(value, strlen(value));
	return alloc_format("%s (%s)", value, n->memory);
}

/* Is the word the variable alone, not a factor as in ${n}x4160B? */
static bool is_whole_word(const char *word, const char *variable)
{
	size_t n = strlen(variable);

	return !strncmp(word, variable, n) && word[n] != 'x';
}

/* Does the file use the axis's variable as the size of vectors? */
static bool is_size_axis(const struct experiment *x, int axis)
{
	if (axis < 0)
		return false;
	char *plain = alloc_format("$%s", x->sweep.variables[axis].name);
	char *braced = alloc_format("${%s}", x->sweep.variables[axis].name);
	bool is = false;

	for (size_t i = 0; i < x->args->count; i++) {
		const struct entry *e = &x->args->entries[i];

		if (param_is(request_keys, e->key, "sizePerVector"))
			is |= is_whole_word(e->value, plain) || is_whole_word(e->value, braced);
	}
	free(plain);
	free(braced);
	return is;
}

/* The plan of the first run that can be done: it says what operations and threads there are. */
static const struct plan *any_plan(const struct experiment *x)
{
	for (size_t i = 0; i < x->nruns; i++)
		if (!x->runs[i].skipped)
			return &x->runs[i].plan;
	return NULL;
}

/* The largest number of threads, or of operations, of any run: a sweep can change it. */
static int most(const struct experiment *x, bool threads)
{
	int most = 0;

	for (size_t i = 0; i < x->nruns; i++) {
		const int n = threads ? x->runs[i].plan.nthreads : x->runs[i].plan.nops;

		most = !x->runs[i].skipped && n > most ? n : most;
	}
	return most;
}

/* A place in the space of all axes: a value of every variable, an operation, a thread. */
struct point {
	size_t *values;        /* [nvariables] */
	struct op_names names; /* with an axis of operations: op is an index of it */
	int op, thread;
};

static bool on_axis(const struct view *v, int axis)
{
	return v->rows == axis || v->cols == axis;
}

/* Does each table have every operation? */
static bool all_operations(const struct view *v)
{
	return on_axis(v, AXIS_OPERATION) ||
	       (v->rows == AXIS_TIME && v->quantity == QUANTITY_CLOCK_RATE);
}

static struct point begin_point(const struct experiment *x, const struct view *v)
{
	struct point p = {.values = alloc_zeroed(x->sweep.nvariables + 1, sizeof(*p.values)),
		.thread = v->thread};

	if (on_axis(v, AXIS_OPERATION))
		op_names_make(&p.names, x);
	return p;
}

static void end_point(struct point *p)
{
	op_names_free(&p->names);
	free(p->values);
}

/* -1: the plan does not have this operation. */
static int op_of(const struct plan *plan, const struct point *p)
{
	if (p->names.count)
		return op_names_find(plan, p->names.list[p->op]);
	return p->op < plan->nops ? p->op : -1;
}

static size_t axis_length(const struct experiment *x, const struct point *p, int axis)
{
	if (axis == AXIS_NONE)
		return 1;
	if (axis == AXIS_THREAD)
		return (size_t)most(x, true);
	if (axis == AXIS_OPERATION)
		return p->names.count;
	if (axis == AXIS_TIME)
		return 0; /* trace.c adds the rows */
	return x->sweep.variables[axis].values.count;
}

static char *axis_label(const struct experiment *x, const struct point *p, int axis, size_t i)
{
	if (axis == AXIS_NONE)
		return alloc_format("all threads");
	if (axis == AXIS_THREAD)
		return alloc_format("thread %zu", i);
	if (axis == AXIS_OPERATION)
		return alloc_format("%s", p->names.list[i]);
	return label_node(x, axis, x->sweep.variables[axis].values.word[i]);
}

static void move_along(struct point *p, int axis, size_t i)
{
	if (axis == AXIS_THREAD)
		p->thread = (int)i;
	else if (axis == AXIS_OPERATION)
		p->op = (int)i;
	else if (axis >= 0)
		p->values[axis] = i;
}

/* The operation of the run at this point; -1: there is none, or not for this thread. */
static int op_at(const struct experiment *x, const struct point *p, long run, int thread)
{
	if (run < 0 || x->runs[run].skipped || thread >= x->runs[run].plan.nthreads)
		return -1;
	return op_of(&x->runs[run].plan, p);
}

static struct amount amount_at(
	const struct experiment *x, const struct point *p, int thread, enum quantity q)
{
	long run = sweep_at(&x->sweep, p->values);
	int op = op_at(x, p, run, thread);

	return op < 0 ? AMOUNT_NONE : quantity_of(x, (size_t)run, op, thread, q);
}

/* Of the runs that have all values of the variable, and are otherwise at this point; its mark, if
 * that is asked for. */
static struct amount crossing_at(
	const struct experiment *x, const struct view *v, struct point *p, struct trust *trust)
{
	const size_t n = x->sweep.variables[v->along].values.count;
	struct crossings_run *runs = alloc_zeroed(n, sizeof(*runs));

	for (size_t i = 0; i < n; i++) {
		p->values[v->along] = i;
		runs[i].run = sweep_at(&x->sweep, p->values);
		runs[i].op = op_at(x, p, runs[i].run, p->thread);
	}
	p->values[v->along] = 0;
	struct amount found = quantities[v->quantity].along(x, v, runs, p->thread);

	/* that two placements are the same memory is no measurement */
	if (trust && !crossing_is_same_memory(found))
		*trust = crossings_trust(x, runs, n, p->thread);
	free(runs);
	return found;
}

static struct amount cell_at(
	const struct experiment *x, const struct view *v, const struct point *p)
{
	if (!v->counter && !v->figure)
		return amount_at(x, p, p->thread, v->quantity);
	long run = sweep_at(&x->sweep, p->values);
	int op = op_at(x, p, run, p->thread);
	const struct samples *r = op < 0 ? NULL : &x->runs[run].samples;

	if (!r || !r->ops)
		return AMOUNT_NONE;
	if (!v->counter)
		return kernel_figure_of(r, op, p->thread, v->figure->name);
	return (struct amount){derive_counter_shown(r, op, p->thread, v->counter), NAN, NAN};
}

/* Beside its figure: its mark, and what a mean of it is made of. */
static void know_cell(const struct experiment *x, const struct view *v, const struct point *p,
	struct table *m, size_t cell)
{
	long run = sweep_at(&x->sweep, p->values);
	int op = op_at(x, p, run, p->thread);

	if (op < 0 || !x->runs[run].samples.ops)
		return;
	if (m->trust)
		quantity_trust(x, (size_t)run, op, p->thread, v->quantity, &m->trust[cell]);
	if (m->factors)
		factors_of(x, (size_t)run, op, p->thread, v->quantity, &m->factors[cell * FACTORS]);
}

/* What holds the data of a cell, in buffer; "": nothing, or there is no such run. */
static const char *held_at(
	const struct experiment *x, const struct point *p, char *buffer, size_t n)
{
	long run = sweep_at(&x->sweep, p->values);
	int op = op_at(x, p, run, p->thread);
	const struct plan *plan = op < 0 ? NULL : &x->runs[run].plan;

	if (plan && p->thread < 0)
		return held_together(plan, &plan->ops[op], buffer, n);
	snprintf(buffer, n, "%s", plan ? plan->ops[op].jobs[p->thread].held : "");
	return buffer;
}

/* The operation's name, where it is the same in all runs: the key can depend on the sweep. */
static const char *common_label(const struct experiment *x, int op)
{
	const struct plan *any = any_plan(x);
	const char *label = op < any->nops ? any->ops[op].label : NULL;

	for (size_t i = 0; label && i < x->nruns; i++) {
		const struct plan *p = &x->runs[i].plan;

		if (!x->runs[i].skipped && (op >= p->nops || strcmp(p->ops[op].label, label)))
			return NULL;
	}
	return label;
}

/* NULL: it is on an axis, or differs between runs. */
static const char *operation_of(
	const struct experiment *x, const struct view *v, const struct point *p)
{
	return all_operations(v) ? NULL : common_label(x, p->op);
}

/* The values of the variables that are on no axis, and what follows from all of it in the title. */
static void fix_values(
	const struct experiment *x, const struct view *v, const struct point *p, struct table *m)
{
	heading_add(&m->rest, m->operation, m->thread);
	m->fixed = alloc_zeroed(x->sweep.nvariables + 1, sizeof(*m->fixed));
	for (int i = 0; i < (int)x->sweep.nvariables; i++) {
		const char *name = x->sweep.variables[i].name,
			   *value = x->sweep.variables[i].values.word[p->values[i]];

		if (on_axis(v, i) || i == v->along)
			continue;
		m->fixed[m->nfixed++] = (struct table_value){name, value};
		heading_add_value(&m->rest, name, value);
	}
}

/* Where the curves of a plot show the levels of a TLB. */
static void mark_reach(
	const struct experiment *x, const struct view *v, struct point *p, struct table *m)
{
	struct view reach = *v;

	if (!v->plot || v->heat || v->quantity != QUANTITY_EXTRA || v->rows < 0)
		return;
	reach.along = v->rows;
	m->marks = alloc_zeroed(2 * m->cols, sizeof(*m->marks));
	for (size_t k = 0; k < m->cols; k++) {
		move_along(p, v->cols, k);
		for (int level = 1; level <= 2; level++) {
			reach.quantity = level == 1 ? QUANTITY_REACH_1 : QUANTITY_REACH_2;
			struct amount a = crossing_at(x, &reach, p, NULL);

			if (isfinite(a.value))
				m->marks[m->nmarks++] =
					(struct table_mark){a, alloc_format("TLB %d", level), k};
		}
	}
}

static void fill_cell(const struct experiment *x, const struct view *v, struct point *p,
	struct table *m, size_t cell, char held[PLAN_HELD])
{
	if (v->along >= 0) {
		m->cells[cell] = crossing_at(x, v, p, &m->trust[cell]);
	} else {
		m->cells[cell] = cell_at(x, v, p);
		know_cell(x, v, p, m, cell);
		if (isfinite(m->cells[cell].value))
			held_at(x, p, held, PLAN_HELD);
	}
	if (m->places)
		m->places[cell] = amount_at(x, p, ALL_THREADS, (enum quantity)v->against).value;
}

/* Where places begin along variables, and which pairs of CPUs are equally near. */
static void know_places(
	const struct experiment *x, const struct view *v, const long *runs, struct table *m)
{
	const struct begins_axis rows = {x, runs, m->rows, m->cols, m->cols, 1},
				 columns = {x, runs, m->cols, m->rows, 1, m->cols};

	m->row_begins = v->rows >= 0 ? begins_along(&rows) : NULL;
	if (v->mean == MEAN_SCENARIOS) /* in place of the columns */
		return;
	m->col_begins = v->cols >= 0 ? begins_along(&columns) : NULL;
	if (v->rows >= 0 && v->along < 0 && !m->ranges)
		pair_classes_add(x, runs, m);
}

static void fill_over_time(
	const struct experiment *x, const struct view *v, struct point *p, struct table *m)
{
	if (v->quantity == QUANTITY_CLOCK_RATE) {
		const long run = sweep_at(&x->sweep, p->values);

		trace_fill(m, run < 0 || x->runs[run].skipped ? NULL : &x->runs[run].samples);
		return;
	}
	struct tails *columns = alloc_zeroed(m->cols + 1, sizeof(*columns));

	for (size_t k = 0; k < m->cols; k++) {
		move_along(p, v->cols, k);
		const long run = sweep_at(&x->sweep, p->values);
		const int op = op_at(x, p, run, p->thread);

		if (op >= 0 && x->runs[run].samples.ops)
			tails_of(&x->runs[run].samples, op, p->thread, &columns[k]);
	}
	trace_tails(m, columns);
	for (size_t k = 0; k < m->cols; k++)
		tails_free(&columns[k]);
	free(columns);
}

static void fill_points(
	const struct experiment *x, const struct view *v, struct point *p, struct table *m)
{
	*m = (struct table){
		.ranges = quantities[v->quantity].ranges,
		.head = view_heading(x, v),
		.operation = operation_of(x, v, p),
		.thread = v->thread,
		.row_name = alloc_format("%s", axis_name(x, v->rows)),
		.col_name = alloc_format("%s", axis_name(x, v->cols)),
		.rows = axis_length(x, p, v->rows),
		.cols = axis_length(x, p, v->cols),
	};
	fix_values(x, v, p, m);
	m->head.rest = m->rest;
	m->head.counted = op_names_unit(x, m->operation, v->thread);
	/* one more row and column, for means */
	m->col_labels = alloc_zeroed(m->cols + 1, sizeof(*m->col_labels));
	for (size_t i = 0; i < m->cols; i++)
		m->col_labels[i] = axis_label(x, p, v->cols, i);
	if (v->rows == AXIS_TIME) {
		fill_over_time(x, v, p, m);
		return;
	}
	m->row_labels = alloc_zeroed(m->rows + 1, sizeof(*m->row_labels));
	m->cells = alloc_zeroed(m->rows * m->cols, sizeof(*m->cells));
	m->confidence = experiment_request(x)->confidence;
	if (quantities[v->quantity].timed || v->along >= 0)
		m->trust = alloc_zeroed(m->rows * m->cols, sizeof(*m->trust));
	if (v->mean != MEAN_NONE && v->quantity < QUANTITIES && v->along < 0)
		m->factors = alloc_zeroed(m->rows * m->cols * FACTORS, sizeof(*m->factors));
	if (v->against >= 0) {
		m->places = alloc_zeroed(m->rows * m->cols, sizeof(*m->places));
		m->place = view_heading(x,
			&(struct view){.quantity = (enum quantity)v->against, .along = AXIS_NONE});
	}
	long *runs = alloc_zeroed(m->rows * m->cols, sizeof(*runs));
	char(*held)[PLAN_HELD] = alloc_zeroed(m->rows * m->cols + 1, sizeof(*held));

	m->sizes = is_size_axis(x, v->rows) ? x->topo : NULL;
	for (size_t i = 0; i < m->rows; i++) {
		m->row_labels[i] = axis_label(x, p, v->rows, i);
		move_along(p, v->rows, i);
		for (size_t k = 0; k < m->cols; k++) {
			move_along(p, v->cols, k);
			runs[i * m->cols + k] = sweep_at(&x->sweep, p->values);
			fill_cell(x, v, p, m, i * m->cols + k, held[i * m->cols + k]);
		}
	}
	know_places(x, v, runs, m);
	free(runs);
	m->held = table_held(m, held);
	free(held);
	mark_reach(x, v, p, m);
}

/* Steps through the values of variables and operations that are on no axis, like the digits of a
 * counter. */
static bool next_point(const struct experiment *x, const struct view *v, struct point *p)
{
	for (int i = (int)x->sweep.nvariables - 1; i >= 0; i--) {
		if (on_axis(v, i) || i == v->along)
			continue;
		if (++p->values[i] < axis_length(x, p, i))
			return true;
		p->values[i] = 0;
	}
	return !all_operations(v) && ++p->op < most(x, false);
}

static bool has_figures(const struct table *m)
{
	for (size_t i = 0; i < m->rows * m->cols; i++)
		if (m->ranges ? crossing_known(m->cells[i]) : isfinite(m->cells[i].value))
			return true;
	return false;
}

void view_tables(const struct experiment *x, const struct view *v,
	void (*each)(void *arg, const struct table *m), void *arg)
{
	struct point p = begin_point(x, v);
	const bool unlike = kinds_mixed(x);

	if (any_plan(x))
		do {
			struct table m;

			fill_points(x, v, &p, &m);
			if (has_figures(&m)) {
				if (v->mean == MEAN_GEOMETRIC)
					means_add(&m, unlike && v->rows == AXIS_THREAD,
						unlike && v->cols == AXIS_THREAD);
				if (v->mean == MEAN_SCENARIOS)
					scenarios_make(&m);
				each(arg, &m);
			}
			table_free(&m);
			/* fill_points() moved p along the axes */
			p.thread = v->thread;
		} while (next_point(x, v, &p));
	end_point(&p);
}

size_t view_count(const struct experiment *x, const struct view *v)
{
	struct point p = begin_point(x, v);
	size_t count = 0;

	if (any_plan(x))
		do
			count++;
		while (next_point(x, v, &p));
	end_point(&p);
	return count;
}
