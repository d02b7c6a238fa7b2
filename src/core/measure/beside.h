/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Marks the samples during which another program worked beside a thread of the operation. */
#ifndef BESIDE_H
#define BESIDE_H

#include "plan/plan.h"
#include "system/near.h"

struct op_result;

/* Of an operation in all its placements: those of short samples are looked at together. */
struct beside {
	struct near near;
	bool made;
	size_t looked; /* samples before have their DISTURBED_SIBLING */
};

/* A placement begins. used: the CPUs of all runs with interleave, which are sampled in turns, or of
 * a run and its load; NULL: those of the plan. */
void beside_begin(struct beside *s, const struct plan *p, const bool *used);

/* Marks the samples since the last look, if it is time for one, or `now`. */
void beside_look(struct beside *s, struct op_result *r, bool now);

/* The placement ends. */
void beside_end(struct beside *s, struct op_result *r, bool last);

void beside_free(struct beside *s);

#endif
