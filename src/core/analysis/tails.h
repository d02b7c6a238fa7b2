/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the distribution of single events says: percentiles with their intervals over placements
 * (statistics/percentile.h), shares above a time, and what the stamps themselves take. */
#ifndef TAILS_H
#define TAILS_H

#include "base/amount.h"
#include "statistics/histogram.h"

struct samples;

enum tail_part { TAIL_P1, TAIL_P50, TAIL_P90, TAIL_P99, TAIL_P99_9, TAIL_P99_99, TAIL_PARTS };

extern const struct tail_name {
	const char *name;
	double part;
} tail_names[TAIL_PARTS];

/* Memory takes less than this at idle but for one access of ten thousand, and an interrupt more
 * than that, on the one machine on which both were told apart: what lies between is of the system
 * or of the host. */
#define TAIL_SYSTEM_NS    1e3
#define TAIL_INTERRUPT_NS 1e4

/* A share of timed events over untimed ones beyond this says that timing changed them. */
#define TAIL_TIMING 0.03

struct tail_figure {
	struct amount ns; /* less the stamps; AMOUNT_NONE: below the step, or too few events */
	double below;     /* it is less than so many ns; NAN: it is not */
	double design;    /* percentile.h */
	double needed;    /* events that it takes; above the side's n: too few */
};

/* Events counted in one of two ways. */
struct tail_side {
	double n, clamped; /* clamped: too long for the histogram, part of n */
	struct tail_figure figures[TAIL_PARTS];
	double longest;      /* ns */
	struct amount above; /* the share of events longer than `above` */
	double time_above;   /* the share of their time */
	double unclear;      /* the share between TAIL_SYSTEM_NS and TAIL_INTERRUPT_NS */
};

struct tails {
	const char *event; /* "load" */
	double group;      /* one of so many was timed */
	double blocks, switched;
	double interrupts;          /* on the CPUs of threads that time, in events and between them;
					       0: perhaps none can be seen; NAN: not looked for */
	double interrupted;         /* events with one, which are left out too */
	double pair, step, least;   /* ns: what a pair of stamps takes, the step of its clock, and
				       what no figure is below */
	double above;               /* ns: tailAbove */
	double tick;                /* ns */
	struct amount timing;       /* mean of timed events over that of the samples without stamps;
				       AMOUNT_NONE: not known, or too short to say */
	struct tail_side kept, all; /* kept: without blocks in which a thread lost its CPU, and
				       without events that were interrupted */
	struct histogram *clusters; /* [nclusters] ticks of those kept, with stamps: of each
				       placement, or of each sample where there is one; owned */
	size_t nclusters;
};

/* Of a thread, ALL_THREADS or THREADS_OF_KIND. 0, or -1: none of them timed events, or they
 * timed unlike ones. tails_free() in any case. */
int tails_of(const struct samples *r, int op, int who, struct tails *t);
void tails_free(struct tails *t);

/* A figure of the side without lost CPUs, for quantity.c. AMOUNT_NONE: there is none. */
struct amount tails_percentile(const struct tail_side *s, int part);
struct amount tails_longest(const struct tail_side *s, int unused);
struct amount tails_above(const struct tail_side *s, int unused);
struct amount tails_time_above(const struct tail_side *s, int unused);

/* Did threads lose their CPUs in so many blocks that those that are left are a choice? */
bool tails_lost(const struct tails *t);

/* All clusters together; to be freed. */
struct histogram tails_merged(const struct tails *t);

/* The time of an event of so many ticks. */
double tails_ns(const struct tails *t, double ticks);

#endif
