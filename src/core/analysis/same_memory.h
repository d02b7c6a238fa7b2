/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Placements that are the same memory: on a machine with one node, all are. */
#ifndef SAME_MEMORY_H
#define SAME_MEMORY_H

#include "plan/plan.h"

/* Does the first vector of both ask for other nodes, and are all vectors of both on the same one
 * node alone? What such runs differ in is no matter of placement. */
bool same_memory(const struct plan *a, const struct plan *b);

#endif
