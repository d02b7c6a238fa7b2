/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What tables show of statistics/crossing.h: after how many uses a move has paid, and from which
 * value of a variable on a run is cheaper than its baseline.
 */
#ifndef CROSSINGS_H
#define CROSSINGS_H

#include "analysis/view.h"

/* After how many passes of this operation it has paid to move the vectors first: cost of the run's
 * `migrate` / (cost of a pass here - cost of a pass in the baseline's run). In passes, and in
 * seconds that these take without the move: break-even * cost of a pass here. AMOUNT_NONE for the
 * run of the baseline, for `migrate` itself, and where crossings_check() warns. */
struct amount crossings_break_even(const struct experiment *x, size_t run, int op, int thread);
struct amount crossings_break_even_time(const struct experiment *x, size_t run, int op, int thread);

/* The value of the variable v->along from which on the costs of these runs are below those of their
 * baselines; QUANTITY_CROSSING_TIME: the seconds that a baseline takes there (crossing_base()). One
 * run for each value of the variable; op -1: there is none. */
struct crossings_run {
	long run;
	int op;
};
struct amount crossings_along(const struct experiment *x, const struct view *v,
	const struct crossings_run *runs, int thread);

/* The mark of what is found in them: the worst of their samples and of their baselines'. */
struct trust crossings_trust(
	const struct experiment *x, const struct crossings_run *runs, size_t n, int thread);

/* Has any run the kernel migrate? */
bool crossings_any_move(const struct experiment *x);

/* Can it be found, and is it asked for as it must be? 0, or -1 with a message (STATUS_USAGE): a
 * variable of no numbers, a mean. Warns where the plans already say that there is nothing to break
 * even. */
int crossings_check(const struct view *v, const struct experiment *x, struct errors *e);

#endif
