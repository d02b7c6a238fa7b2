/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Marks in JSON: of figures, and of a whole document. */
#ifndef JSON_TRUST_H
#define JSON_TRUST_H

#include <jansson.h>

#include "analysis/quality.h"
#include "analysis/quantity.h"
#include "measure/samples.h"

/* {word, why} */
json_t *json_trust(const struct trust *t);
/* {value, low, high, mark} */
json_t *json_marked(struct amount a, const struct trust *t);
/* The same of a quantity of a run; without mark where it has none. */
json_t *json_quantity(const struct experiment *x, size_t run, int op, int thread, enum quantity q);

/* The same of a row: of a thread of an operation or ALL_THREADS; null: not measured. */
json_t *json_mark(const struct samples *r, int op, int thread);

/* {word, firm, fair, weak, conditions, text} */
json_t *json_quality(const struct quality *q);

#endif
