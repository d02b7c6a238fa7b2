/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines `claim`: what a file says that its measurements show, such as
 * `cost placement=local_4k > placement=remote_2m by=10%`. A claim compares one quantity of two runs
 * of a sweep. Variables and operations that it does not name make a test for each of their values,
 * as they make tables.
 *
 * All tests of a file are one family. The interval of each has such a confidence that all of them
 * together hold with that of the file (Bonferroni): 1 - (1 - confidence) / tests.
 */
#ifndef CLAIMS_H
#define CLAIMS_H

#include "analysis/op_names.h"
#include "analysis/view.h"
#include "counters/events.h"

enum claim_relation { CLAIM_ABOVE, CLAIM_BELOW, CLAIM_ALIKE };

/* Value of no variable: the claim is about each of them. */
#define CLAIM_ANY (-1)

/* One side of a relation. */
struct claim_side {
	struct view what;                   /* quantity and thread */
	const struct counted_metric *lacks; /* of what it is made; NULL: nothing is missing */
	long *values;    /* [variables of the sweep]: index of its value, or CLAIM_ANY */
	char *operation; /* NULL: each */
	char *absent;    /* why it has no value: "this machine has no NAME=VALUE"; NULL: it has */
};

struct claim {
	char *text; /* as written */
	struct place at;
	struct claim_side left, right; /* what the right side does not name is the left side's */
	enum claim_relation relation;
	double margin; /* by which part the larger side is larger, or may be (CLAIM_ALIKE) */
	bool differs;  /* sides are compared by their difference, since they are percentages, which
			  can be 0; then the margin is in points */
};

enum claim_verdict { CLAIM_HOLDS, CLAIM_FAILS, CLAIM_NOT_SHOWN, CLAIM_NOT_ASKED };

/* "holds", "does not hold", "not shown", "cannot be asked here" */
extern const char *const claim_verdicts[];

struct claim_test {
	const struct claim *claim;
	char *label; /* "gups, order=hot_first" */
	struct claim_point {
		long run; /* -1: none */
		int op;
	} left, right;
	char *reason; /* why it cannot be asked or is not shown; NULL: see the figures */
	/* filled in by claims_judge() */
	struct amount of_left, of_right; /* with the confidence of the file */
	struct amount figure;            /* left / right, or left - right where claim->differs; with
					    claims.each */
	enum claim_verdict verdict;
};

struct claims {
	struct claim *list;
	size_t count;
	struct claim_test *tests; /* those of a claim together, in the order of the file */
	size_t ntests;
	struct op_names names;
	struct events table;               /* of all metrics */
	struct counted_metric **uncounted; /* those that are claimed, and that the file does not
					      count */
	size_t nuncounted;
	double confidence; /* that all intervals of figures contain what they estimate */
	double each;       /* of each of these intervals */
	size_t asked;      /* tests with a figure */
};

/* Reads all `claim` lines, and finds their tests. 0, or -1 with messages (STATUS_USAGE): an unknown
 * quantity, a value that the sweep does not have, no relation. Call claims_free() in both cases. */
int claims_read(struct claims *c, const struct experiment *x, struct errors *e);
void claims_free(struct claims *c);

/* claims_quantity.c, for claims_read(): the quantity of that name, and whether claims can be about
 * it. 0, or -1 with a message. */
int claims_quantity(struct claims *c, struct claim_side *s, const char *word,
	const struct experiment *x, struct errors *e);
int claims_check_quantity(const struct claim_side *s, const struct experiment *x, struct errors *e);

/* claims_tests.c, for claims_read(): the tests of c->list, with their reasons not to be asked. */
void claims_find_tests(struct claims *c, const struct experiment *x);

/* claims_judge.c: fills in figures and verdicts. */
void claims_judge(struct claims *c, const struct experiment *x);

/* The ends between which a figure must be for the claim to hold; an end that does not bound is
 * infinite, or 0 for a ratio. */
struct claim_bounds {
	double low, high;
};
struct claim_bounds claim_bounds(const struct claim *c);

/* The verdict for a figure with an interval. */
enum claim_verdict claim_verdict(const struct claim *c, struct amount figure);

#endif
