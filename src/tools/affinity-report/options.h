/* SPDX-License-Identifier: GPL-3.0-or-later */
/* affinity-report's command line. */
#ifndef REPORT_OPTIONS_H
#define REPORT_OPTIONS_H

#include <stdio.h>

#include "base/text.h"

enum report_action { REPORT_MAKE, REPORT_HELP, REPORT_VERSION };

struct report_options {
	enum report_action action;
	struct words paths; /* folders without a slash at the end, and files; none: this host's */
	const char *out;    /* NULL: report.html in the folder; of several, in the current one */
	const char *top;    /* ends in a slash, or "" */
	const char *mix;    /* the path of a program, or NULL */
};

/* words: behind the program's name, NULL at the end. 0, or -1 with messages (STATUS_USAGE).
 * Call report_options_free() in both cases. */
int report_options_parse(struct report_options *o, char **words, struct errors *e);
void report_options_usage(FILE *out);
void report_options_free(struct report_options *o);

#endif
