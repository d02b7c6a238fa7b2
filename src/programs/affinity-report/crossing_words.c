/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From where on what is quicker: the sentence for a cell of a table of crossings. */
#include <math.h>
#include <string.h>

#include "base/crossing.h"
#include "base/text.h"
#include "programs/affinity-report/crossings.h"

/* A value of the variable along: "16 MiB", "8". */
void crossing_position(FILE *out, const struct document_table *t, double x)
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
	html(out, "%s from ", along);
	crossing_position(out, t, c->least);
	fputs(" to ", out);
	crossing_position(out, t, c->most);
}

/* The ends of a crossing that has a value. */
static void ends(FILE *out, const struct document_table *t, struct amount a)
{
	fputs(" (", out);
	if (isnan(a.low) && isnan(a.high)) {
		fputs("without an interval: more samples tell how certain it is", out);
	} else if (isfinite(a.low) && isfinite(a.high)) {
		crossing_position(out, t, a.low);
		fputs(" .. ", out);
		crossing_position(out, t, a.high);
	} else if (isfinite(a.low)) {
		crossing_position(out, t, a.low);
		fputs(" .., perhaps never", out);
	} else if (isfinite(a.high)) {
		fputs(".. ", out);
		crossing_position(out, t, a.high);
		fputs(", perhaps everywhere", out);
	} else {
		fputs("which is not certain anywhere", out);
	}
	fputs(")", out);
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
		for (size_t i = 0; i < c->nopen; i++) {
			fputs(i ? ", " : " ", out);
			crossing_position(out, t, c->open[i]);
		}
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
	if (isfinite(from)) {
		fputs(never ? ", but perhaps from " : ", for certain from ", out);
		crossing_position(out, t, from);
		fputs(" on", out);
	} else if (!c->certain) {
		fputs(" (without intervals: more samples tell how certain it is)", out);
	}
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
		html(out, " at one %s and slower at a larger one, between ", along);
		crossing_position(out, t, a.low);
		fputs(" and ", out);
		crossing_position(out, t, a.high);
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
	if (!strcmp(t->column_axis, "operation") || !strcmp(t->column_axis, "thread"))
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
		html(out, " from %s <strong>", along);
		crossing_position(out, t, a.value);
		fputs("</strong> on", out);
		ends(out, t, a);
	}
}
