/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From which size, or from how many threads on, a placement is quicker than one node: of tables of
 * crossings whose rows are placements. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "affinity-report/answer.h"
#include "affinity-report/crossings.h"
#include "affinity-report/weak.h"

/* A column of such a table. */
struct column {
	const struct stored_document *from;
	const struct document_table *table;
	const char *along;
	size_t column;
	bool some_weak;  /* that is of rows, not of the whole file, and others count */
	bool all_weak;   /* rows and their baselines, each of its own */
	bool same_place; /* all rows are the same memory */
	double most;     /* the largest value along that any row has */
	size_t rows;     /* with something to compare */
};

static struct crossing_pair pair_at(const struct column *c, size_t row)
{
	return crossing_compared(&c->from->document, c->table, c->along, row, c->column);
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
	c->some_weak = weak && weak < c->rows && weak_not_all(&c->from->document);
	return c->rows;
}

/* ---- words */

static enum trust_word say_rows(const struct column *c, FILE *out)
{
	enum trust_word word = TRUST_FIRM;
	size_t told = 0;

	for (size_t i = 0; i < c->table->rows.count; i++) {
		const struct crossing_pair p = pair_at(c, i);

		if (!p.first || (c->some_weak && is_weak(&p)))
			continue;
		word = p.own.word > word ? p.own.word : word;
		word = p.bases.word > word ? p.bases.word : word;
		fputs(told++ ? "; " : "", out);
		crossing_sentence(out, c->table, c->along,
			c->table->cells[i * c->table->columns.count + c->column], &p);
		if (p.most < c->most)
			html(out, ", measured up to %s", crossing_position(c->table, p.most).text);
	}
	fputs(".", out);
	return word;
}

static void say_weak_run(size_t told, const struct document_run *of,
	const struct document_run *other, const struct quality *q, FILE *out)
{
	fputs(told ? "; " : "", out);
	crossing_difference(out, of, other);
	fputs(" (", out);
	page_reasons(q, out);
	fputs(")", out);
}

/* The rows that are left out; or, of those that all are weak, which ones make them so. */
static void say_weak(const struct column *c, FILE *out)
{
	const char *const before = c->some_weak ? " Left out as weak: " : " Weak: ";
	size_t told = 0;

	if (c->all_weak || !weak_not_all(&c->from->document))
		return;
	for (size_t i = 0; i < c->table->rows.count; i++) {
		const struct crossing_pair p = pair_at(c, i);

		if (!p.first || !is_weak(&p))
			continue;
		fputs(told ? "" : before, out);
		if (!told && p.bases.word == TRUST_WEAK)
			say_weak_run(told++, p.base, p.first, &p.bases, out);
		if (p.own.word == TRUST_WEAK)
			say_weak_run(told++, p.first, p.base, &p.own, out);
	}
	fputs(told ? "." : "", out);
}

/* A run of this row that was skipped; NULL: there is none, or another one was measured. */
static const struct document_run *skipped_in(const struct column *c, size_t row)
{
	const struct document_run *skipped = NULL;

	for (size_t i = 0; i < c->from->document.nruns; i++) {
		const struct document_run *r = &c->from->document.runs[i];
		const char *value = document_value(r, c->table->row_axis);

		if (!value || strcmp(value, c->table->rows.list[row]) != 0)
			continue;
		if (!r->skipped)
			return NULL;
		skipped = skipped ? skipped : r;
	}
	return skipped;
}

static void say_missing(const struct column *c, FILE *out)
{
	for (size_t i = 0; i < c->table->rows.count; i++) {
		const struct document_run *r = skipped_in(c, i);

		if (!r)
			continue;
		html(out, " Not measured: %s %s (%s).", c->table->row_axis, c->table->rows.list[i],
			answer_reason(r->skipped));
	}
}

static void say(const struct column *c, FILE *out)
{
	enum trust_word word = document_quality_of(&c->from->document).word;

	fputs("<li>", out);
	answer_subject(&c->from->document, c->table, out);
	html(out, ", by %s%s", c->along,
		rates_count_threads(&c->from->document, c->along) ? ", the number of threads: "
								  : ": ");
	if (c->same_place) {
		html(out,
			"all placements are memory of node %d, so that placement is no question "
			"here at any %s.",
			page_node_of_all(&c->from->document), c->along);
	} else {
		word = say_rows(c, out);
		say_weak(c, out);
		say_missing(c, out);
	}
	answer_source(c->from, out);
	weak_say_quality(&c->from->document, word, out);
	html(out, "%s)</li>\n", c->some_weak ? " without these" : "");
}

void answer_crossings(const struct stored_document *from, FILE *out)
{
	const struct document *d = &from->document;

	for (size_t i = 0; i < d->ntables; i++) {
		const struct document_table *t = &d->tables[i];
		const char *along = crossing_variable(t);

		for (size_t k = 0; along && crossing_is_first(d, t) && k < t->columns.count; k++) {
			struct column c = {.from = from, .table = t, .along = along, .column = k};

			/* where all is the same memory, sizes have the one answer */
			if (find_column(&c) && !(c.same_place && strcmp(t->unit, "B") != 0))
				say(&c, out);
		}
	}
}
