/* SPDX-License-Identifier: GPL-3.0-or-later */
/* affinity-rhp's command line. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdint.h>
#include <stdio.h>

#include "analysis/rcm.h"
#include "base/error.h"
#include "rhp/rhp.h"

enum rhp_action { RHP_RUN, RHP_HELP, RHP_VERSION, RHP_SIMULATE, RHP_PROFILE };

/* What the cost of far pages is held against. */
enum rhp_weigh {
	RHP_WEIGH_GAIN, /* RM * S: what small pages would cost (thesis) */
	RHP_WEIGH_WALKS /* the part of cycles in page walks, as it is (the thesis's program) */
};

struct rhp_options {
	enum rhp_action action;
	uint64_t from_bytes;
	enum rhp_rest rest;
	unsigned char weights[RHP_NODES]; /* struct rhp_config's; all 0: not given */
	const char *report;               /* NULL: standard error */
	const char *simulate;             /* file with free ranges; NULL: runs the command */
	struct rcm_rule rule;
	int node;             /* the command's own; -1: where this program runs */
	uint64_t interval_ns; /* after which it is judged */
	enum rhp_weigh weigh;
	double margin;     /* to change a verdict; NAN: the first one stands */
	char *const *argv; /* of the command, NULL at the end */
};

/* words: behind the program's name, NULL at the end; argv points into them. 0, or -1 with
 * messages (STATUS_USAGE). */
int rhp_options_parse(struct rhp_options *o, char **words, struct errors *e);
void rhp_options_usage(FILE *out);

#endif
