/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --advise where so many placements are open that not all can be predicted: the best are found by
 * branch and bound (search.h). */
#ifndef BRANCH_AND_BOUND_H
#define BRANCH_AND_BOUND_H

#include "input/sweep.h"
#include "prediction/training.h"

struct exploration {
	size_t *combinations; /* [count] of the sweep, ascending: the best, and the baseline */
	size_t count;
	double open;   /* all combinations */
	size_t costs;  /* placements that were predicted */
	bool whole;    /* no other one is better than the worst of the best */
	double left_s; /* else: it costs this at least */
};

/* Of an opened file (advice_open()). 0, or -1 with messages: nothing of it can be placed or
 * predicted. explore_free() in both cases. */
int explore(struct exploration *x, struct training *set, const struct args *a, struct errors *e);
void explore_free(struct exploration *x);

#endif
