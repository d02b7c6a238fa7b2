/* SPDX-License-Identifier: GPL-3.0-or-later */
/* affinity-rhp's command line. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdint.h>
#include <stdio.h>

#include "analysis/rcm.h"
#include "base/error.h"
#include "rhp/rhp.h"

enum rhp_action { RHP_RUN, RHP_HELP, RHP_VERSION, RHP_SIMULATE };

struct rhp_options {
	enum rhp_action action;
	uint64_t from_bytes;
	enum rhp_rest rest;
	const char *report;   /* NULL: standard error */
	const char *simulate; /* file with free ranges; NULL: runs the command */
	struct rcm_rule rule;
	const char *run_option, *rule_option; /* one that was given for either, or NULL */
	char *const *argv;                    /* of the command, NULL at the end */
};

/* words: behind the program's name, NULL at the end; argv points into them. 0, or -1 with
 * messages (STATUS_USAGE). */
int rhp_options_parse(struct rhp_options *o, char **words, struct errors *e);
void rhp_options_usage(FILE *out);

#endif
