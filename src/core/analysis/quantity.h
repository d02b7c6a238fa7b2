/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What tables, plots and claims can show. All that is known of a quantity stands in its row: a new
 * one is a constant here and a row in quantity.c.
 */
#ifndef QUANTITY_H
#define QUANTITY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/amount.h"

enum quantity {
	QUANTITY_COST,
	QUANTITY_BUSY,
	QUANTITY_NS_PER_UNIT,
	QUANTITY_RATE,
	QUANTITY_BANDWIDTH,
	QUANTITY_SPEEDUP,
	QUANTITY_OVERHEAD,
	QUANTITY_SLOWDOWN,
	QUANTITY_TRAFFIC,
	QUANTITY_HYPOTHETICAL,
	QUANTITY_CLOCK_RATE,
	QUANTITY_BREAK_EVEN,
	QUANTITY_BREAK_EVEN_TIME,
	QUANTITY_EXTRA,
	QUANTITY_NUMA_OVERHEAD,
	QUANTITY_STALL_COST,
	QUANTITY_COVERAGE_32,
	QUANTITY_CAP_OVERHEAD,
	QUANTITY_RCM_OVERHEAD,
	QUANTITY_HUGE_GAIN,
	QUANTITY_WHOLE_TIME,
	QUANTITY_CROSSING,
	QUANTITY_CROSSING_TIME,
	QUANTITY_REACH_1,
	QUANTITY_REACH_2,
	QUANTITY_WALK,
	QUANTITY_BEST_SHARE,
	QUANTITY_ADVISED_SHARE,
	QUANTITY_KERNEL_SHARE,
	QUANTITY_P1,
	QUANTITY_P50,
	QUANTITY_P90,
	QUANTITY_P99,
	QUANTITY_P99_9,
	QUANTITY_P99_99,
	QUANTITY_LONGEST,
	QUANTITY_SHARE_ABOVE,
	QUANTITY_TIME_ABOVE,
	QUANTITY_BACKGROUND,
	QUANTITIES,
	QUANTITY_COUNTER = QUANTITIES, /* a metric of `counters`; the view has its name */
	QUANTITY_FIGURE,               /* a kernel's own figure; the same */
	QUANTITY_ROWS
};

enum quantity_direction { NEITHER_IS_WORSE, MORE_IS_WORSE, LESS_IS_WORSE };

/* What an argument file has to ask for. */
enum quantity_need {
	NEEDS_BASELINE = 1,
	NEEDS_SOLO = 2,
	NEEDS_WORK = 4,
	NEEDS_CLOCK_RATE = 8,
	NEEDS_RANGES = 16,
	NEEDS_SMALL_PAGES = 32,
	NEEDS_MOVE = 64,
	NEEDS_DISTRIBUTION = 128,
	NEEDS_BACKGROUND = 256
};

struct experiment;
struct samples;
struct estimate;
struct view;
struct crossings_run;

struct quantity_row {
	const char *name;
	const char *unit; /* NULL: that of costs */
	const char *help;
	const char *words;       /* as people read it, where the name says the unit, or less than a
				    word: "time"; it is of a unit of work. NULL: those of the name */
	const char *synonyms[8]; /* of other programs and people, for "did you mean" */
	const char *old_name;    /* still read; NULL: none */
	enum quantity_direction direction;
	unsigned needs;         /* of enum quantity_need */
	const char *metrics[5]; /* of `counters` that it is made of, NULL at the end */
	bool claimable;         /* has an interval of its own, and compares no runs yet */
	bool timed;             /* made of times of the samples, which have marks (trust.h) */
	bool every;             /* in the summary of every run */
	bool inverse;           /* of a time, which is `family` */
	int family;             /* enum family of all threads' figure; FAMILY_COST: it is the cost,
				   or no time */
	bool ranges;            /* its amounts are those of statistics/crossing.h */
	/* of a run */
	struct amount (*of)(const struct experiment *x, size_t run, int op, int thread);
	/* or of the runs along a variable */
	struct amount (*along)(const struct experiment *x, const struct view *v,
		const struct crossings_run *runs, int thread);
	bool at_value;       /* a value of that variable, in whose unit it is */
	const char *follows; /* "costs cross": what happens along it */
	const char *example; /* of a line: "along=queries rows=policy" */
};

extern const struct quantity_row quantities[QUANTITY_ROWS];

/* -1: none has this name. */
int quantity_find(const char *name);

/* What a document calls the three kinds of them: "quantity", "counter", "figure". */
const char *quantity_kind(enum quantity q);
/* The quantity of that kind and name; a name that is not known here is a figure. QUANTITY_ROWS:
 * there is no such kind. */
enum quantity quantity_of_kind(const char *kind, const char *name);

/* For titles and the axes of a picture: "s", "ns", "". */
const char *quantity_unit(const struct experiment *x, enum quantity q);

/* AMOUNT_NONE of those along a variable. */
struct amount quantity_of(
	const struct experiment *x, size_t run, int op, int thread, enum quantity q);

/* What its mark goes by: of an overhead the share that it leaves, which was measured. */
struct amount quantity_judged(enum quantity q, struct amount a);

/* trust_measured.c: its mark: that of the samples of the run and, where it compares, of those that
 * it is compared with. False: it has none, or was not measured. */
struct trust;
bool quantity_trust(const struct experiment *x, size_t run, int op, int thread, enum quantity q,
	struct trust *t);

/* The time of the samples that a quantity is, or is the inverse of but for a factor, as an
 * estimate. 0, or -1: it is none, or was not measured. */
int quantity_time(
	const struct samples *r, int op, int thread, enum quantity q, struct estimate *time);

/* The names of all for which `has` is not NULL and returns true, or of all: "cost, busy"; to be
 * freed. */
char *quantity_list(bool (*has)(const struct quantity_row *row));

#endif
