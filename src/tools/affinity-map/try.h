/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --try: the candidates of an unchanged program race (statistics/race.h). */
#ifndef MAP_TRY_H
#define MAP_TRY_H

#include <stdio.h>

#include "statistics/race.h"
#include "affinity-map/trial.h"

enum try_end { TRY_RACE, TRY_BUDGET, TRY_INTERRUPTED, TRY_FAILED };

struct
try {
	const struct map_options *options;
	const struct topo *topo;
	struct map_app app, other; /* other: what app is compared with; path NULL: nothing is */
	struct candidates candidates;
	struct figure_pattern figure;
	char unit[16]; /* of the figure of the run before the race */
	struct trial_measure measure;
	struct race race;
	size_t repeated; /* runs that failed, and not when they were repeated at once */
	char **failed;   /* [candidates.n]: why it was withdrawn, owned; NULL: it was not */
	struct try_place {
		char *text;  /* where it was in a further run, owned; NULL: nobody looked */
		char *fault; /* what is not as it asks, owned; NULL: nothing */
	} * places;          /* [candidates.n] */
	enum race_state state;
	enum try_end end;
	uint64_t seed;
	double first_s, spent_s; /* of the run before the race; of everything */
	const struct errors *warnings;
	int status; /* exit status if the program failed at once, or a signal came; or 0 */
};

/* The error of a race, over all its comparisons. */
#define TRY_ERRORS 0.05

/* Does all that the options ask for, and writes the results. 0, or -1 with messages; *status is
 * what affinity-map exits with, if it is not 0. */
int try_program(const struct map_options *o, const struct topo *t, int *status, struct errors *e);

/* What a candidate runs; seconds since then; how long one may take. */
const struct map_app *try_app(const struct try *t, size_t candidate);
double try_spent_s(uint64_t begin_ns);
double try_patience_s(const struct try *t);

/* try_prove.c: runs the first once more, and as long as there is time the others who are left, and
 * looks where they are. 0, or -1 with a message. */
int try_prove(struct try *t, uint64_t begin_ns, struct errors *e);

/* The candidates in the order of the result, the best first, into order[candidates.n]: those who
 * are left, those who were dropped, those who failed. */
void try_order(const struct try *t, size_t *order);

/* The geometric mean of a candidate's values, in their own direction (seconds or the figure); NAN:
 * it ran no complete round. */
double try_mean(const struct try *t, size_t candidate);

/* Of a comparison of two programs: how many times as fast the other one is; NAN: it is not known.
 */
struct amount try_faster(const struct try *t);

/* How the race ended, to be freed. */
char *try_ending(const struct try *t);

/* try_report.c. try_tell: on a terminal, what runs now, and what is left of the budget; "": nothing
 * does. */
void try_tell(const struct try *t, const char *what, double spent_s);
void try_report_plan(const struct try *t, FILE *out);
void try_report(const struct try *t, FILE *out);

/* try_json.c: 0, or -1 when out of memory. */
int try_json(const struct try *t, FILE *out);

#endif
