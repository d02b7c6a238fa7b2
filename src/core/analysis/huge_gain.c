/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Far huge pages of a run, and what small pages would cost it. */
#include "analysis/huge_gain.h"

#include <string.h>

#include "analysis/translation.h"

struct share {
	double far, all; /* pages */
};

/* Pages that are far can only be those in huge ones if all are: of a vector that is partly in small
 * pages nothing shows which of the two are far, so its least possible part counts. */
static double far_huge(const struct placement *p, int node)
{
	const double pages = (double)p->pages.pages, base = (double)mem_base_page();
	const double huge = p->sizes.kernel_page_bytes > mem_base_page()
				    ? pages
				    : fmin(pages, (double)p->sizes.huge_bytes / base);
	const double far = pages - (double)p->pages.absent - (double)p->pages.on_node[node];

	return fmax(0, far + huge - pages);
}

static bool shows_gain(const struct placement *p)
{
	return p->pages.pages && p->sizes.proof != MEM_SIZES_BY_NOTHING;
}

/* 0, or -1: not known. */
static int add_thread(const struct run *t, const struct plan_thread *thread, struct share *s)
{
	const struct prepared *r = &t->prepared;

	if (thread->node < 0)
		return -1;
	for (size_t i = 0; i < r->made; i++)
		for (int v = 0; v < thread->nvectors; v++) {
			const struct placement *p = prepare_found(r, i, thread->vector_ids[v]);

			if (!shows_gain(p))
				return -1;
			s->far += far_huge(p, thread->node);
			s->all += (double)p->pages.pages;
		}
	return 0;
}

double huge_gain_far(const struct run *t, int thread)
{
	struct share s = {0, 0};

	for (int k = 0; k < t->plan.nthreads; k++)
		if ((thread == ALL_THREADS || thread == k) &&
			add_thread(t, &t->plan.threads[k], &s))
			return NAN;
	return s.all > 0 ? s.far / s.all : NAN;
}

struct amount huge_gain_of(const struct experiment *x, size_t run, int op, int thread)
{
	const long small = derive_named_index(x, &x->file.small_pages, run),
		   base = derive_baseline_index(x, run);
	double base_s;

	if (small < 0 || base < 0 || base != derive_baseline_index(x, (size_t)small) ||
		!derive_comparable(x, (size_t)small, run, op, thread))
		return AMOUNT_NONE;
	const struct amount faster = derive_gain(x, (size_t)small, op, thread, &base_s),
			    longer = amount_inverse(faster);
	const double far = huge_gain_far(&x->runs[run], thread);

	if (far == 0) /* never -0, which small pages that cost less would make of it */
		return (struct amount){longer.value * 0, longer.low * 0, longer.high * 0};
	return (struct amount){100 * translation_gain(far, longer.value - 1),
		100 * translation_gain(far, longer.low - 1),
		100 * translation_gain(far, longer.high - 1)};
}

static bool has_name_word(const struct words *words, const char *word)
{
	const size_t length = (size_t)(strchr(word, '=') - word) + 1;

	for (size_t i = 0; i < words->count; i++)
		if (!strncmp(words->word[i], word, length))
			return true;
	return false;
}

/* Otherwise the run with small pages would be compared with several baselines. */
static bool name_the_same(const struct words *a, const struct words *b)
{
	for (size_t i = 0; i < a->count; i++)
		if (!has_name_word(b, a->word[i]))
			return false;
	return a->count && b->count;
}

bool huge_gain_asked(const struct experiment *x)
{
	const struct words *base = &x->file.baseline, *small = &x->file.small_pages;

	return name_the_same(base, small) && name_the_same(small, base);
}
