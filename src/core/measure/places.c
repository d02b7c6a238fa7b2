/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks for the node of each page, outside the samples. */
#include "measure/places.h"

#include "base/alloc.h"
#include "placement/touch.h"

static bool any_uses_vector(const struct plan *p, int vector)
{
	for (int i = 0; i < p->nthreads; i++)
		if (plan_uses(&p->threads[i], vector))
			return true;
	return false;
}

struct op_places *places_before(const struct prepared *r, const struct workers *c)
{
	if (!plan_may_move(c->op, c->plan->nthreads))
		return NULL;
	struct op_places *places = alloc_zeroed((size_t)r->plan->nvectors, sizeof(*places));

	for (int i = 0; i < r->plan->nvectors; i++)
		if (any_uses_vector(c->plan, i))
			places[i].before = r->last[i].pages;
	return places;
}

/* What the kernel does not tell is left out: whether it has to tell was judged before. */
void places_after(struct op_places *places, const struct prepared *r, const struct workers *c)
{
	for (int i = 0; places && i < r->plan->nvectors; i++) {
		struct errors ignored = {0};
		struct touched now = {0};

		if (places[i].before.pages && !touch_find(r->plan, &r->mems[i], c->cpus,
						      c->plan->nthreads, r->rights, &now, &ignored))
			places[i].after = now.pages;
		errors_free(&ignored);
	}
}
