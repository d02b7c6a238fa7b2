/* SPDX-License-Identifier: GPL-3.0-or-later */
/* affinity-map's command line. */
#ifndef MAP_OPTIONS_H
#define MAP_OPTIONS_H

#include <stdio.h>

#include "mapping/mapping.h"
#include "base/text.h"

enum map_action { MAP_RUN, MAP_PLAN, MAP_HELP, MAP_VERSION };

struct map_options {
	enum map_action action;
	enum mapping_method methods[MAPPING_METHODS];
	int nmethods;
	int by; /* enum mapping_type */
	bool oversubscribe;
	uint64_t runs, seed;  /* seed 0: taken from the clock */
	struct words threads; /* one number for all programs, or one for each; none: a fair share */
	const char *profile, *json, *out;
	char ***programs; /* [nprograms], each an argv; they point into argv */
	int nprograms;
};

/* Splits argv into programs, in place. 0, or -1 with a message for every mistake (STATUS_USAGE). */
int map_options_parse(struct map_options *o, int argc, char **argv, struct errors *e);
void map_options_free(struct map_options *o);

void map_options_usage(FILE *out);

#endif
