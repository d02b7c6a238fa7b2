/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many threads are worth it, in sentences: of tables of rates by the number of threads. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "programs/affinity-report/page.h"

/* Threads that reach this part of the highest rate suffice. */
#define SUFFICIENT 0.9
/* Of more curves a picture says more than sentences. */
#define MOST_CURVES 8

/* A table as curves by the number of threads. */
struct curves {
	const struct document_table *table;
	const struct document_texts *threads, *others;
	const char *other_axis;
	bool across; /* threads are its columns */
};

static bool is_rate(const struct document_table *t)
{
	const char *per = strrchr(t->unit, '/');

	return t->shown == SHOWN_TABLE && !t->ranges && !t->mean && t->thread < 0 && per &&
	       !strcmp(per, "/s");
}

static bool alike(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* Has an earlier table rates of the same? Then this one says nothing new. */
static bool is_told(const struct document *d, const struct document_table *t)
{
	for (const struct document_table *other = d->tables; other < t; other++) {
		bool same = is_rate(other) && alike(other->operation, t->operation) &&
			    !strcmp(other->row_axis, t->row_axis) &&
			    !strcmp(other->column_axis, t->column_axis) &&
			    other->values.count == t->values.count;

		for (size_t i = 0; same && i < t->values.count; i++)
			same = !strcmp(other->values.list[i].value, t->values.list[i].value);
		if (same)
			return true;
	}
	return false;
}

/* Does this variable say how many threads every run has? */
static bool counts_threads(const struct document *d, const char *variable)
{
	bool any = false;

	for (size_t i = 0; i < d->nruns; i++) {
		const char *value = document_value(&d->runs[i], variable);
		uint64_t n;

		if (d->runs[i].skipped)
			continue;
		if (!value || text_count(value, &n) || n != d->runs[i].nthreads)
			return false;
		any = true;
	}
	return any;
}

/* False: the table has no such curves. */
static bool find_curves(const struct document *d, const struct document_table *t, struct curves *c)
{
	if (!is_rate(t) || is_told(d, t))
		return false;
	if (counts_threads(d, t->row_axis))
		*c = (struct curves){t, &t->rows, &t->columns, t->column_axis, false};
	else if (*t->column_axis && counts_threads(d, t->column_axis))
		*c = (struct curves){t, &t->columns, &t->rows, t->row_axis, true};
	else
		return false;
	return c->threads->count > 1 && c->others->count <= MOST_CURVES;
}

static struct amount at(const struct curves *c, size_t curve, size_t i)
{
	const size_t columns = c->table->columns.count;

	return c->table->cells[c->across ? curve * columns + i : i * columns + curve];
}

static bool is_measured(struct amount a)
{
	return isfinite(a.value) && a.value > 0;
}

static double count_of(const struct curves *c, size_t i)
{
	double count = NAN;

	return text_position(c->threads->list[i], &count) ? NAN : count;
}

/* The number of the highest figure of a curve; -1: fewer than two were measured. */
static long highest_of(const struct curves *c, size_t curve)
{
	long highest = -1;
	size_t measured = 0;

	for (size_t i = 0; i < c->threads->count; i++) {
		if (!is_measured(at(c, curve, i)))
			continue;
		measured++;
		if (highest < 0 || at(c, curve, i).value > at(c, curve, (size_t)highest).value)
			highest = (long)i;
	}
	return measured > 1 ? highest : -1;
}

/* 1234, not 1.23e+03 */
static void figure(FILE *out, const struct curves *c, double value)
{
	fprintf(out, value >= 1000 ? "%.0f " : "%.3g ", value);
	html_text(out, c->table->unit);
}

/* The fewest threads that come near to a rate; -1: none do. */
static long fewest_for(const struct curves *c, size_t curve, double rate)
{
	long fewest = -1;

	for (size_t i = 0; i < c->threads->count; i++)
		if (is_measured(at(c, curve, i)) && at(c, curve, i).value >= SUFFICIENT * rate &&
			(fewest < 0 || count_of(c, i) < count_of(c, (size_t)fewest)))
			fewest = (long)i;
	return fewest;
}

static void threads(FILE *out, const struct curves *c, size_t i)
{
	html_text(out, c->threads->list[i]);
	fprintf(out, " thread%s", strcmp(c->threads->list[i], "1") ? "s" : "");
}

/* "placement slices, gemv" */
static void curve_name(FILE *out, const struct curves *c, size_t curve)
{
	const struct document_table *t = c->table;

	if (*c->other_axis) {
		html_text(out, c->other_axis);
		fputs(" ", out);
		html_text(out, c->others->list[curve]);
	}
	if (t->operation) {
		fputs(*c->other_axis ? ", " : "", out);
		html_text(out, t->operation);
	}
	page_table_values(t, ", ", out);
}

static void say_curve(const struct curves *c, size_t curve, FILE *out)
{
	const long highest = highest_of(c, curve);

	if (highest < 0)
		return;
	const struct amount most = at(c, curve, (size_t)highest);
	const long fewest = fewest_for(c, curve, most.value);

	fputs("<li>", out);
	curve_name(out, c, curve);
	fputs(": the most, ", out);
	figure(out, c, most.value);
	fputs(", with <strong>", out);
	threads(out, c, (size_t)highest);
	fputs("</strong>", out);
	if (fewest != highest) {
		fputs("; ", out);
		threads(out, c, (size_t)fewest);
		fprintf(out, " reach%s %.0f&nbsp;%% of it",
			strcmp(c->threads->list[fewest], "1") ? "" : "es", 100 * SUFFICIENT);
	}
	fputs(".</li>\n", out);
}

/* Are the curves what one has to choose between? Where they cross is then asked too. */
static bool are_choices(const struct document *d, const struct curves *c)
{
	for (size_t i = 0; i < d->ntables; i++)
		if (d->tables[i].ranges && *c->other_axis &&
			!strcmp(d->tables[i].row_axis, c->other_axis))
			return c->others->count > 1;
	return false;
}

/* The curve with the highest figure; -1: none was measured. */
static long best_of(const struct curves *c)
{
	long best = -1;

	for (size_t i = 0; i < c->others->count; i++) {
		const long own = highest_of(c, i);

		if (own >= 0 && (best < 0 || at(c, i, (size_t)own).value >
						     at(c, (size_t)best,
							     (size_t)highest_of(c, (size_t)best))
							     .value))
			best = (long)i;
	}
	return best;
}

/* The curves whose highest figure may be as high; nothing where there are no intervals. */
static void say_others(const struct curves *c, size_t best, struct amount most, FILE *out)
{
	bool any = false;

	for (size_t i = 0; i < c->others->count; i++) {
		const long own = highest_of(c, i);

		if (i == best || own < 0 || !(at(c, i, (size_t)own).high >= most.low))
			continue;
		fputs(any ? ", " : ", which their intervals do not tell from ", out);
		html_text(out, c->others->list[i]);
		any = true;
	}
}

static void say_best(const struct curves *c, FILE *out)
{
	const long best = best_of(c);

	if (best < 0)
		return;
	const long highest = highest_of(c, (size_t)best);
	const struct amount most = at(c, (size_t)best, (size_t)highest);

	fputs("<li>Of all, ", out);
	figure(out, c, most.value);
	fputs(" is the most: <strong>", out);
	html_text(out, c->other_axis);
	fputs(" ", out);
	html_text(out, c->others->list[best]);
	fputs(", ", out);
	threads(out, c, (size_t)highest);
	fputs("</strong>", out);
	say_others(c, (size_t)best, most, out);
	fputs(isnan(most.low) ? ", of figures without intervals.</li>\n" : ".</li>\n", out);
}

void page_how_many(const struct document *d, const struct document_table *t, FILE *out)
{
	struct curves c;

	if (!find_curves(d, t, &c))
		return;
	for (size_t i = 0; i < c.others->count; i++)
		say_curve(&c, i, out);
	if (are_choices(d, &c))
		say_best(&c, out);
}
