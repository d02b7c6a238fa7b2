/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What results say in JSON, and what is told without measuring says alike. */
#ifndef JSON_COMMON_H
#define JSON_COMMON_H

#include <jansson.h>

#include "input/sweep.h"
#include "plan/plan.h"

/* {variable: value} of a run of the sweep. */
json_t *json_variables(const struct sweep *s, size_t run);

/* Of a request: null: until costs have settled. */
json_t *json_warmup(const struct request *q);

/* Where a thread is to be and what it uses: node, core, cpu (null: it is not bound), kind,
 * shares_core, vectors. */
json_t *json_thread(const struct plan *p, int thread);

#endif
