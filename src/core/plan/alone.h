/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan as one of its threads would have it alone, for solo: yes. */
#ifndef PLAN_ALONE_H
#define PLAN_ALONE_H

#include "plan/plan.h"

/* Makes a view of the plan with thread k alone, all else equal. It shares everything with p but the
 * operations, so p must outlive it. */
void plan_alone(const struct plan *p, int k, struct plan *view);
void plan_alone_free(struct plan *view);

#endif
