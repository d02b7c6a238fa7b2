/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the head of the page and the machine. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "affinity-report/page.h"

static const struct document *document_at(const struct page *p, size_t i)
{
	return &p->results->documents[i].document;
}

/* The newest document; if several are of the same second, the last of them. */
const struct document *page_newest(const struct page *p)
{
	const struct document *d = document_at(p, 0);

	for (size_t i = 1; i < p->results->ndocuments; i++)
		if (strcmp(document_fact(document_at(p, i), "date"), document_fact(d, "date")) >= 0)
			d = document_at(p, i);
	return d;
}

static const char *oldest_date(const struct page *p)
{
	const char *date = document_fact(document_at(p, 0), "date");

	for (size_t i = 1; i < p->results->ndocuments; i++)
		if (strcmp(document_fact(document_at(p, i), "date"), date) < 0)
			date = document_fact(document_at(p, i), "date");
	return date;
}

static void fact(FILE *out, const char *name, const char *value)
{
	fputs("<tr><th scope=row>", out);
	page_fact_name(out, name);
	html(out, "</th><td>%s</td></tr>\n", value);
}

static void begin_facts(FILE *out)
{
	fputs("<div class=scroll><table class=facts><tbody>\n", out);
}

static void end_facts(FILE *out)
{
	fputs("</tbody></table></div>\n", out);
}

/* ---- head */

static bool is_set(const struct document *d, const char *word)
{
	for (size_t i = 0; i < d->arguments.set.count; i++)
		if (!strcmp(d->arguments.set.list[i], word))
			return true;
	return false;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The settings that replaced those of the files in all experiments: "k=v, l=w", or "". To be freed.
 */
static char *overrides(const struct page *p)
{
	const struct document_texts *first = &document_at(p, 0)->arguments.set;
	struct words common = {0};
	char *text = alloc_string("", 0);

	for (size_t i = 0; i < first->count; i++) {
		bool all = true;

		for (size_t k = 0; k < p->results->ndocuments; k++)
			all = all && is_set(document_at(p, k), first->list[i]);
		if (all)
			words_add(&common, first->list[i], strlen(first->list[i]));
	}
	if (common.count)
		qsort(common.word, common.count, sizeof(*common.word), by_text);
	for (size_t i = 0; i < common.count; i++)
		if (!i || strcmp(common.word[i], common.word[i - 1]) != 0)
			alloc_append(&text, ", ", "%s", common.word[i]);
	words_free(&common);
	return text;
}

static const char *simulation(const struct page *p)
{
	for (size_t i = 0; i < p->results->ndocuments; i++)
		if (document_simulated(document_at(p, i)))
			return document_fact(document_at(p, i), "simulated");
	return NULL;
}

/* Is any thread on a core of a known kind? */
static bool has_kinds(const struct document *d)
{
	for (size_t i = 0; i < d->nruns; i++)
		for (size_t k = 0; k < d->runs[i].nthreads; k++)
			if (d->runs[i].threads[k].kind)
				return true;
	return false;
}

/* "2026-11-22 10:02 UTC" of "2026-11-22T10:02:34Z"; another text as it is. To be freed. */
static char *moment(const char *date)
{
	if (strlen(date) == 20 && date[10] == 'T' && date[19] == 'Z')
		return alloc_format("%.10s %.5s UTC", date, date + 11);
	return alloc_string(date, strlen(date));
}

static void write_when_measured(const struct page *p, FILE *out)
{
	char *first = moment(oldest_date(p));
	char *last = moment(document_fact(page_newest(p), "date"));
	size_t n = p->results->ndocuments, missing = p->results->nnotes;

	html(out, "<p>Measured %s%s%s: %zu experiment%s", first, strcmp(first, last) ? " to " : "",
		strcmp(first, last) ? last : "", n, n == 1 ? "" : "s");
	if (missing)
		fprintf(out, ", <a href='#skipped'>%zu not measured</a>", missing);
	fputs(".</p>\n", out);
	free(first);
	free(last);
}

static void made_by(const struct document *d, FILE *out)
{
	html(out,
		"<p class=note>affinity %s · %s · %s · %s · ± is half of the confidence "
		"interval</p>\n",
		document_fact(d, "affinity_version"), document_fact(d, "kernel"),
		document_fact(d, "architecture"), document_fact(d, "compiler"));
}

/* What not every page has. */
static void head_facts(const struct page *p, const struct document *d, FILE *out)
{
	const char *simulated = simulation(p);
	char *set = overrides(p);

	begin_facts(out);
	if (has_kinds(d))
		fact(out, "kinds of cores", document_fact(d, "core_kinds"));
	if (*set)
		fact(out, "set for all", set);
	if (simulated)
		fact(out, "simulated", simulated);
	end_facts(out);
	free(set);
}

static void hardware(const struct document *d, FILE *out)
{
	html(out, "<p class=lead>%s; %s.</p>\n", document_fact(d, "cpu_model"),
		document_fact(d, "caches"));
}

void page_heading(const struct page *p, FILE *out)
{
	const struct document *d = page_newest(p);
	size_t machines = p->results->machines.count;
	const char *topology = document_fact(d, "topology");
	char *title = machines ? alloc_format("%zu %s", machines,
					 p->results->of_files ? "results" : "machines")
			       : alloc_format("%s: %s", document_fact(d, "host"), topology);

	fputs("<header>\n", out);
	page_title(p, out, "h1", title);
	if (machines)
		page_each_machine(p, out);
	else
		hardware(d, out);
	write_when_measured(p, out);
	page_conditions(p, out);
	page_answer(p, out);
	head_facts(p, d, out);
	made_by(d, out);
	fputs("</header>\n", out);
	free(title);
}

void page_machine(const struct page *p, FILE *out)
{
	const struct environment *facts = &page_newest(p)->environment;
	const char *topology = stored_picture(p->results, "topology");

	page_title(p, out, "h2 id='machine'", "The machine");
	page_words(p, out);
	if (topology) {
		fprintf(out,
			"<figure class=scroll><img class=topology alt='Topology of the machine' "
			"src='data:image/svg+xml;base64,%s'></figure>\n",
			topology);
		html_folded_begin(out, "All facts about it");
	}
	begin_facts(out);
	for (size_t i = 0; i < facts->count; i++)
		fact(out, facts->facts[i].name, facts->facts[i].value);
	end_facts(out);
	if (topology)
		html_folded_end(out);
}
