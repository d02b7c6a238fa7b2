/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is done with one argument file. */
#ifndef FILES_H
#define FILES_H

#include "describe/describe.h"
#include "input/args.h"
#include "affinity/options.h"
#include "topology/topo.h"

/* Reads a file and the lines of --set; messages say what is wrong. The caller frees a. */
void files_read(const struct options *o, const char *path, struct args *a, struct errors *e);

/* The same from the text of a file that was read before: it may be a pipe. */
void files_read_again(
	const struct options *o, const struct args *read, struct args *a, struct errors *e);

/* Does with a file what o->action says, and gives its messages their order. ACTION_PLAN tells the
 * plan, to `plans` too; where plans is NULL it only looks for mistakes. */
void files_follow(const struct options *o, struct args *a, const struct topo *t,
	struct described_plans *plans, struct errors *e);

/* Reads a file, to be freed, and guesses the seconds that it takes here; NAN with messages: it
 * cannot be placed. */
double files_guess(const struct options *o, const char *path, struct args *a, const struct topo *t,
	struct errors *e);

/* Says that t is not this machine. Returns -1. */
int files_refuse_machine(const struct topo *t, struct errors *e);

#endif
