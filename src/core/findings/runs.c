/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an experiment without a table found, in the quantities that its kernels are there for. */
#include <stdlib.h>
#include <string.h>

#include "analysis/derive.h"
#include "base/alloc.h"
#include "document/quality.h"
#include "findings/headline.h"
#include "input/registry.h"
#include "plan/held.h"

/* Figures of operations that a sentence can name one by one. */
#define NAMED 4

/* The kernel that all threads of an operation run; NULL: they run several. */
static const struct kernel *only_kernel(const struct document_operation *o)
{
	const struct kernel *only = NULL;

	for (size_t i = 0; i < o->njobs; i++) {
		const struct kernel *k =
			o->jobs[i].kernel ? registry_find(o->jobs[i].kernel) : NULL;

		if (!k || (only && k != only))
			return NULL;
		only = k;
	}
	return only;
}

/* What a kernel is there for: the time of all it does where it moves pages, bandwidth of memory, or
 * the time of a unit. */
static enum quantity quantity_of_kernel(const struct document_operation *o)
{
	const struct kernel *k = only_kernel(o);

	if (!k || k->migration.moves || k->nothing)
		return QUANTITY_COST;
	return trust_measures_bandwidth(k) ? QUANTITY_BANDWIDTH : QUANTITY_NS_PER_UNIT;
}

static struct document_figure figure_of(
	const struct document_run *r, const struct document_operation *o, enum quantity q)
{
	struct document_figure f = document_figure(r, o, ALL_THREADS,
		q == QUANTITY_BANDWIDTH     ? DOCUMENT_BYTES_PER_S
		: q == QUANTITY_NS_PER_UNIT ? DOCUMENT_NS_PER_UNIT
					    : DOCUMENT_COST);

	if (q == QUANTITY_BANDWIDTH)
		f.amount = amount_times(f.amount, 1e-9);
	return f;
}

/* The figures of all runs in one quantity, as a table. */
struct runs {
	struct document_table table;
	struct trust *marks;
	const char *counted;
};

static void add_name(struct document_texts *t, const char *name)
{
	t->list = alloc_grow(t->list, t->count, sizeof(*t->list));
	t->list[t->count++] = name;
}

static bool has_name(const struct document_texts *t, const char *name)
{
	bool any = false;

	for (size_t i = 0; i < t->count; i++)
		any |= !strcmp(t->list[i], name);
	return any;
}

/* A column for each operation of the run that has this quantity, and none yet. */
static void add_columns(struct runs *all, const struct document_run *r, enum quantity q)
{
	struct document_table *t = &all->table;

	for (size_t i = 0; i < r->operations.count; i++) {
		const struct document_operation *o = &r->operations.list[i];
		const char *unit = o->njobs ? o->jobs[0].unit : NULL;

		if (quantity_of_kernel(o) != q || has_name(&t->columns, o->name))
			continue;
		if (!t->columns.count)
			all->counted = unit;
		else if (all->counted && (!unit || strcmp(unit, all->counted) != 0))
			all->counted = NULL;
		add_name(&t->columns, o->name);
	}
}

static void name_columns(struct document_table *t)
{
	t->column_axis = t->columns.count > 1 ? "operation" : "";
	t->columns_are = t->columns.count > 1 ? AXIS_OPERATION : AXIS_NONE;
	t->operation = t->columns.count == 1 ? t->columns.list[0] : NULL;
}

static void make_table(struct runs *all, const struct document *d, enum quantity q)
{
	struct document_table *t = &all->table;

	*all = (struct runs){.table = {.id = q,
				     .quantity = quantities[q].name,
				     .unit = quantities[q].unit ? quantities[q].unit
					     : d->method.cost   ? d->method.cost
								: "s",
				     .thread = -1,
				     .row_axis = "",
				     .rows_are = AXIS_VARIABLE}};
	for (size_t i = 0; i < d->nruns; i++)
		if (!d->runs[i].skipped)
			add_columns(all, &d->runs[i], q);
	name_columns(t);
	for (size_t i = 0; i < d->nruns; i++)
		if (!d->runs[i].skipped)
			add_name(&t->rows, findings_pairs(&d->runs[i].values));
	t->cells = alloc_zeroed(t->rows.count * t->columns.count + 1, sizeof(*t->cells));
	all->marks = alloc_zeroed(t->rows.count * t->columns.count + 1, sizeof(*all->marks));
}

