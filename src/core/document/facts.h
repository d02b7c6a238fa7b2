/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Facts (system/fact.h) as values of JSON with units: "caches": [{"level": 1, "bytes": 49152,
 * "count": 2}, ...]. What the system does not report is null or, where null stands for nothing (no
 * limit), "unknown". manual/output.md lists all. */
#ifndef FACTS_H
#define FACTS_H

#include <jansson.h>

#include "system/fact.h"

json_t *facts_json(const struct environment *env);

/* Adds the facts of an object, whose texts they use. A value that is not of its fact's form is
 * shown as it is. */
void facts_read(struct environment *env, json_t *o);

#endif
