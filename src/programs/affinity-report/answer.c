/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the weights of a language model go on this machine, and how many threads read them: the
 * answer at the head of the page, of tables of tokens a second by threads and placement. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/text.h"
#include "input/registry.h"
#include "programs/affinity-report/page.h"
#include "programs/affinity-report/rates.h"

struct answer {
	const struct stored_document *from;
	struct rates rates; /* a curve for each placement */
	size_t best, threads;
	struct amount most;
};

static const struct document_run *first_run(const struct document *d)
{
	for (size_t i = 0; i < d->nruns; i++)
		if (!d->runs[i].skipped && d->runs[i].nvectors)
			return &d->runs[i];
	return NULL;
}

/* Where all placements are the same memory, the best of them is only the luckiest one. */
static long curve_that_counts(const struct document *d, const struct rates *c)
{
	const char *first =
		page_node_of_all(d) < 0 ? NULL : document_value(first_run(d), c->other_axis);

	for (size_t i = 0; first && i < c->others->count; i++)
		if (!strcmp(c->others->list[i], first) && rates_highest(c, i) >= 0)
			return (long)i;
	return rates_best(c);
}

static bool find_answer(
	const struct stored_document *from, const struct document_table *t, struct answer *a)
{
	const struct document *d = &from->document;

	a->from = from;
	if (strcmp(t->unit, "token/s") || !rates_find(d, t, &a->rates) ||
		!rates_are_placements(d, &a->rates) || rates_best(&a->rates) < 0)
		return false;
	a->best = (size_t)curve_that_counts(d, &a->rates);
	a->threads = (size_t)rates_highest(&a->rates, a->best);
	a->most = rates_at(&a->rates, a->best, a->threads);
	return true;
}

/* "41.2 token/s (40.8 .. 41.9)" */
static void say_rate(const struct answer *a, struct amount rate, FILE *out)
{
	rates_figure(out, &a->rates, rate.value);
	if (isfinite(rate.low) && isfinite(rate.high))
		fprintf(out, " (%.3g .. %.3g)", rate.low, rate.high);
}

static void say_placement(const struct answer *a, size_t curve, FILE *out)
{
	html_text(out, a->rates.other_axis);
	fputs(" ", out);
	html_text(out, a->rates.others->list[curve]);
}

/* Of other placements their highest figures that may be as high. */
static void say_tied_placements(const struct answer *a, FILE *out)
{
	const char *between = " Their intervals do not tell it from ";

	for (size_t i = 0; i < a->rates.others->count; i++) {
		const long own = rates_highest(&a->rates, i);

		if (i == a->best || own < 0 ||
			!(rates_at(&a->rates, i, (size_t)own).high >= a->most.low))
			continue;
		fputs(between, out);
		say_placement(a, i, out);
		fputs(" with ", out);
		rates_threads(out, &a->rates, (size_t)own);
		between = ", ";
	}
	if (!strcmp(between, ", "))
		fputs(".", out);
}

/* Fewer threads that may be as quick, and those that nearly are. */
static void say_threads(const struct answer *a, FILE *out)
{
	long tied = -1;
	const long fewest = rates_fewest(&a->rates, a->best, SUFFICIENT * a->most.value);

	for (size_t i = 0; i < a->rates.threads->count; i++)
		if (i != a->threads && rates_at(&a->rates, a->best, i).high >= a->most.low &&
			(tied < 0 || rates_at(&a->rates, a->best, i).value >
					     rates_at(&a->rates, a->best, (size_t)tied).value))
			tied = (long)i;
	if (tied >= 0) {
		fputs(" There ", out);
		rates_threads(out, &a->rates, (size_t)tied);
		fputs(" may be as quick: the intervals do not tell.", out);
	}
	if (fewest >= 0 && (size_t)fewest != a->threads) {
		fputs(" ", out);
		rates_threads(out, &a->rates, (size_t)fewest);
		fprintf(out, " reach%s %.0f&nbsp;%% of it.",
			strcmp(a->rates.threads->list[fewest], "1") ? "" : "es", 100 * SUFFICIENT);
	} else if (tied < 0 && isfinite(a->most.low) &&
		   rates_fewest(&a->rates, a->best, 0) != (long)a->threads) {
		fprintf(out, " No smaller number reaches %.0f&nbsp;%% of it.", 100 * SUFFICIENT);
	}
}

