/* SPDX-License-Identifier: GPL-3.0-or-later */
/* affinity-map's command line. */
#ifndef MAP_OPTIONS_H
#define MAP_OPTIONS_H

#include <stdio.h>

#include "mapping/mapping.h"
#include "base/text.h"

enum map_action { MAP_RUN, MAP_PLAN, MAP_HELP, MAP_VERSION, MAP_SHOW };

struct map_options {
	enum map_action action;
	struct mapping_choice *methods; /* to compare, owned */
	int nmethods;
	bool pairs;           /* every pair of the programs, in place of all programs together */
	bool try;             /* race command lines of one program */
	bool versus;          /* a race of two programs as they are: "old : : new" */
	bool larger, smaller; /* of --figure: such ones are better; neither: its unit says it */
	const char *figure;   /* a regular expression, or NULL: run times */
	double tolerance;     /* of --try, a fraction; 0: not given, until default_values() */
	uint64_t budget_ns;   /* the same */
	int by;               /* enum mapping_type */
	bool oversubscribe;
	uint64_t runs, seed;  /* seed 0: taken from the clock */
	uint64_t show;        /* the process to look at; 0: none */
	uint64_t watch_ns;    /* again after that; 0: once */
	struct words threads; /* one number for all programs, or one for each; none: a fair share */
	const char *profile, *json, *out;
	const char *against;    /* an earlier result, that this one is compared with, or NULL */
	const char *bandwidths; /* of --try: results that weights go by, or NULL */
	const char *list;       /* a file of programs, or NULL */
	char ***programs;       /* [nprograms], each an argv; they point into argv or lines */
	struct words *lines;    /* [nlines], owned: the words of each program of the list */
	int nlines;
	int nprograms;
};

/* words: behind the program's name, NULL at the end; splits them into programs, in place. 0, or -1
 * with a message for every mistake (STATUS_USAGE). */
int map_options_parse(struct map_options *o, char **words, struct errors *e);
void map_options_free(struct map_options *o);

void map_options_usage(FILE *out);

#endif
