/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A race: which of several candidates has the smallest values, with few runs. It goes in rounds;
 * each runs every live candidate once, in random order, so that drift affects all alike and pairs
 * of one round can be compared. At the looks (after 3, 4, 6, 8, 12, 16, 24 and 32 rounds)
 * candidates that are worse beyond doubt are dropped.
 *
 * A pair is judged by the n differences of its logarithms, with mean d and variance s2. The
 * variance is moderated (Smyth, Statistical Applications in Genetics and Molecular Biology 3, 2004)
 * with 4 degrees of freedom for the mean m of the variances of all live pairs:
 *
 *   v = (4 m + (n - 1) s2) / (n + 3)     r = t(n + 3; 1 - errors / (2 * 8 * (K - 1))) sqrt(v / n)
 *
 * t is the quantile of Student's t. i is dropped if d - r > 0 against any live j. The bound is
 * Bonferroni's, over 8 looks, both directions and K - 1 pairs, K as the race began: the best is
 * lost in a pair with itself only, and there are K - 1 of these. `errors` is therefore that of the
 * whole race. The race ends when one is left; or when the leader, whose geometric mean is the
 * smallest, has d + r < log(1 + tolerance) against all others, so that it is worse than none by
 * more than the tolerance; or after 32 rounds. Whoever is left then is tied.
 */
#ifndef RACE_H
#define RACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/amount.h"

#define RACE_ROUNDS 32 /* at most */

enum race_state {
	RACE_RUNS,    /* another round is due */
	RACE_WON,     /* one is left */
	RACE_TIED,    /* the leader is worse than none that is left by more than the tolerance */
	RACE_OVER,    /* RACE_ROUNDS did not tell those who are left apart */
	RACE_DESERTED /* nobody is left: all were withdrawn */
};

struct race_candidate {
	bool live;
	size_t rounds; /* complete ones that it ran: when dropped, those until then */
	double *logs;  /* [RACE_ROUNDS], owned */
};

struct race {
	struct race_candidate *list; /* [n], owned */
	size_t n, rounds;            /* rounds: complete ones */
	double tolerance, errors;
};

/* tolerance and errors are fractions: 0.03, 0.05. race_free() frees what the race owns. */
void race_begin(struct race *r, size_t n, double tolerance, double errors);
void race_free(struct race *r);

/* The live candidates in random order into order[n]; returns how many. *random:
 * statistics/random.h. */
size_t race_order(const struct race *r, uint64_t *random, size_t *order);

/* The value of a live candidate in the round that runs, above 0 and finite. A round whose
 * race_close() is never called does not count. */
void race_value(struct race *r, size_t candidate, double value);

/* A candidate that cannot go on, such as a program that failed; before race_close(). */
void race_withdraw(struct race *r, size_t candidate);

/* Ends the round, in which every live candidate got a value; judges and drops at a look. */
enum race_state race_close(struct race *r);

/* The live candidate with the smallest geometric mean over all rounds; n: nobody is live. */
size_t race_leader(const struct race *r);

/* Candidate / leader, the ratio of geometric means over the rounds that both ran, with d -+ r.
 * The leader is chosen by the same values, so that r is over all K (K - 1) / 2 pairs here: the
 * intervals of all candidates together hold with the race's errors, at every look. The leader has
 * AMOUNT_ONE; one round has no interval, none AMOUNT_NONE. */
struct amount race_ratio(const struct race *r, size_t candidate);

#endif
