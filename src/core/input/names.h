/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What may stand where a node is expected: a number, a name of `let`, first, far(NODE), near(NODE),
 * kind(MEMORY), best(ATTRIBUTE,NODE). */
#ifndef NAMES_H
#define NAMES_H

#include "base/text.h"
#include "topology/topo.h"

struct names {
	struct name {
		char *name;
		int node; /* NAMES_FAILED: its definition was refused */
	} * list;
	size_t count;
	const struct topo *topo;
};

#define NAMES_FAILED (-1)

/* Reads `let: X=0 Y=far(X)`, in order; words of --set come last and redefine. 0 or -1 with
 * messages. */
int names_read(struct names *n, const struct words *let, const struct topo *t, struct errors *e);

/* Is the text a name of `let`? */
bool names_defined(const struct names *n, const char *text);

/* The node that text stands for: any number, existing or not. NAMES_FAILED with a message
 * (STATUS_USAGE for what cannot be understood, STATUS_PLACEMENT for a far() without a
 * second node). */
int names_node(const struct names *n, const char *text, const char *key, struct place at,
	struct errors *e);

void names_free(struct names *n);

/* A message about a word of numactl (+0-1, !0, all) where a number of a level (node, core, pu) is
 * expected, with what it means here in our words. -1; 0: it is no such word. */
int names_refuse_numactl(const struct topo *t, const char *level, const char *text, const char *key,
	struct place at, struct errors *e);

#endif
