/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes the samples of a plan whose vectors are in place. */
#ifndef SERIES_H
#define SERIES_H

#include <signal.h>

#include "measure/rivals.h"
#include "measure/samples.h"
#include "system/quota.h"

/* One operation of a run while it is sampled in one placement. Several series, of the same run or
 * of several runs, can be open at the same time and can be sampled in any order. */
struct series {
	struct samples *samples;
	struct errors *lost; /* messages of its run: what it says of pages that moved */
	const struct quota_groups *quotas; /* not owned; NULL: none */
	int op;
	double guess_s;           /* of a sample; set by its owner */
	size_t run;               /* of the experiment; set by its owner */
	size_t placement;         /* of the vectors, from 0 */
	size_t first;             /* the first sample of it */
	size_t warm;              /* samples of its warm-up, where it is over */
	bool warming;             /* it goes on until the costs have settled */
	struct workers *workers;  /* sample.h's; NULL: not open */
	struct rivals *rivals;    /* beside its samples, set by its owner; NULL: none */
	bool alone;               /* ... but not these, of a thread alone */
	const bool *used;         /* by runs with interleave, by a load; NULL: by this one alone */
	struct page_moves moves;  /* of the machine when it was opened */
	struct op_places *places; /* NULL: nobody asks */
	uint64_t begin_ns;
	uint64_t sampled_ns; /* time that its samples took */
};

/* Sets the kernels up and chooses how many rounds a sample has. 0, or -1 with a message. */
int series_open(struct series *b, struct samples *r, int op, const volatile sig_atomic_t *stop,
	struct errors *e);

/* Takes the next sample. It counts, or is one of the warm-up; where that goes on until the costs
 * have settled, it ends with samples that count after all. 0, or -1 with a message: strict
 * verification failed or the team broke. *stop, set by a signal handler, keeps a disturbed sample
 * from being repeated. */
int series_sample(struct series *b, const volatile sig_atomic_t *stop, struct errors *e);

/* Are all samples of this placement taken? Stores in the result why there are no more. */
bool series_done(struct series *b);

/* Takes the samples whose single events are timed, and those whose events are counted, if any are
 * asked for; the latter in the last placement that is sure to come.
 * 0, or -1 with a message. */
int series_count(struct series *b, const volatile sig_atomic_t *stop, struct errors *e);

/* Verifies the kernels' results, if there are any, and tears down. 0, or -1 with a message. Whether
 * the pages are still where they were is added to the messages of the run alone: it costs the other
 * runs nothing. */
int series_close(struct series *b, struct errors *e);

/* The same without the results: with interleave, the vectors of a series that was cut short contain
 * what other series stored there since its last sample. */
void series_abandon(struct series *b);

/* What the first of its kernels that tells does in setup(), "building chains"; NULL: none tells. */
const char *series_preparing(const struct series *b);

#endif
