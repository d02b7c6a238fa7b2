/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From where on what is quicker, in sentences: the cells of tables of crossings. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/crossing.h"
#include "base/text.h"
#include "programs/affinity-report/grids.h"
#include "programs/affinity-report/page.h"

static const char crossing_along[] = "crossing along ";

/* The variable that a table follows, to be freed; NULL: it has no crossings. */
static char *along_of(const struct document_table *t)
{
	const char *name = t->quantity + strlen(crossing_along);

	if (!t->ranges || strncmp(t->quantity, crossing_along, strlen(crossing_along)) != 0)
		return NULL;
	return alloc_string(name, strcspn(name, " "));
}

/* ---- the runs that a cell is of */

/* Has the run this value, or no such variable? Axes can also be operations and threads. */
static bool has(const struct document_run *r, const char *variable, const char *value)
{
	const char *own = document_value(r, variable);

	return !own || !strcmp(own, value);
}

bool page_is_of_cell(const struct document_run *r, const struct document_table *t, const char *row,
	size_t column)
{
	bool same = !r->skipped && has(r, t->row_axis, row) &&
		    has(r, t->column_axis, t->columns.list[column]);

	for (size_t i = 0; same && i < t->values.count; i++)
		same = has(r, t->values.list[i].name, t->values.list[i].value);
	return same;
}

static const struct document_run *labelled(const struct document *d, const char *label)
{
	for (size_t i = 0; label && i < d->nruns; i++)
		if (!d->runs[i].skipped && !strcmp(d->runs[i].label, label))
			return &d->runs[i];
	return NULL;
}

/* Of more points than these their number is told. */
#define MOST_OPEN 3

/* What is compared in a cell. */
struct compared {
	const struct document_run *first, *base; /* with the first value along; NULL: nothing */
	double least, most; /* values along which were measured with their baseline */
	size_t points;
	double open[MOST_OPEN]; /* the first ones whose intervals do not tell which is quicker */
	size_t nopen;
	bool certain;    /* all costs have intervals */
	bool same_place; /* all vectors were asked for elsewhere, and lie on the same one node */
};

/* Do both runs ask for other nodes for their first vectors? */
static bool places_differ(const struct document_run *a, const struct document_run *b)
{
	return a->nvectors && b->nvectors && a->vectors[0].asked_node && b->vectors[0].asked_node &&
	       strcmp(a->vectors[0].asked_node, b->vectors[0].asked_node) != 0;
}

static bool has_intervals(const struct document_run *r, const struct document_table *t)
{
	for (size_t i = 0; i < r->operations.count; i++)
		if ((!t->operation || !strcmp(t->operation, r->operations.list[i].name)) &&
			!isfinite(r->operations.list[i].total.low))
			return false;
	return true;
}

/* Do intervals not tell which of both costs more? False where there are none. */
static bool is_open(const struct document_table *t, const struct document_run *r,
	const struct document_run *base)
{
	const struct document_operation *here, *there;

	if (!t->operation || t->thread >= 0 || !strcmp(t->column_axis, "thread"))
		return false;
	here = document_operation(r, t->operation);
	there = document_operation(base, t->operation);
	if (!here || !there)
		return false;
	const struct amount times = amount_ratio(here->total, there->total);

	return times.low <= 1 && times.high >= 1;
}

static void add(struct compared *c, const struct document_table *t, const struct document_run *r,
	const struct document_run *base, double x)
{
	c->first = !c->points || x < c->least ? r : c->first;
	c->base = c->first == r ? base : c->base;
	c->least = c->points ? fmin(c->least, x) : x;
	c->most = c->points ? fmax(c->most, x) : x;
	c->points++;
	if (is_open(t, r, base)) {
		if (c->nopen < MOST_OPEN)
			c->open[c->nopen] = x;
		c->nopen++;
	}
	c->certain &= has_intervals(r, t) && has_intervals(base, t);
	c->same_place &= places_differ(r, base) && page_only_node(r) >= 0 &&
			 page_only_node(r) == page_only_node(base);
}

