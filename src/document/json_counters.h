/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The counters' parts of the document; for json.c. */
#ifndef REPORT_JSON_COUNTERS_H
#define REPORT_JSON_COUNTERS_H

#include "analysis/derive.h"

struct json_t;

/* What is counted, and how. */
struct json_t *json_counting(const struct counting *c);

/* Of a thread in an operation: a figure of each metric. */
struct json_t *json_counters(const struct samples *r, int op, int thread);

#endif
