/* SPDX-License-Identifier: GPL-3.0-or-later */
/* affinity-fleet's command line. */
#ifndef FLEET_OPTIONS_H
#define FLEET_OPTIONS_H

#include <stdio.h>

#include "base/text.h"

enum fleet_action { FLEET_REPORT, FLEET_SUSPECTS, FLEET_HELP, FLEET_VERSION };

/* What is written beside the text. */
enum fleet_output { FLEET_JSON, FLEET_CSV, FLEET_PAGE, FLEET_METRICS, FLEET_OUTPUTS };

struct fleet_options {
	enum fleet_action action;
	struct words fresh, before, paths;
	double days;                        /* of a date, for drift; 0: none is asked for */
	double tolerance;                   /* per cent */
	const char *outputs[FLEET_OUTPUTS]; /* NULL: is not written; "-": standard output, without
					       the text */
};

/* words: behind the program's name, NULL at the end. 0, or -1 with messages (STATUS_USAGE).
 * Call fleet_options_free() in both cases. */
int fleet_options_parse(struct fleet_options *o, char **words, struct errors *e);
void fleet_options_usage(FILE *out);
void fleet_options_free(struct fleet_options *o);

#endif
