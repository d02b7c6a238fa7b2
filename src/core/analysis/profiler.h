/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The profiler of V.-O. Politis (NTUA 2021, section 4.3) within a sweep: rhp_frag_profiler is
 * rhp_frag whose vectors are moved back to the node of their threads before they are measured, if
 * far huge pages cost more than they gain. Both are taken from runs that the sweep has before it:
 * near in huge pages (baseline), near in small ones (smallPages), and rhp_frag.
 */
#ifndef PROFILER_H
#define PROFILER_H

#include "measure/experiment.h"

/* Has each such run the runs that it needs, before it? 0, or -1 with a message (STATUS_USAGE). */
int profiler_check(const struct experiment *x, struct errors *e);

/* An experiment_judge. Gain: huge_gain. Cost: stall_cost where stalls are counted, else by which
 * part rhp_frag takes longer than the baseline. 0, or -1 with a message (STATUS_PLACEMENT): one of
 * the runs has no samples. */
int profiler_judge(const struct experiment *x, size_t run, struct judgement *j, struct errors *e);

#endif
