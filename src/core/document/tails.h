/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The distribution of a thread's single events (analysis/tails.h), written and read by one table of
 * fields. */
#ifndef DOCUMENT_TAILS_H
#define DOCUMENT_TAILS_H

#include <jansson.h>

#include "analysis/tails.h"

struct document;

json_t *tails_json(const struct tails *t);

/* NULL: `o` is none. The document owns it. */
struct tails *tails_read(struct document *d, json_t *o);

#endif