static void fill_table(struct runs *all, const struct document *d)
{
	struct document_table *t = &all->table;
	size_t cell = 0;

	for (size_t i = 0; i < d->nruns; i++)
		for (size_t k = 0; !d->runs[i].skipped && k < t->columns.count; k++, cell++) {
			const struct document_operation *o =
				document_operation(&d->runs[i], t->columns.list[k]);
			const struct document_figure f =
				o ? figure_of(&d->runs[i], o, t->id)
				  : (struct document_figure){.amount = AMOUNT_NONE};

			t->cells[cell] = f.amount;
			all->marks[cell] = f.trust;
		}
}

/* What holds the data of an operation. */
static void add_held(struct finding *f, const struct document_operation *o)
{
	const char **words = alloc_zeroed(o->njobs + 1, sizeof(*words));
	char all[128];

	for (size_t i = 0; i < o->njobs; i++)
		words[i] = o->jobs[i].held;
	held_join(words, o->njobs, all, sizeof(all));
	finding_text(f, "held", "%s", all);
	free(words);
}

/* The operations of a single run, one by one. */
static void add_operations(
	const struct compared *c, const struct document_run *r, struct finding_list *to)
{
	struct finding *all = findings_add(to, FINDING_COSTS);
	struct document_table of = *c->table;

	of.operation = NULL; /* it is named in the list */
	all->trust = document_quality_of(c->document).word;
	headline_add_quantity(
		all, &(struct compared){c->document, &of, c->marks, c->counted}, true);
	struct finding_list *list = finding_add_list(all, "figures");

	for (size_t i = 0; i < of.columns.count; i++) {
		struct finding *f = findings_add(list, FINDING_FIGURE);

		finding_text(f, "name", "%s", of.columns.list[i]);
		finding_figure(f, "figure", of.cells[i], of.unit);
		add_held(f, document_operation(r, of.columns.list[i]));
	}
}

static void add_runs(const struct document *d, const struct document_run *first, enum quantity q,
	struct finding_list *to)
{
	struct runs all;
	struct document_table *t = &all.table;

	make_table(&all, d, q);
	fill_table(&all, d);
	const struct compared c = {d, t, all.marks, all.counted};

	if (t->rows.count == 1 && t->columns.count <= NAMED)
		add_operations(&c, first, to);
	else
		headline_add_extremes(&c, to);
	for (size_t i = 0; i < t->rows.count; i++)
		free((char *)(uintptr_t)t->rows.list[i]);
	free(t->cells);
	free(t->rows.list);
	free(t->columns.list);
	free(all.marks);
}

static const struct document_run *first_run(const struct document *d)
{
	for (size_t i = 0; i < d->nruns; i++)
		if (!d->runs[i].skipped && d->runs[i].operations.count)
			return &d->runs[i];
	return NULL;
}

/* A sentence for each quantity of the operations, that of most of them first. */
void headline_add_runs(const struct document *d, struct finding_list *to)
{
	const struct document_run *first = first_run(d);
	size_t count[QUANTITY_ROWS] = {0};
	enum quantity most = 0;

	for (size_t r = 0; r < d->nruns; r++)
		for (size_t i = 0; !d->runs[r].skipped && i < d->runs[r].operations.count; i++)
			count[quantity_of_kernel(&d->runs[r].operations.list[i])]++;
	for (enum quantity q = 0; q < QUANTITY_ROWS; q++)
		most = count[q] > count[most] ? q : most;
	if (count[most])
		add_runs(d, first, most, to);
	for (enum quantity q = 0; q < QUANTITY_ROWS; q++)
		if (q != most && count[q])
			add_runs(d, first, q, to);
}
