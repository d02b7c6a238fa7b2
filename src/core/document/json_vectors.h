/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The vectors of a run as JSON: what was asked for, and what was found in each placement. */
#ifndef JSON_VECTORS_H
#define JSON_VECTORS_H

#include <jansson.h>

#include "measure/experiment.h"
#include "placement/prepare.h"

/* A list in the order of the vectors. */
json_t *json_vectors(const struct prepared *r);

/* The nodes of leaveHuge and what was left there, a list; NULL without that key. */
json_t *json_leaves(const struct prepared *r);

/* What rhp_frag_profiler was judged by. */
json_t *json_profiler(const struct experiment *x, size_t run);

/* With physicalRanges: yes, those of the last placement. */
json_t *json_physical(const struct run *t);

/* {"0": 64, "1": 32}: base pages by node. */
json_t *json_pages_by_node(const struct mem_found *found);

#endif
