/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How far the figures of an experiment can be trusted, in a word with its reasons. The page of
 * results and the driver say the same of the same results.
 *
 * Each figure has its own mark (trust.h); the experiment counts them. One that is weak makes
 * neither another one weak nor the experiment: it is named as such where it stands. Where more than
 * half are weak, they say more of the state of the machine than of its memory, and the experiment
 * is weak, too.
 *
 * What no mark of a figure can show holds for all of them: a simulated machine, a quick trial, an
 * interruption, a quota of CPU time. The load of others and what a hypervisor took belong there, as
 * far as they go beyond the samples that they disturbed: a sample shows that its CPU was taken, but
 * neither who else used its memory, its caches and the clock rate of its core, nor, below the ticks
 * of 10 ms in which steal is counted, who took the time.
 */
#ifndef QUALITY_H
#define QUALITY_H

#include "analysis/trust.h"

struct environment;
struct experiment;

struct quality {
	enum trust_word word;
	size_t figures[TRUST_WEAK + 1]; /* by their words */
	double narrowest, widest; /* half of an interval, in percent of its figure; narrowest is
				     infinite without any */
	double within;            /* the widest of figures that are not weak */
	struct {
		size_t without_interval;
		double widest;
		int64_t taken, disturbed; /* of operations that are weak by their samples */
		bool unsettled, missed, misplaced;
	} weak;                              /* why figures are */
	int64_t taken, disturbed;            /* samples */
	size_t vectors, misplaced, unproven; /* unproven: where their pages were is not known */
	double others, steal;                /* percent of the CPUs; NAN: not recorded */
	bool throttled, simulated, quick, interrupted;
};

/* Without any figure yet. Then each figure and the samples of each operation are added, the other
 * fields are filled in, and judge finds the word. */
#define QUALITY_NONE ((struct quality){.narrowest = INFINITY, .others = NAN, .steal = NAN})
/* Another figure of the same work is `beside` it; the worse one counts. AMOUNT_NONE: there is none.
 * A figure that was not measured is none. */
void quality_add(struct quality *q, const struct trust_samples *of, struct amount figure,
	struct amount beside);
void quality_add_samples(struct quality *q, const struct trust_samples *of);
void quality_judge(struct quality *q);
/* The same of the figures that a sentence is made of: one that is weak makes it weak. */
void quality_judge_each(struct quality *q);

/* "quiet, 96 costs within 2.3 %", "fairly quiet, 94 of 96 costs within 4.8 %, 2 weak: marked
 * (intervals of up to 11 %)", or "not for conclusions: " with the reasons. To be freed. */
char *quality_text(const struct quality *q);
/* The conditions that hold for all figures: "a quick trial; interrupted"; "": none. To be freed. */
char *quality_conditions(const struct quality *q);
/* Why figures are weak: "intervals of up to 11 %"; "": none is. To be freed. */
char *quality_reasons(const struct quality *q);

/* What the facts of a run say of its conditions. */
void quality_add_facts(struct quality *q, const struct environment *env);

/* The same of an experiment as it was measured, judged. */
struct quality quality_of(const struct experiment *x, const struct environment *env);

#endif
