/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far the figures of an experiment can be trusted. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/derive.h"
#include "document/figure.h"
#include "input/registry.h"
#include "programs/affinity-report/page.h"

static struct amount bandwidth_of(const struct document_run *r, const struct document_operation *o)
{
	const struct amount rate = document_figure(r, o, ALL_THREADS, DOCUMENT_BYTES_PER_S).amount;

	return o->njobs && o->jobs[0].kernel &&
			       trust_measures_bandwidth(registry_find(o->jobs[0].kernel)) &&
			       isfinite(rate.value)
		       ? rate
		       : AMOUNT_NONE;
}

static void add_figures(
	struct quality *q, const struct document_run *r, const struct document_operation *o)
{
	const struct trust_samples all = document_trust_samples(r, o, ALL_THREADS);
	const struct amount rate = bandwidth_of(r, o);

	for (size_t k = 0; k < o->njobs; k++) {
		const struct trust_samples own = document_trust_samples(r, o, (int)k);

		quality_add(q, &own, document_figure(r, o, (int)k, DOCUMENT_COST).amount,
			o->njobs == 1 ? rate : AMOUNT_NONE);
	}
	if (o->njobs > 1 && isfinite(rate.value))
		quality_add(
			q, &all, document_figure(r, o, ALL_THREADS, DOCUMENT_COST).amount, rate);
	quality_add_samples(q, &all);
}

void page_quality_add(struct quality *q, const struct document_run *r, const char *operation)
{
	for (size_t i = 0; i < r->operations.count; i++)
		if (!operation || !strcmp(operation, r->operations.list[i].name))
			add_figures(q, r, &r->operations.list[i]);
	for (size_t i = 0; i < r->nvectors; i++)
		if (document_is_misplaced(&r->vectors[i]))
			q->misplaced++;
		else
			q->unproven += !r->vectors[i].npages;
	q->vectors += r->nvectors;
}

struct quality page_quality_begin(const struct document *d)
{
	struct quality q = QUALITY_NONE;

	quality_add_facts(&q, &d->environment);
	q.simulated = page_simulated(d);
	q.quick = d->quick;
	q.interrupted = d->interrupted;
	return q;
}

struct quality page_quality_of(const struct document *d)
{
	struct quality q = page_quality_begin(d);

	for (size_t i = 0; i < d->nruns; i++)
		if (!d->runs[i].skipped)
			page_quality_add(&q, &d->runs[i], NULL);
	quality_judge(&q);
	return q;
}

enum trust_word page_word_of_figures(const struct document *d, enum trust_word word)
{
	struct quality q = page_quality_begin(d);

	q.figures[word]++;
	quality_judge_each(&q);
	return q.word;
}

/* ---- what the page says of it */

static void words(FILE *out, const char *rest)
{
	for (const char *blank; (blank = strstr(rest, " %")) != NULL; rest = blank + 1)
		html(out, "%.*s&nbsp;", (int)((size_t)(blank - rest)), rest);
	html_text(out, rest);
}

void page_doubts(const struct quality *q, FILE *out)
{
	static const char doubts[] = "not for conclusions";
	char *text = quality_text(q), *rest = text;

	fputs(" ", out);
	if (!strncmp(text, doubts, sizeof(doubts) - 1)) {
		fputs("<strong>Not for conclusions</strong>", out);
		rest += sizeof(doubts) - 1;
	} else {
		fputc(toupper((unsigned char)*rest++), out);
	}
	words(out, rest);
	fputs(".", out);
	free(text);
}

void page_reasons(const struct quality *q, FILE *out)
{
	char *own = quality_reasons(q), *all = quality_conditions(q);

	words(out, all);
	fputs(*all && *own ? "; " : "", out);
	words(out, *all || *own ? own : "no figures");
	free(own);
	free(all);
}

const char *page_quality_word(enum trust_word word)
{
	static const char *const words[] = {"firm", "fair", "weak: not for conclusions"};

	return words[word];
}

static void percent(FILE *out, const char *before, double value)
{
	fprintf(out, "%s%.*f", before, value < 10 ? 1 : 0, value);
}

static void intervals(FILE *out, double from, double to)
{
	fputs("<li>intervals ±", out);
	if (from < to / 1.1) {
		percent(out, "", from);
		percent(out, " to ", to);
	} else {
		percent(out, "", to);
	}
	fputs("&nbsp;%</li>\n", out);
}

void page_quality_sign(enum trust_word word, bool told, FILE *out)
{
	static const struct {
		const char *class, *sign, *word;
	} words[] = {{"ok", "●", "firm"}, {"watch", "◐", "fair"}, {"bad", "○", "weak"}};

	fprintf(out, "<li class=%s><b aria-hidden=true>%s</b> %s%s%s", words[word].class,
		words[word].sign, told ? "" : "<span class=unseen>", words[word].word,
		told ? "" : ":</span> ");
}

void page_quality(const struct quality *q, FILE *out)
{
	fputs("<ul class=quality>", out);
	page_quality_sign(q->word, true, out);
	fputs("</li>\n", out);
	if (isfinite(q->narrowest))
		intervals(out, q->narrowest, q->widest);
	fprintf(out, "<li>disturbed %lld of %lld sample%s</li>\n", (long long)q->disturbed,
		(long long)q->taken, text_s((unsigned long long)q->taken));
	if (q->vectors)
		fprintf(out, "<li>placed as asked %zu of %zu vector%s</li>\n",
			q->vectors - q->misplaced - q->unproven, q->vectors, text_s(q->vectors));
	if (q->unproven)
		fprintf(out, "<li>where %zu lie%s is not known</li>\n", q->unproven,
			q->unproven == 1 ? "s" : "");
	if (isfinite(q->others))
		fprintf(out, "<li>other programs %.0f&nbsp;%%</li>\n", q->others);
	fputs("</ul>\n", out);
}
