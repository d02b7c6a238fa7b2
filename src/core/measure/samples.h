/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All samples of a plan, operation by operation. */
#ifndef SAMPLES_H
#define SAMPLES_H

#include "measure/beside.h"
#include "measure/sample.h"
#include "measure/timed.h"
#include "placement/prepare.h"
#include "plan/background.h"
#include "system/page_moves.h"

/* Why no more samples of an operation were taken. */
enum ended {
	ENDED_COUNT, /* as many samples were taken as asked for, and no targetError was asked for */
	ENDED_TARGET,      /* every thread's interval is narrow enough */
	ENDED_TIME,        /* timeLimit was reached before that */
	ENDED_INTERRUPTED, /* Ctrl-C */
	ENDED_NOT_RUN
};

#define RUN_CHOSE 128

/* Where the pages of a vector were: before the first sample of an operation, and when its last one
 * had ended. No pages: no thread of it uses the vector, or the kernel does not tell. */
struct op_places {
	struct mem_found before, after;
};

/* Of a thread's events (kernel.h: prove()). No text: its kernel proves none. */
struct op_proof {
	enum event_proof verdict;
	char text[256];
};

struct op_result {
	struct sample *samples; /* in time order: placement by placement, in each warm-up first */
	size_t count;
	struct sample *counted; /* samples of the counting passes, in the order of the passes; not
				   part of the samples above */
	size_t ncounted;
	struct timed_sample *timed; /* in which single events were timed: in each placement as many
				       as samples were asked for */
	size_t ntimed;
	struct beside beside;
	size_t placements; /* in which all samples were taken */
	uint64_t fill_ns;  /* in which setup() of the kernels filled the vectors; of all placements
			    */
	struct page_moves moves; /* of the whole machine while it was measured, or with interleave
				    from its first sample to its last; of all placements */
	uint64_t spent_ns;  /* of all placements: preparing and samples, without touching vectors */
	size_t warm;        /* samples that its last placement needed to settle; 0: not asked */
	size_t restless;    /* placements that did not settle within the limits of the warm-up */
	uint64_t longer_ns; /* the time of samples, where that of the file held no round; 0: it did
			     */
	int repeated;       /* samples taken again because a thread was moved; these are not kept */
	enum ended ended;
	double error; /* widest relative half-width of the threads' intervals within a placement;
			 NAN: unknown */
	char (*chose)[RUN_CHOSE]; /* [nthreads]: what each thread's kernel chose by itself; ""
				     nothing; "A; B" different things in different placements */
	struct op_proof *proofs;  /* [nthreads], the worst of all placements; NULL: not measured */
	struct op_places *places; /* [vectors of the run], in the last placement; NULL: no kernel of
				     it could move pages, or it was interrupted */
};

struct pooling;

/* The samples of one plan. */
struct samples {
	const struct plan *plan;
	struct prepared *prepared;
	const struct backgrounds *beside; /* what ran beside them; NULL: nothing */
	struct op_result *ops;            /* [nops] */
	const struct pooling *pooling;    /* analysis/pooling.h, when all samples are taken; NULL:
					     every figure has its own variance */
};

void samples_init(struct samples *r, const struct plan *p, struct prepared *prepared);
void samples_free(struct samples *r);

/* Are there samples that count, of any operation? */
bool samples_any(const struct samples *r);

#endif
