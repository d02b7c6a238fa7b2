/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables, plots and claims of the argument file, and how counters were counted. */
#include <math.h>
#include <stdlib.h>

#include "analysis/counted_mix.h"
#include "analysis/counters.h"
#include "analysis/overheads.h"
#include "analysis/pair_classes.h"
#include "base/alloc.h"
#include "statistics/crossing.h"
#include "result/parts.h"

static const char *keep_text(struct document *d, const char *text)
{
	return text ? document_copy(d, text) : NULL;
}

static struct document_texts labels(struct document *d, char *const *list, size_t n)
{
	struct document_texts t = {document_list(d, n, sizeof(*t.list)), n};

	for (size_t i = 0; i < n; i++)
		t.list[i] = keep_text(d, list[i]);
	return t;
}

/* A crossing has a word where it has no value. */
static struct document_cell fill_result_cell(struct document *d, const struct table *t, size_t i)
{
	const char *word = t->ranges ? crossing_word(t->cells[i]) : NULL;
	struct document_cell c = {{.amount = t->cells[i]}, word};

	if (t->trust && (word || isfinite(t->cells[i].value)))
		c.figure.mark = result_mark(d, &t->trust[i]);
	return c;
}

static void cells(struct document *d, struct document_table *to, const struct table *t)
{
	to->ncells_by_row = t->rows;
	to->cells_by_row = document_list(d, t->rows, sizeof(*to->cells_by_row));
	for (size_t i = 0; i < t->rows; i++) {
		struct document_cells *row = &to->cells_by_row[i];

		*row = (struct document_cells){
			document_list(d, t->cols, sizeof(*row->list)), t->cols};
		for (size_t k = 0; k < t->cols; k++)
			row->list[k] = fill_result_cell(d, t, i * t->cols + k);
	}
}

/* The places at which a plot draws its points if it does not use the rows' labels. */
static void fill_plot_places(struct document *d, struct document_table *to, const struct table *t)
{
	to->has_place = t->places != NULL;
	if (!t->places)
		return;
	to->place = keep_text(d, t->place.name);
	to->place_unit = keep_text(d, t->place.unit);
	to->nplaces_by_row = t->rows;
	to->places_by_row = document_list(d, t->rows, sizeof(*to->places_by_row));
	for (size_t i = 0; i < t->rows; i++) {
		struct document_numbers *row = &to->places_by_row[i];

		*row = (struct document_numbers){
			document_list(d, t->cols, sizeof(*row->list)), t->cols};
		for (size_t k = 0; k < t->cols; k++)
			row->list[k] = t->places[i * t->cols + k];
	}
}

static void classes(struct document *d, struct document_table *to, const struct table *t)
{
	if (!t->nclasses)
		return;
	to->nclasses = t->nclasses;
	to->classes = document_list(d, t->nclasses, sizeof(*to->classes));
	for (size_t i = 0; i < t->nclasses; i++) {
		const struct pair_class *c = &t->classes[i];

		to->classes[i] = (struct document_class){keep_text(d, c->name), keep_text(d, c->at),
			(int64_t)c->measured, c->pairs, c->fewest, c->median, c->most,
			t->trust ? result_mark(d, &c->trust) : (struct document_mark){0}};
	}
}

static const char *drawn(const struct view *v)
{
	if (v->heat)
		return "heat";
	return v->plot ? "plot" : "table";
}

/* The values of the variables on no axis. */
static struct document_pairs values(struct document *d, const struct table *t)
{
	struct document_pairs p = {document_list(d, t->nfixed, sizeof(*p.list)), t->nfixed};

	for (size_t i = 0; i < t->nfixed; i++)
		p.list[i] = (struct document_pair){
			keep_text(d, t->fixed[i].name), keep_text(d, t->fixed[i].value)};
	return p;
}

struct tables {
	struct document *document;
	const struct view *view;
};

static void append_table(void *arg, const struct table *t)
{
	const struct tables *l = arg;
	struct document *d = l->document;
	const struct view *v = l->view;
	struct document_table to = {
		.drawn = drawn(v),
		.title = result_take(d, heading_title(&t->head)),
		.quantity = keep_text(d, t->head.name),
		.kind = quantity_kind(t->head.id),
		.along = keep_text(d, t->head.along),
		.unit = keep_text(d, t->head.unit),
		.operation = keep_text(d, t->operation),
		.thread = t->thread == ALL_THREADS ? -1 : t->thread,
		.values = values(d, t),
		.row_axis = keep_text(d, t->row_name),
		.row_kind = axis_kind(v->rows),
		.column_axis = keep_text(d, t->col_name),
		.column_kind = axis_kind(v->cols),
		.rows = labels(d, t->row_labels, t->rows),
		.columns = labels(d, t->col_labels, t->cols),
		.mean = v->mean == MEAN_NONE ? NULL : mean_names[v->mean],
		.held = keep_text(d, t->held),
		.ranges = t->ranges,
	};

	if (t->row_begins)
		to.row_begins = labels(d, t->row_begins, t->rows);
	if (t->col_begins)
		to.column_begins = labels(d, t->col_begins, t->cols);
	classes(d, &to, t);
	cells(d, &to, t);
	fill_plot_places(d, &to, t);
	d->tables = alloc_grow(d->tables, d->ntables, sizeof(*d->tables));
	d->tables[d->ntables++] = to;
}

