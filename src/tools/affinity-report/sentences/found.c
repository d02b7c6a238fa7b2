/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was found: the sentence of each experiment, those of which conclusions can be drawn first.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/text.h"
#include "affinity-report/figures/figures.h"
#include "affinity-report/sentences/sentences.h"

/* So many sentences are read; the others are folded. */
#define SENTENCES 8

struct sentence {
	const struct stored_document *of;
	const struct finding *found;
};

struct sentences {
	struct sentence *list;
	size_t count, weak; /* the weak ones are the last */
	bool simulated;     /* any: times of an emulator are nobody's performance */
};

/* Weak ones last; then the largest effect first, and of equal ones as they are on the page. */
static int by_worth(const void *a, const void *b)
{
	const struct sentence *x = a, *y = b;
	const bool weak = x->found->trust == TRUST_WEAK, other = y->found->trust == TRUST_WEAK;

	if (weak != other)
		return weak - other;
	if (x->found->effect > y->found->effect || x->found->effect < y->found->effect)
		return x->found->effect > y->found->effect ? -1 : 1;
	return x->of < y->of ? -1 : 1;
}

static void add_sentence(struct sentences *f, const struct stored_document *of)
{
	const struct finding *found = findings_first(&of->document.findings);

	if (!found)
		return;
	f->list = alloc_grow(f->list, f->count, sizeof(*f->list));
	f->list[f->count++] = (struct sentence){of, found};
	f->weak += found->trust == TRUST_WEAK;
	f->simulated |= document_simulated(&of->document);
}

static void write_one(const struct page *p, const struct sentence *s, FILE *out)
{
	char *name = page_name(p, s->of);

	page_quality_sign(s->found->trust, false, out);
	finding_say(s->found, SAY_HTML, out);
	html(out, ". <a href='#%s'>%s</a></li>\n", s->of->name, name);
	free(name);
}

static void write_list(
	const struct page *p, const struct sentences *f, size_t from, size_t to, FILE *out)
{
	fputs("<ul class=findings>\n", out);
	for (size_t i = from; i < to; i++)
		write_one(p, &f->list[i], out);
	fputs("</ul>\n", out);
}

static void write_folded(const struct page *p, const struct sentences *f, size_t from, size_t to,
	const char *what, bool open, FILE *out)
{
	char *summary = alloc_format("%zu %s", to - from, what);

	html_foldable_begin(out, summary, open);
	write_list(p, f, from, to, out);
	html_folded_end(out);
	free(summary);
}

static void write_all(const struct page *p, const struct sentences *f, FILE *out)
{
	const size_t told = f->count - f->weak, first = told < SENTENCES ? told : SENTENCES;

	if (first)
		write_list(p, f, 0, first, out);
	else
		fprintf(out,
			"<p class=prose>No result allows conclusions: "
			"the section of each experiment says why.%s</p>\n",
			f->simulated ? " On a simulated machine it counts where threads and data "
				       "were; times there are those of the simulation."
				     : "");
	if (first < told)
		write_folded(p, f, first, told, "more, with smaller effects", false, out);
	if (f->weak)
		write_folded(p, f, told, f->count, "weak: not for conclusions",
			!first && !f->simulated, out);
	fputs("<p class=note>● firm: intervals of at most 3&nbsp;%, at most 5&nbsp;% of the "
	      "samples "
	      "disturbed. ◐ fair: 10&nbsp;% and 50&nbsp;%. ○ weak: the rest, and all of trials "
	      "and simulated machines. The largest effects come first.</p>\n",
		out);
}

void page_findings(const struct page *p, FILE *out)
{
	struct sentences f = {0};

	for (size_t i = 0; i < p->results->ndocuments; i++)
		add_sentence(&f, &p->results->documents[i]);
	page_title(p, out, "h2 id='found'", "What was found");
	if (f.count) {
		qsort(f.list, f.count, sizeof(*f.list), by_worth);
		write_all(p, &f, out);
	} else {
		fputs("<p class=prose>No run was measured: the section of each experiment says "
		      "why.</p>\n",
			out);
	}
	free(f.list);
}
