/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From which size, or from how many threads on, a placement is quicker than one node: of tables of
 * crossings whose rows are placements. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "findings/crossings.h"
#include "findings/weak.h"

/* A column of such a table. */
struct column {
	const struct document *from;
	const struct document_table *table;
	size_t column;
	bool some_weak;  /* that is of rows, not of the whole file, and others count */
	bool all_weak;   /* rows and their baselines, each of its own */
	bool same_place; /* all rows are the same memory */
	double most;     /* the largest value along that any row has */
	size_t rows;     /* with something to compare */
};

static struct crossing_pair pair_at(const struct column *c, size_t row)
{
	return crossing_compared(c->from, c->table, row, c->column);
}

static bool is_weak(const struct crossing_pair *p)
{
	return p->own.word == TRUST_WEAK || p->bases.word == TRUST_WEAK;
}

/* False: nothing is compared, or no placements. */
static bool find_column(struct column *c)
{
	size_t weak = 0;

	c->same_place = c->all_weak = true;
	for (size_t i = 0; i < c->table->rows.count; i++) {
		const struct crossing_pair p = pair_at(c, i);

		if (!p.first)
			continue;
		if (!crossing_places_differ(p.first, p.base))
			return false;
		c->most = c->rows ? fmax(c->most, p.most) : p.most;
		c->rows++;
		c->same_place &= p.same_place;
		weak += is_weak(&p);
		c->all_weak &= p.own.word == TRUST_WEAK && p.bases.word == TRUST_WEAK;
	}
	c->some_weak = weak && weak < c->rows && weak_not_all(c->from);
	return c->rows;
}

/* ---- what is said */

static enum trust_word add_rows(struct finding *f, const struct column *c)
{
	struct finding_list *list = finding_add_list(f, "rows");
	enum trust_word word = TRUST_FIRM;

	for (size_t i = 0; i < c->table->rows.count; i++) {
		const struct crossing_pair p = pair_at(c, i);

		if (!p.first || (c->some_weak && is_weak(&p)))
			continue;
		struct finding *row =
			crossing_add(list, c->table, i * c->table->columns.count + c->column, &p);

		word = row->trust > word ? row->trust : word;
		if (p.most < c->most)
			finding_figure(
				row, "measured", (struct amount){p.most, NAN, NAN}, c->table->unit);
	}
	return word;
}

static void add_weak_run(struct finding_list *list, const struct document_run *of,
	const struct document_run *other, const struct quality *q)
{
	struct finding *f = findings_add(list, FINDING_WEAK_RUNS);
	char *which = crossing_difference(of, other);

	finding_text(f, "which", "%s", which);
	weak_add_reasons(f, "reasons", q);
	free(which);
}

/* The rows that are left out; or, of those that all are weak, which ones make them so. */
static void add_weak(struct finding *f, const struct column *c)
{
	struct finding_list *list = NULL;

	if (c->all_weak || !weak_not_all(c->from))
		return;
	for (size_t i = 0; i < c->table->rows.count; i++) {
		const struct crossing_pair p = pair_at(c, i);

		if (!p.first || !is_weak(&p))
			continue;
		const bool begins = !list;

		list = list ? list : finding_add_list(f, c->some_weak ? "left" : "weak");
		if (begins && p.bases.word == TRUST_WEAK)
			add_weak_run(list, p.base, p.first, &p.bases);
		if (p.own.word == TRUST_WEAK)
			add_weak_run(list, p.first, p.base, &p.own);
	}
}

/* A run of this row that was skipped; NULL: there is none, or another one was measured. */
static const struct document_run *skipped_in(const struct column *c, size_t row)
{
	const struct document_run *skipped = NULL;

	for (size_t i = 0; i < c->from->nruns; i++) {
		const struct document_run *r = &c->from->runs[i];
		const char *value = document_value(r, c->table->row_axis);

		if (!value || strcmp(value, c->table->rows.list[row]) != 0)
			continue;
		if (!r->skipped)
			return NULL;
		skipped = skipped ? skipped : r;
	}
	return skipped;
}

static void add_missing(struct finding *f, const struct column *c)
{
	struct finding_list *list = NULL;

	for (size_t i = 0; i < c->table->rows.count; i++) {
		const struct document_run *r = skipped_in(c, i);

		if (!r)
			continue;
		list = list ? list : finding_add_list(f, "missing");
		struct finding *one = findings_add(list, FINDING_MISSING);

		finding_text(one, "placement", "%s %s", c->table->row_axis, c->table->rows.list[i]);
		finding_text(one, "reason", "%s", findings_reason(r->skipped));
	}
}

static void add_placement_column(struct finding_list *to, const struct column *c)
{
	struct finding *f = findings_add(to, FINDING_PLACEMENTS);

	findings_add_subject(f, c->from, c->table);
	finding_text(f, "along", "%s", c->table->along);
	if (rates_count_threads(c->from, c->table->along))
		finding_text(f, "threads", "yes");
	if (c->same_place) {
		finding_text(f, "node", "%d", findings_node_of_all(c->from));
		weak_add_trust(f, c->from, document_quality_of(c->from).word);
		return;
	}
	weak_add_trust(f, c->from, add_rows(f, c));
	add_weak(f, c);
	add_missing(f, c);
	if (c->some_weak)
		finding_text(f, "without", "these");
}

void findings_placements(
	const struct document *d, const struct document_table *t, struct finding_list *to)
{
	for (size_t k = 0; crossing_variable(t) && crossing_is_first(d, t) && k < t->columns.count;
		k++) {
		struct column c = {.from = d, .table = t, .column = k};

		/* where all is the same memory, sizes have the one answer */
		if (find_column(&c) && !(c.same_place && strcmp(t->unit, "B") != 0))
			add_placement_column(to, &c);
	}
}