static struct compared compared_in(const struct document *d, const struct document_table *t,
	const char *along, size_t row, size_t column)
{
	struct compared c = {.certain = true, .same_place = true};

	for (size_t i = 0; i < d->nruns; i++) {
		const struct document_run *r = &d->runs[i], *base = labelled(d, r->baseline);
		const char *value = document_value(r, along);
		double x;

		if (base && base != r && value && !text_position(value, &x) &&
			page_is_of_cell(r, t, t->rows.list[row], column))
			add(&c, t, r, base, x);
	}
	return c;
}

/* ---- words */

/* A value of the variable along: "16 MiB", "8". */
static void position(FILE *out, const struct document_table *t, double x)
{
	char text[32];

	if (!strcmp(t->unit, "B"))
		text_size(x > 0 ? (uint64_t)(x + 0.5) : 0, text, sizeof(text));
	else if (fabs(x) >= 1000)
		snprintf(text, sizeof(text), "%.0f", x);
	else
		snprintf(text, sizeof(text), "%.3g", x);
	html_text(out, text);
}

/* In what `of` differs from `other`: "placement slices". */
static void difference(FILE *out, const struct document_run *of, const struct document_run *other)
{
	bool any = false;

	for (size_t i = 0; i < of->values.count; i++) {
		const char *name = of->values.list[i].name, *value = of->values.list[i].value;
		const char *there = document_value(other, name);

		if (there && !strcmp(there, value))
			continue;
		fputs(any ? ", " : "", out);
		html_text(out, name);
		fputs(" ", out);
		html_text(out, value);
		any = true;
	}
}

/* "placement X", with the node that X is where places are what differs. */
static void baseline(FILE *out, const struct compared *c)
{
	difference(out, c->base, c->first);
	if (places_differ(c->first, c->base))
		page_asked_node(c->base, out);
}

/* "n from 1 to 64" */
static void reach(
	FILE *out, const struct document_table *t, const char *along, const struct compared *c)
{
	html_text(out, along);
	fputs(" from ", out);
	position(out, t, c->least);
	fputs(" to ", out);
	position(out, t, c->most);
}

/* The ends of a crossing that has a value. */
static void ends(FILE *out, const struct document_table *t, struct amount a)
{
	fputs(" (", out);
	if (isnan(a.low) && isnan(a.high)) {
		fputs("without an interval: more samples tell how certain it is", out);
	} else if (isfinite(a.low) && isfinite(a.high)) {
		position(out, t, a.low);
		fputs(" .. ", out);
		position(out, t, a.high);
	} else if (isfinite(a.low)) {
		position(out, t, a.low);
		fputs(" .., perhaps never", out);
	} else if (isfinite(a.high)) {
		fputs(".. ", out);
		position(out, t, a.high);
		fputs(", perhaps everywhere", out);
	} else {
		fputs("which is not certain anywhere", out);
	}
	fputs(")", out);
}

/* "; at n 8, 16 their intervals do not tell" */
static void open_points(
	FILE *out, const struct document_table *t, const char *along, const struct compared *c)
{
	if (!c->nopen)
		return;
	if (c->nopen > MOST_OPEN) {
		fprintf(out, "; at %zu of these %zu", c->nopen, c->points);
	} else {
		fputs("; at ", out);
		html_text(out, along);
		for (size_t i = 0; i < c->nopen; i++) {
			fputs(i ? ", " : " ", out);
			position(out, t, c->open[i]);
		}
	}
	fputs(" their intervals do not tell", out);
}

/* What a crossing says where it is not a value: all points, or none. */
static void all_points(FILE *out, const struct document_table *t, const char *along,
	struct amount a, const struct compared *c)
{
	const bool never = a.value > 0;
	const double from = never ? a.low : a.high;

