/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the document that contain samples; for json.c. */
#ifndef JSON_OPERATIONS_H
#define JSON_OPERATIONS_H

#include "document/stream.h"
#include "measure/experiment.h"

/* The member `operations` of a run: figures and samples of each thread in each operation. */
void json_operations(struct stream *s, const struct samples *r);

/* With solo: the member `solo`: the overhead and slowdowns of each operation, and the runs of each
 * thread alone. */
void json_solos(struct stream *s, const struct experiment *x, size_t run);

#endif
