/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far the figures of an experiment can be trusted. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "affinity-report/sentences/sentences.h"

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

const char *page_quality_word(enum trust_word word)
{
	static const char *const words[] = {"firm", "fair", "weak: not for conclusions"};

	return words[word];
}

static void write_percent(FILE *out, const char *before, double value)
{
	fprintf(out, "%s%.*f", before, value < 10 ? 1 : 0, value);
}

static void intervals(FILE *out, double from, double to)
{
	fputs("<li>intervals ±", out);
	if (from < to / 1.1) {
		write_percent(out, "", from);
		write_percent(out, " to ", to);
	} else {
		write_percent(out, "", to);
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

static void name_lost(const struct document *d, FILE *out)
{
	size_t lost = 0;

	for (size_t i = 0; i < d->nruns; i++)
		lost += d->runs[i].lost;
	if (lost)
		fprintf(out, " %zu of %zu runs lost.", lost, d->nruns);
}

void page_verdict(const struct document *d, FILE *out)
{
	const struct quality q = document_quality_of(d);
	static const struct finding_frame paragraph = {"<p class=verdict>", " ", ""};

	if (!findings_say(&d->findings, FINDING_HEADLINE, &paragraph, SAY_HTML, out))
		return;
	page_doubts(&q, out);
	name_lost(d, out);
	fputs("</p>\n", out);
	page_quality(&q, out);
}