/* A line that was asked for must not be missing without a word. */
static void add_lacking(struct document *d, const struct experiment *x, const struct view *v)
{
	const struct counted_metric *lacks = v->counter && counter_missing(v->counter)
						     ? v->counter
						     : overheads_missing(x, v->quantity);

	d->lacking[d->nlacking++] = (struct document_lacking){result_take(d, view_title(x, v)),
		lacks ? result_take(d, alloc_format("%s is not counted: %s", lacks->name,
					       counter_missing(lacks)))
		      : NULL,
		d->ntables};
}

void result_tables(struct document *d, const struct experiment *x, const struct views *v)
{
	struct tables l = {d, NULL};

	d->lacking = document_list(d, v->count, sizeof(*d->lacking));
	for (size_t i = 0; i < v->count; i++) {
		const size_t before = d->ntables;

		l.view = &v->list[i];
		view_tables(x, l.view, append_table, &l);
		if (d->ntables == before && !l.view->plot)
			add_lacking(d, x, l.view);
	}
	document_own(d, d->tables);
}

/* What a side is measured in: a run and an operation of it. */
static struct document_side fill_side(const struct experiment *x, const struct view *what,
	const struct claim_point *p, struct amount value)
{
	const bool there = p->run >= 0 && p->op >= 0;

	return (struct document_side){
		.quantity = view_name(what),
		.run = p->run >= 0 ? x->runs[p->run].label : NULL,
		.operation = there ? x->runs[p->run].plan.ops[p->op].label : NULL,
		.thread = what->thread == ALL_THREADS ? -1 : what->thread,
		.value = value,
	};
}

void result_claims(struct document *d, const struct experiment *x, const struct claims *c)
{
	d->has_claims = c->count > 0;
	d->claims_confidence = c->confidence;
	d->claims_each = c->each;
	d->claims_asked = (int64_t)c->asked;
	d->nclaims = c->ntests;
	d->claims = document_list(d, d->nclaims, sizeof(*d->claims));
	for (size_t i = 0; i < c->ntests; i++) {
		const struct claim_test *t = &c->tests[i];
		const struct claim_side *left = &t->claim->left, *right = &t->claim->right;
		const struct claim_bounds b = claim_bounds(t->claim);

		d->claims[i] = (struct document_claim){t->claim->text, t->label,
			claim_verdicts[t->verdict], t->reason, view_unit(x, &left->what),
			t->claim->differs ? "left - right" : "left / right",
			fill_side(x, &left->what, &t->left, t->of_left),
			fill_side(x, &right->what, &t->right, t->of_right), t->figure, b.low,
			b.high};
	}
}

static struct document_pass pass(
	struct document *d, const struct counting *c, const struct counting_pass *p)
{
	struct document_pass to = {p->in_system, document_list(d, p->n, sizeof(*to.events)), p->n};

	for (size_t i = 0; i < p->n; i++) {
		const struct counted_event *e = &c->events[p->events[i]];

		to.events[i] = (struct document_event){e->name, e->native,
			result_take(d, counter_remark(e)), e->found, e->expected, e->empty};
	}
	return to;
}

void result_counting(struct document *d, const struct counting *c)
{
	static const char *const kinds[] = {"count", "ratio", "percent"};
	struct document_counting *to = &d->counting;

	d->has_counting = c != NULL;
	if (!c)
		return;
	to->samples_per_pass = COUNTED_SAMPLES;
	to->nmetrics = c->nmetrics;
	to->metrics = document_list(d, to->nmetrics, sizeof(*to->metrics));
	for (size_t i = 0; i < c->nmetrics; i++) {
		const struct counted_metric *m = &c->metrics[i];

		to->metrics[i] =
			(struct document_metric){m->name, m->metric ? m->metric->group : NULL,
				kinds[counter_kind(m)], counter_help(m), m->formula.text,
				counter_missing(m), NULL, m->pass < 0 ? -1 : m->pass + 1};
	}
	for (int type = 0; type < MAPPING_TYPES; type++) {
		const struct counted_metric *of;

		free(counted_mix_find(c, (enum mapping_type)type, true, &of));
		if (of)
			to->metrics[of - c->metrics].share_of = mapping_types[type];
	}
	to->npasses = c->npasses;
	to->passes = document_list(d, to->npasses, sizeof(*to->passes));
	for (size_t i = 0; i < c->npasses; i++)
		to->passes[i] = pass(d, c, &c->passes[i]);
}
