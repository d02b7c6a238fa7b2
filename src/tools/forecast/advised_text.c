/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Advice for people, and as CSV. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "forecast/advised.h"
#include "base/buffer.h"

/* The best that are told to be measured, where nothing was: the first alone often differs from the
 * second by less than the model errs. */
#define MEASURE 4

static void write_sets(const struct words *w, FILE *out)
{
	for (size_t i = 0; i < w->count; i++) {
		fprintf(out, " --set ");
		text_print_quoted(w->word[i], out);
	}
}

static void write_interval(const struct advised *a, struct amount x, FILE *out)
{
	if (isnan(x.low))
		fprintf(out, ", no interval");
	else
		fprintf(out, ", %g %%: %.6g .. %.6g", 100 * a->forecast->confidence, x.low, x.high);
}

static void write_placement(const struct advised *a, const struct advised_placement *p, FILE *out)
{
	const struct amount best = a->list[0].predicted;

	if (p->rank)
		fprintf(out, "%3zu.", p->rank);
	else
		fprintf(out, "  -.");
	if (isnan(p->predicted.value)) {
		fprintf(out, "          not predicted");
	} else {
		fprintf(out, "%6.1f %%  %.6g s", 100 * (p->predicted.value / best.value - 1),
			p->predicted.value);
		write_interval(a, p->predicted, out);
		if (p->rank > 1 && p->predicted.low <= best.high)
			fprintf(out, ", not distinguished from the best");
	}
	if (p->baseline && a->verify)
		fprintf(out, ", the baseline");
	fprintf(out, "\n    ");
	write_sets(&p->set, out);
	fprintf(out, "\n");
}

static void write_gaps(const struct advised *a, FILE *out)
{
	for (size_t i = 0; i < a->ngaps; i++) {
		const struct advised_gap *g = &a->gaps[i];

		fprintf(out, "\n%zu not predicted,%s", g->placements,
			g->placements > 1 ? " the first of them" : "");
		write_sets(&g->set, out);
		fprintf(out, ":\n     %s\n", g->why);
	}
}

static void write_command(const struct advised *a, const struct advised_placement *p, FILE *out)
{
	fprintf(out, "  affinity");
	write_sets(&a->given, out);
	write_sets(&p->set, out);
	fputc(' ', out);
	text_print_quoted(a->forecast->args, out);
	fputc('\n', out);
}

static const char *against_prediction(const struct advised_placement *p)
{
	if (isnan(p->predicted.low))
		return "";
	if (p->measured.low <= p->predicted.high && p->measured.high >= p->predicted.low)
		return ", in its interval";
	return isnan(p->measured.low) ? "" : ", outside its interval";
}

static void write_measured(const struct advised *a, const struct advised_placement *p, FILE *out)
{
	if (p->rank)
		fprintf(out, "%3zu.", p->rank);
	else
		fprintf(out, "  -.");
	if (isnan(p->measured.value)) {
		fprintf(out, "  not measured\n");
		return;
	}
	fprintf(out, "  %.6g s", p->measured.value);
	write_interval(a, p->measured, out);
	if (p->rank)
		fprintf(out, "; predicted %+.1f %%%s",
			100 * (p->predicted.value / p->measured.value - 1), against_prediction(p));
	fprintf(out, "%s%s\n", p->baseline ? ", the baseline" : "",
		p->disturbed ? ", disturbed" : "");
}

/* Those whose intervals overlap with that of the cheapest one. */
static void write_tied(const struct advised *a, FILE *out)
{
	const char *before = ", not distinguished from ";

	for (size_t i = 0; i < a->count; i++) {
		const struct advised_placement *p = &a->list[i];

		if (!p->tied)
			continue;
		if (p->rank)
			fprintf(out, "%s%zu", before, p->rank);
		else
			fprintf(out, "%sthe baseline", before);
		before = ", ";
	}
}

