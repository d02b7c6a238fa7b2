/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far the figures of an experiment can be trusted, in a word with its reasons. The page of
 * results and the driver say the same of the same results. */
#ifndef QUALITY_H
#define QUALITY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/amount.h"

struct environment;
struct experiment;
struct kernel;

struct quality {
	enum quality_word { QUALITY_FIRM, QUALITY_FAIR, QUALITY_WEAK } word;
	double narrowest, widest; /* half of an interval, in percent of its figure; narrowest is
				     infinite without any */
	size_t without_interval;  /* figures */
	int64_t taken, disturbed; /* samples */
	size_t vectors, misplaced, unproven; /* unproven: where their pages were is not known */
	double others, steal;                /* percent of the CPUs; NAN: not recorded */
	bool throttled, simulated, quick, interrupted;
};

/* Without any figure yet. Then each cost is added, the other fields are filled in, and judge finds
 * the word. */
#define QUALITY_NONE ((struct quality){.narrowest = INFINITY, .others = NAN, .steal = NAN})
void quality_add(struct quality *q, struct amount cost);
void quality_judge(struct quality *q);

/* Adds the bandwidth of all threads of a kernel that measures one: it is what the kernel is there
 * for, and they do not begin together, so that its interval may be wider than those of their costs.
 */
void quality_add_bandwidth(struct quality *q, const struct kernel *k, struct amount bandwidth);

/* "quiet", "fairly quiet", or "not for conclusions: " with the reasons. To be freed. */
char *quality_text(const struct quality *q);

/* Percent in a fact such as "86.92 %"; NAN: there is none. Time in "0.2 s in 7 periods". */
double quality_percent(const char *fact);
bool quality_throttled(const char *fact);

/* The same of an experiment as it was measured, judged. */
struct quality quality_of(const struct experiment *x, const struct environment *env);

#endif