/* The run that others are compared with; NULL: the file names none. */
static const struct document_run *baseline_of(const struct document *d)
{
	const char *label = NULL;

	for (size_t i = 0; !label && i < d->nruns; i++)
		label = d->runs[i].skipped ? NULL : d->runs[i].baseline;
	for (size_t i = 0; label && i < d->nruns; i++)
		if (!d->runs[i].skipped && d->runs[i].nvectors && !strcmp(d->runs[i].label, label))
			return &d->runs[i];
	return NULL;
}

/* What all on one node reaches: the baseline of the files that ask. */
static void say_baseline(const struct answer *a, FILE *out)
{
	const struct document_run *run = baseline_of(&a->from->document);
	const char *base = run ? document_value(run, a->rates.other_axis) : NULL;

	for (size_t i = 0; base && i < a->rates.others->count; i++) {
		const long own = rates_highest(&a->rates, i);

		if (i == a->best || own < 0 || strcmp(a->rates.others->list[i], base))
			continue;
		fputs(" With ", out);
		say_placement(a, i, out);
		page_asked_node(run, out);
		fputs(" it is ", out);
		say_rate(a, rates_at(&a->rates, i, (size_t)own), out);
		fputs(" at most, with ", out);
		rates_threads(out, &a->rates, (size_t)own);
		fputs(".", out);
	}
}

/* ---- what was not measured, and could be the best */

/* "FILE:LINE: " says nothing to whoever reads the answer only. */
static const char *without_line(const char *text)
{
	for (const char *colon = strchr(text, ':'); colon; colon = strchr(colon + 1, ':')) {
		const size_t digits = strspn(colon + 1, "0123456789");

		if (digits && !strncmp(colon + 1 + digits, ": ", 2))
			return colon + 1 + digits + 2;
	}
	return text;
}

/* Why no run has this placement and number of threads, without file and line; NULL: not known. */
static const char *reason_of(const struct answer *a, size_t curve, size_t threads)
{
	const struct document *d = &a->from->document;

	for (size_t i = 0; i < d->nruns; i++) {
		const struct document_run *r = &d->runs[i];
		const char *there = document_value(r, a->rates.other_axis);
		const char *n = document_value(r, a->rates.threads_axis);

		if (!r->skipped || !there || !n || strcmp(there, a->rates.others->list[curve]) ||
			strcmp(n, a->rates.threads->list[threads]))
			continue;
		return without_line(r->skipped);
	}
	return NULL;
}

/* "placement replicate with 8, 16 threads was not measured: ..." */
static void say_missing(const struct answer *a, size_t curve, FILE *out)
{
	const size_t n = a->rates.threads->count;
	size_t missing = 0, any = 0;

	for (size_t i = 0; i < n; i++)
		if (isnan(rates_at(&a->rates, curve, i).value)) {
			missing++;
			any = i;
		}
	if (!missing)
		return;
	fputs(" Not measured: ", out);
	say_placement(a, curve, out);
	for (size_t i = 0, told = 0; missing < n && i < n; i++)
		if (isnan(rates_at(&a->rates, curve, i).value)) {
			fputs(told++ ? ", " : " with ", out);
			html_text(out, a->rates.threads->list[i]);
		}
	if (missing < n)
		fputs(missing == 1 && !strcmp(a->rates.threads->list[any], "1") ? " thread"
										: " threads",
			out);
	const char *reason = reason_of(a, curve, any);

	if (reason) {
		fputs(" (", out);
		html_text(out, reason);
		fputs(")", out);
	}
	fputs(".", out);
}