static void write_verified(const struct advised *a, FILE *out)
{
	fprintf(out, "\nMEASURED: the best by prediction, and the baseline (data near their first "
		     "thread, on pages as the\nsystem gives them, where that was open):\n\n");
	for (size_t i = 0; i < a->count; i++)
		if (a->list[i].verified)
			write_measured(a, &a->list[i], out);
	fprintf(out, "\nThe advice %s: %s.\n", advised_verdicts[a->verdict], a->why);
	if (a->cheapest == a->count)
		return;
	fprintf(out, "The cheapest that was measured");
	write_tied(a, out);
	fprintf(out, ":\n");
	write_command(a, &a->list[a->cheapest], out);
}

static void write_search(const struct advised *a, FILE *out)
{
	if (isnan(a->left_s))
		fprintf(out,
			", and no other one that the profile covers is better (branch and bound)");
	else
		fprintf(out,
			", and the search was cut: others may be better, and take %.6g s at least",
			a->left_s);
}

static void write_text(const struct advised *a, FILE *out)
{
	const struct forecast *f = a->forecast;
	char mark[FORECAST_MARK];

	forecast_mark(f, mark);
	fprintf(out, "ADVICE by prediction, %s: %s\n",
		a->verify ? "the best were measured" : "nothing was measured", f->args);
	if (*mark)
		fprintf(out, "the profile is %s\n", mark);
	fprintf(out, "%zu of %.0f placements are predicted", a->predicted, a->open);
	if (a->searched)
		write_search(a, out);
	fprintf(out, "; the cost of a %s, %s of the threads:\n\n", f->runs[a->list[0].run].per,
		a->summary);
	for (size_t i = 0; i < a->count; i++)
		write_placement(a, &a->list[i], out);
	write_gaps(a, out);
	if (a->verify) {
		write_verified(a, out);
		return;
	}
	fprintf(out, "\nA prediction is not a promise: measure the best before you rely on one:\n");
	for (size_t i = 0; i < a->count && i < MEASURE; i++)
		write_command(a, &a->list[i], out);
}

static void write_amount(struct amount x, FILE *out)
{
	const double values[] = {x.value, x.low, x.high};

	for (int i = 0; i < 3; i++)
		if (isnan(values[i]))
			fputc(',', out);
		else
			fprintf(out, ",%.9g", values[i]);
}

/* A row of a placement, with its words of --set in one field. */
static void write_row(const struct advised *a, const struct advised_placement *p, FILE *out)
{
	char mark[FORECAST_MARK];
	struct buffer text;
	FILE *words = buffer_open(&text);

	forecast_mark(a->forecast, mark);
	write_sets(&p->set, words);
	char *set = buffer_text(&text, words);

	fprintf(out, "advised,");
	if (p->rank)
		fprintf(out, "%zu", p->rank);
	fprintf(out, ",%s", a->forecast->runs[p->run].per);
	write_amount(p->predicted, out);
	write_amount(p->measured, out);
	fprintf(out, ",%s,%s,", p->baseline ? "yes" : "no", p->disturbed ? "yes" : "no");
	text_print_csv(set + (*set == ' '), out);
	fputc(',', out);
	text_print_csv(mark, out);
	fputc('\n', out);
	free(set);
}

static void write_csv(const struct advised *a, FILE *out)
{
	fprintf(out, "source,rank,per,predicted_s,predicted_low_s,predicted_high_s,measured_s,"
		     "measured_low_s,measured_high_s,baseline,disturbed,set,mark\n");
	for (size_t i = 0; i < a->count; i++)
		write_row(a, &a->list[i], out);
}

static char *written(const struct advised *a, void (*write)(const struct advised *, FILE *))
{
	struct buffer text;
	FILE *out = buffer_open(&text);

	write(a, out);
	return buffer_text(&text, out);
}

char *advised_text(const struct advised *a)
{
	return written(a, write_text);
}

char *advised_csv(const struct advised *a)
{
	return written(a, write_csv);
}