	fprintf(out, " is%s quicker than ", never ? " <strong>not</strong>" : "");
	baseline(out, c);
	fputs(never ? " at any " : " at <strong>every</strong> ", out);
	reach(out, t, along, c);
	if (isfinite(from)) {
		fputs(never ? ", but perhaps from " : ", for certain from ", out);
		position(out, t, from);
		fputs(" on", out);
	} else if (!c->certain) {
		fputs(" (without intervals: more samples tell how certain it is)", out);
	}
	open_points(out, t, along, c);
}

/* No answer. */
static void unknown(FILE *out, const struct document_table *t, const char *along, struct amount a,
	const struct compared *c)
{
	const char *word = crossing_word(a);

	if (!word) {
		fputs(" and ", out);
		baseline(out, c);
		fputs(" were both measured at a single ", out);
		html_text(out, along);
		fputs(": where they cross is not known", out);
		return;
	}
	fputs(" is quicker than ", out);
	baseline(out, c);
	if (!strcmp(word, "mixed")) {
		fputs(" at one ", out);
		html_text(out, along);
		fputs(" and slower at a larger one, between ", out);
		position(out, t, a.low);
		fputs(" and ", out);
		position(out, t, a.high);
	} else {
		fputs(c->certain ? " or slower at " : " at some and slower at others of ", out);
		reach(out, t, along, c);
		fputs(c->certain ? ": their intervals do not tell which" : "", out);
	}
}

static void where(FILE *out, const struct document_table *t, size_t column)
{
	if (t->operation) {
		fputs("; ", out);
		html_text(out, t->operation);
	}
	page_table_values(t, t->operation ? ", " : "; ", out);
	if (!strcmp(t->column_axis, "operation") || !strcmp(t->column_axis, "thread")) {
		fputs("; ", out);
		html_text(out, t->column_axis);
		fputs(" ", out);
		html_text(out, t->columns.list[column]);
	}
}

static void sentence(FILE *out, const struct document_table *t, const char *along, size_t column,
	struct amount a, const struct compared *c)
{
	fputs("<li>", out);
	difference(out, c->first, c->base);
	if (c->same_place) {
		fprintf(out, " is memory of node %d, as ", page_only_node(c->first));
		difference(out, c->base, c->first);
		fputs(" is: nothing is compared", out);
	} else if (isinf(a.value)) {
		all_points(out, t, along, a, c);
	} else if (isnan(a.value)) {
		unknown(out, t, along, a, c);
	} else {
		fputs(" is quicker than ", out);
		baseline(out, c);
		fputs(" from ", out);
		html_text(out, along);
		fputs(" <strong>", out);
		position(out, t, a.value);
		fputs("</strong> on", out);
		ends(out, t, a);
	}
	where(out, t, column);
	fputs(".</li>\n", out);
}

static bool is_first(const struct document *d, const struct document_table *t)
{
	for (const struct document_table *other = d->tables; other < t; other++)
		if (!strcmp(other->title, t->title))
			return false;
	return true;
}

static void say_table(const struct document *d, const struct document_table *t, FILE *out)
{
	char *along = along_of(t);

	for (size_t i = 0; along && is_first(d, t) && i < t->rows.count * t->columns.count; i++) {
		const size_t row = i / t->columns.count, column = i % t->columns.count;
		struct compared c = compared_in(d, t, along, row, column);

		if (c.first)
			sentence(out, t, along, column, t->cells[i], &c);
	}
	free(along);
}

void page_crossings(const struct document *d, FILE *out)
{
	struct buffer text;
	FILE *sentences = buffer_open(&text);

	for (size_t i = 0; i < d->ntables && !page_simulated(d); i++)
		say_table(d, &d->tables[i], sentences);
	for (size_t i = 0; i < d->ntables && !page_simulated(d); i++)
		page_how_many(d, &d->tables[i], sentences);
	for (size_t i = 0; i < d->ntables && !page_simulated(d); i++)
		page_shares(d, &d->tables[i], sentences);
	fputc(0, sentences);
	buffer_close(&text, sentences);
	if (*text.data)
		fprintf(out, "<ul class=words>\n%s</ul>\n", text.data);
	free(text.data);
}