/* Where all is the same memory, the other placements are nothing that is missing. */
static void say_all_missing(const struct answer *a, bool one_node, FILE *out)
{
	for (size_t i = 0; i < a->rates.others->count; i++)
		if (!one_node || i == a->best)
			say_missing(a, i, out);
}

/* "of 2 bytes", which tells the type of weights; nothing where runs differ in it. */
static void say_size_of_one(const struct answer *a, FILE *out)
{
	const struct document *d = &a->from->document;
	double size = NAN;

	for (size_t i = 0; i < d->nruns; i++) {
		const struct document_operation *o =
			d->runs[i].skipped || !a->rates.table->operation
				? NULL
				: document_operation(&d->runs[i], a->rates.table->operation);
		const double own = o ? o->bytes_per_s.value / o->units_per_s.value : NAN;

		if (isfinite(size) && isfinite(own) && fabs(own / size - 1) > 0.01)
			return;
		size = isfinite(own) ? own : size;
	}
	if (isfinite(size))
		fprintf(out, " of %.3g byte%s", size, fabs(size - 1) < 0.005 ? "" : "s");
}

/* "4 GiB of weights of 2 bytes, gemv: " */
static void say_subject(const struct answer *a, FILE *out)
{
	char size[32];
	const struct document_vector *v = &first_run(&a->from->document)->vectors[0];
	const struct kernel *k =
		a->rates.table->operation ? registry_find(a->rates.table->operation) : NULL;

	html_text(out, text_size((uint64_t)v->bytes, size, sizeof(size)));
	fprintf(out, " of %ss", k ? k->unit : "number");
	say_size_of_one(a, out);
	if (a->rates.table->operation) {
		fputs(", ", out);
		html_text(out, a->rates.table->operation);
	}
	page_table_values(a->rates.table, ", ", out);
	fputs(": ", out);
}

static void say(const struct answer *a, FILE *out)
{
	const int node = page_node_of_all(&a->from->document);

	fputs("<li>", out);
	say_subject(a, out);
	if (node >= 0)
		fprintf(out,
			"all placements are memory of node %d, so that placement is no question "
			"here: ",
			node);
	fputs("<strong>", out);
	if (node < 0) {
		say_placement(a, a->best, out);
		fputs(", ", out);
	}
	rates_threads(out, &a->rates, a->threads);
	fputs("</strong>, ", out);
	say_rate(a, a->most, out);
	fputs(".", out);
	if (!isfinite(a->most.low))
		fputs(" The figures have no intervals: more samples tell how certain it is.", out);
	if (node < 0)
		say_tied_placements(a, out);
	say_threads(a, out);
	if (node < 0)
		say_baseline(a, out);
	say_all_missing(a, node >= 0, out);
	fputs(" (<a href='#", out);
	html_text(out, a->from->name);
	fputs("'><code>", out);
	html_text(out, a->from->name);
	fprintf(out, "</code></a>, %s)</li>\n",
		page_quality_word(page_quality_of(&a->from->document).word));
}

/* A line for each answer; to be freed. */
static char *say_all(const struct page *p)
{
	struct buffer text;
	FILE *out = buffer_open(&text);

	for (size_t i = 0; i < p->results->ndocuments && p->results->machines.count < 2; i++) {
		const struct stored_document *from = &p->results->documents[i];
		struct answer a;

		for (size_t k = 0; k < from->document.ntables && !page_simulated(&from->document);
			k++)
			if (find_answer(from, &from->document.tables[k], &a))
				say(&a, out);
	}
	buffer_close(&text, out);
	return text.data;
}

void page_answer(const struct page *p, FILE *out)
{
	char *answers = say_all(p);

	if (*answers)
		fprintf(out,
			"<p>Where do the weights and keys of a language model go on this "
			"machine, and how many threads?</p>\n<ul class=answer>\n%s</ul>\n",
			answers);
	free(answers);
}

void page_answer_plain(const struct page *p, FILE *out)
{
	char *answers = say_all(p);

	html_plain(out, answers);
	free(answers);
}
