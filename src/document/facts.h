/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Facts of the environment, which people read as text ("caches: L1 48 KiB x 2, L2 1 MiB x 2"), as
 * values of JSON with units ([{"level": 1, "bytes": 49152, "count": 2}, ...]), and the text again.
 * What the system does not tell is null. manual/output.md lists all; a fact that is not in the
 * table of facts.c is a text in both.
 */
#ifndef FACTS_H
#define FACTS_H

#include <jansson.h>

/* Adds the fact to an object, under the name that it has in JSON. */
void facts_add(json_t *o, const char *fact, const char *text);

/* The name of the fact that JSON calls `key`. */
const char *facts_name(const char *key);
/* Its text, to be freed. A text is read as documents before schema 3 had it, in words that may
 * differ from today's ("1 nodes"). A value of another form than the fact's is its JSON. */
char *facts_text(const char *fact, const json_t *value);

#endif
