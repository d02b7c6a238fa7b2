/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far the figures of an experiment can be trusted. */
#include <math.h>

#include "programs/affinity-report/page.h"

struct grade {
	double interval, disturbed, others, steal; /* at most, in percent */
};

static const struct grade firm = {3, 5, 5, 1}, fair = {10, 20, 20, 5};

static void add_figures(struct quality *q, const struct document_operation *o)
{
	for (size_t k = 0; k < o->njobs; k++) {
		struct amount a = o->jobs[k].figures.cost;
		double percent = (a.high - a.low) / 2 / a.value * 100;

		if (!isfinite(a.value) || a.value <= 0)
			continue;
		if (!isfinite(percent)) {
			q->without_interval++;
			continue;
		}
		q->narrowest = fmin(q->narrowest, percent);
		q->widest = fmax(q->widest, percent);
	}
	q->taken += o->samples.taken;
	q->disturbed += o->samples.disturbed;
}

/* Were pages not there, elsewhere, or moved? Names of several nodes ask for none of them. */
static bool is_misplaced(const struct document_vector *v)
{
	if (v->pages_absent > 0 || v->pages_moved > 0)
		return true;
	return v->npages && v->only_node >= 0 &&
	       (v->npages > 1 || v->pages[0].node != v->only_node);
}

static void add_run(struct quality *q, const struct document_run *r)
{
	for (size_t i = 0; i < r->operations.count; i++)
		add_figures(q, &r->operations.list[i]);
	for (size_t i = 0; i < r->nvectors; i++)
		if (is_misplaced(&r->vectors[i]))
			q->misplaced++;
		else
			q->unproven += !r->vectors[i].npages;
	q->vectors += r->nvectors;
}

static bool reaches(const struct quality *q, const struct grade *g)
{
	/* of what is not recorded nothing bad is known; that is not firm */
	return q->widest <= g->interval && !(q->others > g->others) && !(q->steal > g->steal) &&
	       (g != &firm || (isfinite(q->others) && !q->unproven)) &&
	       (double)q->disturbed * 100 <= g->disturbed * (double)q->taken;
}

struct quality page_quality_of(const struct document *d)
{
	struct quality q = {.narrowest = INFINITY,
		.others = page_others_load(d),
		.steal = page_steal(d),
		.throttled = page_throttled(d),
		.simulated = page_simulated(d),
		.quick = page_is_quick(d),
		.interrupted = d->interrupted};

	for (size_t i = 0; i < d->nruns; i++)
		if (!d->runs[i].skipped)
			add_run(&q, &d->runs[i]);
	bool sound = !q.simulated && !q.quick && !q.interrupted && !q.throttled && !q.misplaced &&
		     !q.without_interval && isfinite(q.narrowest);

	q.word = sound && reaches(&q, &firm)   ? QUALITY_FIRM
		 : sound && reaches(&q, &fair) ? QUALITY_FAIR
					       : QUALITY_WEAK;
	return q;
}

/* ---- what the page says of it */

static void reason(FILE *out, bool *any, bool holds, const char *text)
{
	if (!holds)
		return;
	fprintf(out, "%s%s", *any ? ", " : ": ", text);
	*any = true;
}

void page_doubts(const struct quality *q, FILE *out)
{
	bool any = false;

	if (q->word != QUALITY_WEAK) {
		fputs(q->word == QUALITY_FIRM ? " Quiet." : " Fairly quiet.", out);
		return;
	}
	fputs(" <strong>Not for conclusions</strong>", out);
	reason(out, &any, q->simulated, "a simulated machine");
	reason(out, &any, q->quick, "a quick trial");
	reason(out, &any, q->interrupted, "interrupted");
	reason(out, &any, q->without_interval, "figures without an interval");
	if (q->widest > fair.interval) {
		reason(out, &any, true, "intervals of up to ");
		fprintf(out, "%.0f&nbsp;%%", q->widest);
	}
	if ((double)q->disturbed * 100 > fair.disturbed * (double)q->taken) {
		reason(out, &any, true, "disturbed samples: ");
		fprintf(out, "%lld of %lld", (long long)q->disturbed, (long long)q->taken);
	}
	if (q->others > fair.others) {
		reason(out, &any, true, "other programs used ");
		fprintf(out, "%.0f&nbsp;%% of the CPUs", q->others);
	}
	if (q->steal > fair.steal) {
		reason(out, &any, true, "the hypervisor took ");
		fprintf(out, "%.0f&nbsp;%% of the CPUs", q->steal);
	}
	reason(out, &any, q->throttled, "a CPU quota stopped threads");
	reason(out, &any, q->misplaced, "pages that are not where they were asked for");
	fputs(".", out);
}

const char *page_quality_word(enum quality_word word)
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

void page_quality(const struct quality *q, FILE *out)
{
	static const struct {
		const char *class, *sign, *word;
	} words[] = {{"ok", "●", "firm"}, {"watch", "◐", "fair"}, {"bad", "○", "weak"}};

	fprintf(out, "<ul class=quality><li class=%s><b aria-hidden=true>%s</b> %s</li>\n",
		words[q->word].class, words[q->word].sign, words[q->word].word);
	if (isfinite(q->narrowest))
		intervals(out, q->narrowest, q->widest);
	fprintf(out, "<li>disturbed %lld of %lld samples</li>\n", (long long)q->disturbed,
		(long long)q->taken);
	if (q->vectors)
		fprintf(out, "<li>placed as asked %zu of %zu vectors</li>\n",
			q->vectors - q->misplaced - q->unproven, q->vectors);
	if (q->unproven)
		fprintf(out, "<li>where %zu lie is not known</li>\n", q->unproven);
	if (isfinite(q->others))
		fprintf(out, "<li>other programs %.0f&nbsp;%%</li>\n", q->others);
	fputs("</ul>\n", out);
}
