/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the answer at the head of the page. Each writes items of a list, of a document of a
 * real machine, or nothing where its tables do not show it. */
#ifndef ANSWER_H
#define ANSWER_H

#include "affinity-report/page.h"
#include "affinity-report/rates.h"

/* answer_rates.c: the best placement and number of threads */
void answer_rates(const struct stored_document *from, FILE *out);
/* answer_crossings.c: from which size or number of threads on placements are quicker than one node
 */
void answer_crossings(const struct stored_document *from, FILE *out);
/* layers.c: what meetings after each layer take */
void answer_layers(const struct stored_document *from, FILE *out);

/* The first run that was measured and has a vector; NULL: none. */
const struct document_run *answer_run(const struct document *d);

/* "4 GiB of weights of 2 bytes, gemv, 8 threads" */
void answer_subject(const struct document *d, const struct document_table *t, FILE *out);

/* "41.2 token/s (40.8 .. 41.9)" */
void answer_rate(const struct rates *c, struct amount rate, FILE *out);

/* Why a run was skipped, without "FILE:LINE: ", which says nothing to whoever reads the answer
 * only.
 */
const char *answer_reason(const char *text);

/* " (inference/1_decode, ", before how far it can be trusted */
void answer_source(const struct stored_document *from, FILE *out);

#endif
