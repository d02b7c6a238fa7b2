/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A candidate as a line for a shell: env, taskset, numactl and the program. */
#ifndef MAP_COMMAND_LINE_H
#define MAP_COMMAND_LINE_H

#include "affinity-map/candidates.h"

/* "0,2" of a mask of CANDIDATE_NODE_WORDS, to be freed. */
char *command_line_nodes(const unsigned long *mask);

/* The line, to be freed. option and nodes: of numactl, "interleave=" and "0,2"; NULL: no policy. */
char *command_line(
	char *const *argv, const struct candidate *c, const char *option, const char *nodes);

#endif
