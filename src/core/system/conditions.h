/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * States of the machine that spoil measurements: one row each, for --check, the warnings of a
 * measurement and the page of results.
 */
#ifndef CONDITIONS_H
#define CONDITIONS_H

#include "system/environment.h"

struct machine_condition {
	const char *fact;
	const char *well; /* values that cause no trouble, divided by |; NULL: spoils() says it */
	bool (*spoils)(const struct environment *env, const char *value);
	bool several_nodes; /* trouble only with more than one node */
	const char *trouble, *remedy;
	const char *brief, *fine; /* for the page, where it is so, and where it is not; NULL: it
				     says nothing */
};

extern const struct machine_condition conditions[]; /* the last one has no fact */

enum condition_state { CONDITION_UNKNOWN, CONDITION_WELL, CONDITION_SPOILS };
enum condition_state condition_state(
	const struct machine_condition *c, const struct environment *env);

/* Percent of the CPUs that others and the hypervisor may take, for figures to be firm or fair. Up
 * to the first their effect is within the intervals of a quiet machine, and nothing warns; up to
 * the second they disturb few samples, above it most of them. */
struct condition_limits {
	double firm, fair;
};
extern const struct condition_limits condition_others, condition_steal;

/* Warns of every such state among the facts, with its remedy as a hint. */
void conditions_judge(const struct environment *env, struct errors *e);

#endif
