/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What --try races: command lines that place an unchanged program. A candidate is nothing but the
 * environment, the CPUs and the memory policy that its command line sets, so that the line gives
 * the same without affinity.
 */
#ifndef MAP_CANDIDATES_H
#define MAP_CANDIDATES_H

#include "base/linux.h"
#include "affinity-map/options.h"
#include "affinity-map/plan.h"
#include "affinity-map/policies.h"

struct candidate {
	const struct map_app *app;              /* that it runs; NULL: the race's only one */
	char *name;                             /* "compact of 4, interleave=0,1", owned */
	char *command;                          /* to paste into a shell, owned */
	struct words set;                       /* variables "NAME=value" */
	struct words before;                    /* the program that starts it; none: itself */
	int *cpus, ncpus;                       /* that it may use, owned; ncpus 0: all */
	int policy;                             /* MPOL_* of linux/mempolicy.h */
	unsigned long nodes[POLICY_NODE_WORDS]; /* of the policy, or of the weights */
	unsigned char weights[LINUX_NODES];     /* pages of each in a turn; all 0: alike, or not
						 * spread */
};

struct candidates {
	struct candidate *list; /* [n]; the first is the program as it is */
	size_t n;
	char **left_out; /* [nleft_out]: "what: why", owned */
	size_t nleft_out;
	char *runtime; /* the file of affinity-rhp, owned; NULL: it is not there */
};

/* Every mapping of the options with every memory policy, page size and number of threads that
 * differ on this machine; without --threads also with as many as its quickest kinds of cores take.
 * 0, or -1 with messages (STATUS_USAGE, STATUS_PLACEMENT); candidates_free() in both cases. */
int candidates_make(struct candidates *c, const struct map_options *o, const struct map_app *app,
	const struct topo *t, struct errors *e);
/* One for each of n command lines, as they are. */
void candidates_of(struct candidates *c, const struct map_app *const *apps, size_t n);
void candidates_free(struct candidates *c);

#endif
