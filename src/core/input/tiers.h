/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Nodes by what their memory is: kind(HBM), kind(HBM,NODE), best(bandwidth), best(latency,NODE).
 * NODE is the one that a kind is nearest to (without it the lowest number), or whose CPUs the
 * attribute is for (without it `first`).
 */
#ifndef INPUT_TIERS_H
#define INPUT_TIERS_H

#include "base/list.h"
#include "input/names.h"

/* Is it one of these forms? */
bool tiers_named(const struct list_call *c);

/* Is it kind(...) without a node? */
bool tiers_kind(const char *text);

/* The node that such a call, written as text, stands for, NAMES_FAILED with a message otherwise:
 * STATUS_PLACEMENT with the kinds that the machine has, STATUS_USAGE for an attribute that does not
 * exist. */
int tiers_node(const struct names *n, const struct list_call *c, const char *text, const char *key,
	struct place at, struct errors *e);

#endif
