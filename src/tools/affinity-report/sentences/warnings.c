/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Warnings of all experiments, and facts that differ between experiments. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "affinity-report/figures/figures.h"
#include "affinity-report/sentences/sentences.h"

/* A warning names up to this many experiments; if there are more, it states their number. */
#define NAMED_EXPERIMENTS 3

static const struct document *document_at(const struct page *p, size_t i)
{
	return &p->results->documents[i].document;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names of facts contain _ instead of blanks. */
void page_fact_name(FILE *out, const char *name)
{
	for (; *name; name++)
		html_text_n(out, *name == '_' ? " " : name, 1);
}

struct found_warning {
	const char *text, *hint; /* hint NULL: none */
	const char *name;        /* name of the experiment */
	char *like;              /* the text with # in place of numbers */
	size_t order;            /* in the order in which they were found */
};

static bool is_numeric(char c)
{
	return isdigit((unsigned char)c) || c == '.';
}

static char *without_numbers(const char *text)
{
	char *like = alloc_string(text, strlen(text)), *to = like;

	while (*text) {
		if (!is_numeric(*text)) {
			*to++ = *text++;
			continue;
		}
		*to++ = '#';
		while (is_numeric(*text))
			text++;
	}
	*to = '\0';
	return like;
}

/* Finds the next number of a text, starting at *text. False: there are no more. */
static bool next_number(const char **text, double *number)
{
	while (**text) {
		const char *from = *text;
		char *end;

		while (is_numeric(**text))
			(*text)++;
		if (*text == from) {
			(*text)++;
			continue;
		}
		*number = strtod(from, &end);
		if (end == *text)
			return true;
	}
	return false;
}

/* Compares texts by their numbers: the more serious warning has the larger ones. */
static int compare_numbers(const char *a, const char *b)
{
	for (;;) {
		double x, y;
		bool more_a = next_number(&a, &x), more_b = next_number(&b, &y);

		if (!more_a || !more_b)
			return more_a - more_b;
		if (x != y)
			return x > y ? 1 : -1;
	}
}

static int compare_hints(const char *a, const char *b)
{
	if (!a || !b)
		return (a != NULL) - (b != NULL);
	return strcmp(a, b);
}

static int by_likeness(const void *a, const void *b)
{
	const struct found_warning *x = a, *y = b;
	int order = strcmp(x->like, y->like);

	return order ? order : (x->order > y->order) - (x->order < y->order);
}

static int by_hint(const void *a, const void *b)
{
	const struct document_message *x = a, *y = b;
	int order = compare_hints(x->hint, y->hint);

	return order ? order : strcmp(x->text, y->text);
}

/* Adds each warning of a document once. */
static struct found_warning *add_warnings(
	struct found_warning *list, size_t *n, const struct stored_document *s)
{
	const struct document *d = &s->document;
	struct document_message *sorted = alloc_zeroed(d->nwarnings + 1, sizeof(*sorted));

	for (size_t i = 0; i < d->nwarnings; i++)
		sorted[i] = d->warnings[i];
	qsort(sorted, d->nwarnings, sizeof(*sorted), by_hint);
	for (size_t i = 0; i < d->nwarnings; i++) {
		if (i && !by_hint(&sorted[i], &sorted[i - 1]))
			continue;
		const char *text = error_plain(sorted[i].text);

		list = alloc_grow(list, *n, sizeof(*list));
		list[*n] = (struct found_warning){
			text, sorted[i].hint, s->name, without_numbers(text), *n};
		++*n;
	}
	free(sorted);
	return list;
}

/* The experiments of warnings that differ only in their numbers. */
static void experiments(const struct page *p, const struct found_warning *w, size_t n, FILE *out)
{
	struct words names = {0};
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		words_add(&names, w[i].name, strlen(w[i].name));
	qsort(names.word, names.count, sizeof(*names.word), by_text);
	for (size_t i = 0; i < names.count; i++)
		count += !i || strcmp(names.word[i], names.word[i - 1]);
	fputs(" <small>(", out);
	if (count == p->results->ndocuments)
		fputs("every experiment", out);
	else if (count > NAMED_EXPERIMENTS)
		fprintf(out, "%zu of %zu experiments", count, p->results->ndocuments);
	for (size_t i = 0; count < p->results->ndocuments && count <= NAMED_EXPERIMENTS && i < n;
		i++) {
		if (i && !strcmp(names.word[i], names.word[i - 1]))
			continue;
		html(out, "%s%s", i ? ", " : "", names.word[i]);
	}
	fputs(")</small></li>\n", out);
	words_free(&names);
}

static void one_warning(const struct page *p, const struct found_warning *w, size_t n, FILE *out)
{
	const struct found_warning *gravest = w;

	for (size_t i = 1; i < n; i++)
		if (compare_numbers(w[i].text, gravest->text) >= 0)
			gravest = &w[i];
	html(out, "<li>%s", gravest->text);
	if (gravest->hint)
		html(out, "; <em>%s</em>", gravest->hint);
	experiments(p, w, n, out);
}

/* ---- facts that were not always the same */

/* Facts that differ in every experiment are not reported. */
static bool always_differs(const char *name)
{
	static const char *const names[] = {"date", "load_average", "clock", "slurm_job"};
	static const char during[] = "_during_run";
	size_t n = strlen(name), m = sizeof(during) - 1;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return n >= m && !strcmp(name + n - m, during);
}

static int by_pair(const void *a, const void *b)
{
	const struct document_pair *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : strcmp(x->value, y->value);
}

/* All pairs of name and value, without repetition, sorted; to be freed. */
static struct document_pair *all_facts(const struct page *p, size_t *count)
{
	struct document_pair *list = NULL;
	size_t n = 0, kept = 0;

	for (size_t i = 0; i < p->results->ndocuments; i++)
		for (size_t k = 0; k < document_at(p, i)->environment.count; k++) {
			list = alloc_grow(list, n, sizeof(*list));
			const struct fact *f = &document_at(p, i)->environment.facts[k];

			list[n++] = (struct document_pair){f->name, f->value};
		}
	if (n)
		qsort(list, n, sizeof(*list), by_pair);
	for (size_t i = 0; i < n; i++)
		if (!always_differs(list[i].name) && (!kept || by_pair(&list[kept - 1], &list[i])))
			list[kept++] = list[i];
	*count = kept;
	return list;
}

static void changes(const struct page *p, FILE *out)
{
	size_t n, same;
	struct document_pair *facts = all_facts(p, &n);
	bool any = false;

	for (size_t i = 0; i < n; i += same) {
		for (same = 1; i + same < n && !strcmp(facts[i + same].name, facts[i].name);)
			same++;
		if (same == 1)
			continue;
		fputs(any ? "" : "<p>Not the same in all experiments:</p>\n<ul class=warnings>",
			out);
		any = true;
		fputs("<li>", out);
		page_fact_name(out, facts[i].name);
		for (size_t k = 0; k < same; k++)
			html(out, "%s%s", k ? "; " : ": ", facts[i + k].value);
		fputs("</li>\n", out);
	}
	fputs(any ? "</ul>\n" : "", out);
	free(facts);
}

void page_warnings(const struct page *p, FILE *out)
{
	struct found_warning *list = NULL;
	size_t n = 0, alike;

	for (size_t i = 0; i < p->results->ndocuments; i++)
		list = add_warnings(list, &n, &p->results->documents[i]);
	if (n)
		qsort(list, n, sizeof(*list), by_likeness);
	page_title(p, out, "h2 id='warnings'", "Warnings");
	fputs(n ? "<ul class=warnings>\n" : "<p>None.</p>\n", out);
	for (size_t i = 0; i < n; i += alike) {
		for (alike = 1; i + alike < n && !strcmp(list[i + alike].like, list[i].like);)
			alike++;
		one_warning(p, &list[i], alike, out);
	}
	if (n)
		fputs("</ul>\n<p>Where several warnings are alike, the gravest is shown.</p>\n",
			out);
	changes(p, out);
	for (size_t i = 0; i < n; i++)
		free(list[i].like);
	free(list);
}
