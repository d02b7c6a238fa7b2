/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the model is worth on a machine: plain data that others fill in, for text
 * and JSON. */
#ifndef WORTH_H
#define WORTH_H

#include <stdbool.h>
#include <stddef.h>

/* Of |predicted / measured - 1|; NAN: no such figure. */
struct worth_errors {
	size_t figures;
	double median, p90; /* nine of ten are below */
};

struct worth_row {
	const char *name;
	struct worth_errors all, interacting;
	double covered;         /* the part of figures in their intervals; NAN: there are none */
	size_t decisions, best; /* choices of a placement, and those of the best one */
	double most_lost;       /* by the worst choice: its cost / that of the best - 1 */
};

#define WORTH_ROWS 6

struct worth {
	struct worth_row rows[WORTH_ROWS];
	size_t files, figures, runs; /* of threads together, that were measured */
	size_t operations;           /* of the profile, ... */
	size_t left_disturbed;       /* ... and those that are disturbed and teach nothing */
	double interacts;            /* figures farther than this from the thread alone interact */
	double confidence;           /* of the intervals */
	bool other_machine, simulated, disturbed;
};

/* "; 3 of 8 operations are disturbed ...", and what to do; "": none is. To be freed. */
char *worth_disturbed(const struct worth *w);

/* Texts to be freed; of JSON NULL: out of memory. */
char *worth_text(const struct worth *w);
char *worth_json(const struct worth *w);

#endif
