/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which runs have the same threads as a view, or threads that differ from it in one number only. */
#ifndef LIKENESS_H
#define LIKENESS_H

#include "prediction/modelled.h"

/* What a run has otherwise than a view; not any: nothing. */
struct number {
	bool any;
	const struct param *param; /* NULL: bytes that caches hold */
	double own, other;         /* of the view, and of the run */
};

/* Has a run the threads of a view, but for one number? */
bool likeness_find(const struct modelled *s, const struct modelled_view *v,
	const struct modelled_view *r, struct number *n);

/* Are as many threads of two views as near to each other? Which is which does not matter where all
 * do the same. */
bool likeness_is_near(
	const struct topo *t, const struct modelled_view *a, const struct modelled_view *b);

/* But for MODELLED_SAME. */
bool likeness_is_equal(double a, double b);

#endif
