/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Placements ranked by prediction, and what measuring some of them said: plain data that others
 * fill in, for text, CSV and JSON. */
#ifndef ADVISED_H
#define ADVISED_H

#include "forecast/forecast.h"

/* By how much something that was measured may be cheaper than the advice. */
#define ADVISED_TOLERANCE 0.03

struct advised_placement {
	struct words set;        /* KEY=VALUE for each key that had an open value */
	size_t run;              /* of the experiment */
	size_t rank;             /* among the predictions, from 1; 0: it has none */
	struct amount predicted; /* seconds, as the total below; AMOUNT_NONE: not predicted */
	struct amount measured;  /* the same; AMOUNT_NONE: not measured */
	bool verified;           /* it was to be measured ... */
	bool disturbed;          /* ... and too many of its samples were disturbed */
	bool baseline;           /* where the system would have placed the data */
	bool tied;               /* its interval and that of the cheapest one overlap */
};

/* Placements that are not predicted, for one reason. */
struct advised_gap {
	const char *why;  /* borrowed of the forecast */
	struct words set; /* the first of them, as advised_placement's */
	size_t placements;
};

enum advised_verdict { ADVISED_HOLDS, ADVISED_FAILS, ADVISED_NOT_SHOWN };

struct advised {
	const struct forecast *forecast;
	const char *summary; /* what a total makes of the threads: "sum", before all operations are
				added */
	struct words given;  /* KEY=VALUE of the command line that open no value */
	double open;         /* placements that the file leaves open */
	size_t predicted;    /* placements with a prediction */
	bool searched; /* by branch and bound: no other one is better than those of the list that
			  have a rank ... */
	double left_s; /* ... or may be, and then takes this at least; NAN: none is */
	struct advised_placement *list; /* the best by rank; a baseline that is not one of them
					   comes last */
	size_t count;
	struct advised_gap *gaps; /* of a search by branch and bound none is known */
	size_t ngaps;
	size_t verify;   /* how many of the best were to be measured, with the baseline; 0: none */
	size_t cheapest; /* of the list, by measuring; count: nothing was measured */
	enum advised_verdict verdict;
	bool too_noisy; /* not shown: intervals are too wide to tell ADVISED_TOLERANCE ... */
	double overlap; /* ... and those of the first and of the one that `why` names have so much
			   in common, as a part of what the first one costs */
	char *why;      /* of the verdict, owned; NULL: nothing was to be measured */
};

/* "holds", "does not hold", "is not shown to hold" */
extern const char *const advised_verdicts[];

/* Texts to be freed; of JSON NULL: out of memory. */
char *advised_text(const struct advised *a);
char *advised_csv(const struct advised *a);
char *advised_json(const struct advised *a);

void advised_free(struct advised *a);

#endif
