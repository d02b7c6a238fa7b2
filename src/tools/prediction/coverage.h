/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which threads a profile has together. Between what was measured the model interpolates; beyond it
 * nothing tells how far it is off, and the intervals of other runs are no answer.
 */
#ifndef COVERAGE_H
#define COVERAGE_H

#include "prediction/training.h"

/* NULL, or why the threads of a view, which wait for each other in memory, are not covered, to be
 * freed: a kernel that was measured alone only, nearer or farther than it was measured beside
 * others, kernels that were not measured on one vector, or twice as many threads at a memory or
 * more. What distances there were is of no matter where vectors are on several nodes. */
char *coverage_refuse(const struct training *t, const struct modelled_view *v);

#endif
