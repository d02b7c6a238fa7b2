/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the document that describe counters; for json.c. */
#ifndef REPORT_JSON_COUNTERS_H
#define REPORT_JSON_COUNTERS_H

#include "analysis/derive.h"

struct json_t;

/* What is counted, and how. */
struct json_t *json_counting(const struct counting *c);

/* One thread in one operation: a figure for each metric. */
struct json_t *json_counters(const struct samples *r, int op, int thread);

#endif
