/* SPDX-License-Identifier: GPL-3.0-or-later */
/* affinity-frag's command line. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

enum frag_action { FRAG_BREAK, FRAG_UNDO, FRAG_HELP, FRAG_VERSION };

struct frag_options {
	enum frag_action action;
	uint64_t leave_bytes;
	uint64_t ranges;   /* that it may be in, at most; 0: any number */
	int amounts;       /* file descriptor for numbers that a program reads; -1: none */
	int node;          /* -1: the only one */
	char *const *argv; /* of the command, NULL at the end; argv[0] NULL: none */
};

/* words: behind the program's name, NULL at the end; argv points into them. 0, or -1 with
 * messages (STATUS_USAGE). */
int frag_options_parse(struct frag_options *o, char **words, struct errors *e);
void frag_options_usage(FILE *out);

#endif
