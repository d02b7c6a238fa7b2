/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a result says of its node: which machine it is, and how that is set up. */
#ifndef FLEET_FACTS_H
#define FLEET_FACTS_H

#include <stdbool.h>
#include <stddef.h>

/* A node of another machine, so that a host's name stands for two: facts_names[0..MACHINE). Nodes
 * are alike where all of facts_names[0..ALIKE) are equal. */
#define FACTS_MACHINE 2
#define FACTS_ALIKE   8
#define FACTS         35

extern const char *const facts_names[FACTS];

/* Is a fact the same for all runs of a batch? */
bool facts_differ(const size_t *a, const size_t *b, size_t count);

/* Does the document that a fact is of contain it? Older ones lack some. */
bool facts_recorded(const char *fact);

/* Do two documents say different things? What one of them lacks is not different. */
bool facts_changed(const char *one, const char *other);

/* The most frequent of n numbers, the first of several; n > 0. */
size_t facts_usual(const size_t *numbers, size_t n);

#endif
