/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples in the JSON document, what disturbed them and the clock rates beside them. */
#ifndef JSON_SAMPLES_H
#define JSON_SAMPLES_H

#include <jansson.h>

#include "document/stream.h"
#include "measure/samples.h"

/* A thread's part of all samples of an operation, as member "samples". */
void json_samples(struct stream *s, const struct samples *r, int op, int thread);

/* How many samples of an operation there are, and what disturbed them. */
json_t *json_tally(const struct samples *r, int op);

/* The cost that had not settled when samples began to count; null: all had. */
json_t *json_settling(const struct samples *r, int op);

/* The clock rate of a thread's core in an operation; null if it was not measured. */
json_t *json_clock(const struct samples *r, int op, int thread);

#endif
