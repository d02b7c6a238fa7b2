/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The answer at the head of the page: where the weights of a language model go, and how many
 * threads read them, for each machine. */
#include "analysis/derive.h"
#include "document/figure.h"
#include "affinity-report/answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/text.h"
#include "input/registry.h"
#include "affinity-report/grids.h"

/* ---- pieces of answers */

const struct document_run *answer_run(const struct document *d)
{
	for (size_t i = 0; i < d->nruns; i++)
		if (!d->runs[i].skipped && d->runs[i].nvectors)
			return &d->runs[i];
	return NULL;
}

static double bytes_of_unit(const struct document_run *r, const struct document_operation *o)
{
	return document_figure(r, o, ALL_THREADS, DOCUMENT_BYTES_PER_S).amount.value /
	       document_figure(r, o, ALL_THREADS, DOCUMENT_UNITS_PER_S).amount.value;
}

/* "of 2 bytes", which tells the type of weights; nothing where runs differ in it. */
static void say_size_of_one(const struct document *d, const struct document_table *t, FILE *out)
{
	double size = NAN;

	for (size_t i = 0; i < d->nruns; i++) {
		const struct document_operation *o =
			d->runs[i].skipped || !t->operation
				? NULL
				: document_operation(&d->runs[i], t->operation);
		const double own = o ? bytes_of_unit(&d->runs[i], o) : NAN;

		if (isfinite(size) && isfinite(own) && fabs(own / size - 1) > 0.01)
			return;
		size = isfinite(own) ? own : size;
	}
	if (isfinite(size))
		fprintf(out, " of %.3g byte%s", size, fabs(size - 1) < 0.005 ? "" : "s");
}

/* Of the first vector; slices are parts of one. */
static int64_t whole_bytes(const struct document_run *r)
{
	static const char slices[] = "slices:";
	int64_t bytes = 0;

	for (size_t i = 0; i < r->nvectors; i++) {
		const char *node = r->vectors[i].asked_node;

		if (!i || (node && !strncmp(node, slices, sizeof(slices) - 1)))
			bytes += r->vectors[i].bytes;
	}
	return bytes;
}

/* "4 GiB", "64 KiB to 4 GiB": of the first vector of runs */
static void say_sizes(const struct document *d, FILE *out)
{
	int64_t least = INT64_MAX, most = 0;
	char size[32];

	for (size_t i = 0; i < d->nruns; i++)
		if (!d->runs[i].skipped && d->runs[i].nvectors) {
			const int64_t bytes = whole_bytes(&d->runs[i]);

			least = bytes < least ? bytes : least;
			most = bytes > most ? bytes : most;
		}
	html_text(out, text_size((uint64_t)least, size, sizeof(size)));
	if (least == most)
		return;
	html(out, " to %s", text_size((uint64_t)most, size, sizeof(size)));
}

/* ", 8 threads, weights q4" */
static void say_values(const struct document *d, const struct document_table *t, FILE *out)
{
	for (size_t i = 0; i < t->values.count; i++) {
		const char *name = t->values.list[i].name, *value = t->values.list[i].value;
		const bool threads = rates_count_threads(d, name);

		if (threads)
			html(out, ", %p thread%s", HTML_LABEL(value),
				strcmp(value, "1") ? "s" : "");
		else
			html(out, ", %s %p", name, HTML_LABEL(value));
	}
}

void answer_subject(const struct document *d, const struct document_table *t, FILE *out)
{
	const struct kernel *k = t->operation ? registry_find(t->operation) : NULL;

	say_sizes(d, out);
	fprintf(out, " of %ss", k ? k->unit : "number");
	say_size_of_one(d, t, out);
	if (t->operation)
		html(out, ", %s", t->operation);
	say_values(d, t, out);
}

void answer_rate(const struct rates *c, struct amount rate, FILE *out)
{
	rates_figure(out, c, rate.value);
	if (isfinite(rate.low) && isfinite(rate.high))
		fprintf(out, " (%.3g .. %.3g)", grids_low(c->table->unit, rate), rate.high);
}

void answer_source(const struct stored_document *from, FILE *out)
{
	html(out, " (<a href='#%s'><code>%s</code></a>, ", from->name, from->name);
}

/* ---- all of them */

/* A line for each answer of a machine; 0: of what has none. To be freed. */
static char *say_all(const struct page *p, size_t machine)
{
	struct buffer text;
	FILE *out = buffer_open(&text);

	for (size_t i = 0; i < p->results->ndocuments; i++) {
		const struct stored_document *from = &p->results->documents[i];

		/* times of an emulated machine say nothing of a real one */
		if (from->machine != machine || document_simulated(&from->document) ||
			!answer_run(&from->document))
			continue;
		answer_rates(from, out);
		answer_crossings(from, out);
		answer_layers(from, out);
	}
	return buffer_text(&text, out);
}

static bool is_simulated(const struct page *p, size_t machine)
{
	for (size_t i = 0; i < p->results->ndocuments; i++)
		if (p->results->documents[i].machine == machine &&
			document_simulated(&p->results->documents[i].document))
			return true;
	return false;
}

/* Why a machine has none. */
static const char *reason(const struct page *p, size_t machine)
{
	return is_simulated(p, machine)
		       ? "a simulated machine, whose times say nothing of a real one"
		       : "nothing that answers it was measured";
}

/* What an answer's words mean to who has not read the argument file; `found` has the answers. */
static void say_words(const char *found, FILE *out)
{
	static const struct {
		const char *word, *means;
	} words[] = {
		{"interleave", "page by page on all nodes"},
		{"weighted:measured", "the same, more pages where there is more bandwidth"},
		{"slices", "the rows that a thread multiplies on its node"},
		{"replicate", "a copy on each node with threads"},
		{"layers", "parts of a token, after each of which all threads meet"},
	};
	size_t told = 0;

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strstr(found, words[i].word))
			fprintf(out, "%s%s: %s", told++ ? "; " : "<p class=note>", words[i].word,
				words[i].means);
	fputs(told ? ".</p>\n" : "", out);
}

void page_answer(const struct page *p, FILE *out)
{
	const size_t machines = p->results->machines.count;
	struct buffer found, lists;
	FILE *const all = buffer_open(&found), *const body = buffer_open(&lists);

	for (size_t m = 0; m <= machines; m++) {
		char *answers = say_all(p, m);

		fputs(answers, all);
		if (m && machines > 1)
			html(body, "<p class=of><strong>%s</strong>%s%s</p>\n",
				p->results->machines.word[m - 1], *answers ? ":" : ": ",
				*answers ? "" : reason(p, m));
		if (*answers)
			fprintf(body, "<ul class=answer>\n%s</ul>\n", answers);
		free(answers);
	}
	buffer_close(&found, all);
	buffer_close(&lists, body);
	if (*found.data) {
		fprintf(out,
			"<p>Where do the weights and keys of a language model go on %s, and how "
			"many threads?</p>\n%s",
			machines < 2           ? "this machine"
			: p->results->of_files ? "the machine of each result"
					       : "each machine",
			lists.data);
		say_words(found.data, out);
	}
	free(found.data);
	free(lists.data);
}

void page_answer_plain(const struct page *p, FILE *out)
{
	for (size_t m = 0; m <= p->results->machines.count; m++) {
		char *answers = say_all(p, m);

		if (*answers && m && p->results->machines.count > 1)
			fprintf(out, "%s:\n", p->results->machines.word[m - 1]);
		html_plain(out, answers);
		free(answers);
	}
}
