/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From where on what is quicker: the sentence for a cell of a table of crossings. */
#include <math.h>
#include <string.h>

#include "statistics/crossing.h"
#include "base/text.h"
#include "affinity-report/crossings.h"

/* A value of the variable along: "16 MiB", "8". */
struct crossing_place crossing_position(const struct document_table *t, double x)
{
	struct crossing_place p = {""};

	if (!isfinite(x))
		return p; /* the sentence says it in words */
	if (!strcmp(t->unit, "B"))
		text_size(x > 0 ? (uint64_t)(x + 0.5) : 0, p.text, sizeof(p.text));
	else
		snprintf(p.text, sizeof(p.text), fabs(x) >= 1000 ? "%.0f" : "%.3g", x);
	return p;
}

/* In what `of` differs from `other`: "placement slices". */
void crossing_difference(FILE *out, const struct document_run *of, const struct document_run *other)
{
	bool any = false;

	for (size_t i = 0; i < of->values.count; i++) {
		const char *name = of->values.list[i].name, *value = of->values.list[i].value;
		const char *there = document_value(other, name);

		if (there && !strcmp(there, value))
			continue;
		html(out, "%s%s %s", any ? ", " : "", name, value);
		any = true;
	}
}

/* "placement X", with the node that X is where places are what differs. */
static void baseline(FILE *out, const struct crossing_pair *c)
{
	crossing_difference(out, c->base, c->first);
	if (crossing_places_differ(c->first, c->base))
		page_asked_node(c->base, out);
}

/* "n from 1 to 64" */
static void reach(
	FILE *out, const struct document_table *t, const char *along, const struct crossing_pair *c)
{
	html(out, "%s from %s to %s", along, crossing_position(t, c->least).text,
		crossing_position(t, c->most).text);
}

/* The ends of a crossing that has a value. */
static void ends(FILE *out, const struct document_table *t, struct amount a)
{
	const struct crossing_place low = crossing_position(t, a.low);
	const struct crossing_place high = crossing_position(t, a.high);

	if (isnan(a.low) && isnan(a.high))
		fputs(" (without an interval: more samples tell how certain it is)", out);
	else if (isfinite(a.low) && isfinite(a.high))
		html(out, " (%s .. %s)", low.text, high.text);
	else if (isfinite(a.low))
		html(out, " (%s .., perhaps never)", low.text);
	else if (isfinite(a.high))
		html(out, " (.. %s, perhaps everywhere)", high.text);
	else
		fputs(" (which is not certain anywhere)", out);
}

/* "; at n 8, 16 their intervals do not tell" */
static void open_points(
	FILE *out, const struct document_table *t, const char *along, const struct crossing_pair *c)
{
	if (!c->nopen)
		return;
	if (c->nopen > MOST_OPEN) {
		fprintf(out, "; at %zu of these %zu", c->nopen, c->points);
	} else {
		html(out, "; at %s", along);
		for (size_t i = 0; i < c->nopen; i++)
			html(out, "%s%s", i ? ", " : " ", crossing_position(t, c->open[i]).text);
	}
	fputs(" their intervals do not tell", out);
}

/* What a crossing says where it is not a value: all points, or none. */
static void all_points(FILE *out, const struct document_table *t, const char *along,
	struct amount a, const struct crossing_pair *c)
{
	const bool never = a.value > 0;
	const double from = never ? a.low : a.high;

	fprintf(out, " is%s quicker than ", never ? " <strong>not</strong>" : "");
	baseline(out, c);
	fputs(never ? " at any " : " at <strong>every</strong> ", out);
	reach(out, t, along, c);
	if (isfinite(from))
		html(out, "%s from %s on", never ? ", but perhaps" : ", for certain",
			crossing_position(t, from).text);
	else if (!c->certain)
		fputs(" (without intervals: more samples tell how certain it is)", out);
	open_points(out, t, along, c);
}

/* No answer. */
static void unknown(FILE *out, const struct document_table *t, const char *along, struct amount a,
	const struct crossing_pair *c)
{
	const char *word = crossing_word(a);

	if (!word) {
		fputs(" and ", out);
		baseline(out, c);
		html(out, " were both measured at a single %s: where they cross is not known",
			along);
		return;
	}
	if (!strcmp(word, "same memory")) {
		fputs(" is the same memory as ", out);
		baseline(out, c);
		fputs(": nothing is compared", out);
		return;
	}
	fputs(" is quicker than ", out);
	baseline(out, c);
	if (!strcmp(word, "mixed")) {
		html(out, " at one %s and slower at a larger one, between %s and %s", along,
			crossing_position(t, a.low).text, crossing_position(t, a.high).text);
	} else {
		fputs(c->certain ? " or slower at " : " at some and slower at others of ", out);
		reach(out, t, along, c);
		fputs(c->certain ? ": their intervals do not tell which" : "", out);
	}
}

void crossing_where(FILE *out, const struct document_table *t, size_t column)
{
	if (t->operation)
		html(out, "; %s", t->operation);
	page_table_values(t, t->operation ? ", " : "; ", out);
	if (t->columns_are == AXIS_OPERATION || t->columns_are == AXIS_THREAD)
		html(out, "; %s %s", t->column_axis, t->columns.list[column]);
}

void crossing_sentence(FILE *out, const struct document_table *t, const char *along,
	struct amount a, const struct crossing_pair *c)
{
	crossing_difference(out, c->first, c->base);
	if (c->same_place) {
		fprintf(out, " is memory of node %d, as ", page_only_node(c->first));
		crossing_difference(out, c->base, c->first);
		fputs(" is: nothing is compared", out);
	} else if (isinf(a.value)) {
		all_points(out, t, along, a, c);
	} else if (isnan(a.value)) {
		unknown(out, t, along, a, c);
	} else {
		fputs(" is quicker than ", out);
		baseline(out, c);
		html(out, " from %s <strong>%s</strong> on", along,
			crossing_position(t, a.value).text);
		ends(out, t, a);
	}
}
