/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Places of threads, as placePerThread names them:
 *
 *   PLACE  STEP:STEP ..., packed(PLACE)
 *   STEP   LEVEL(WHICH,WHICH ...), kind(NAME)
 *   WHICH  N, A-B, each, first, or for nodes what names.h reads
 *
 * A step is inside of the one before. The first step has the machine's numbers, further ones count
 * from 0 inside each place of the step before. Levels are those of topo.h, by name or synonym.
 */
#ifndef INPUT_PLACES_H
#define INPUT_PLACES_H

#include "input/names.h"

struct places_one {
	char *text; /* as it is written here: "package(1):core(0)" */
	char *name; /* for messages: "node 0", "L3 2", "kind performance", or as text */
	int *cpus;  /* [ncpus] indices of topo->cpus, upwards, with those that may not be used */
	int ncpus;
	int level;   /* index of topo->levels; -1: a kind of cores */
	bool packed; /* its first cores, and not spread over what is inside */
	bool is_cpu; /* it names a CPU */
	bool cores;  /* it names a kind of cores, a core or a CPU */
};

struct places {
	struct places_one *list;
	size_t count;
};

/* Where places stand: which key, and of which machine. */
struct places_from {
	const struct names *names;
	const char *key;
	struct place at;
	const char *level; /* of a key whose words are WHICHes of this level, one value each; NULL:
			      they are PLACEs */
};

/* Appends what a word stands for, several places for each, A-B and A,B. 0, or -1 with a message
 * (STATUS_USAGE for what cannot be understood, STATUS_PLACEMENT for what the machine lacks). */
int places_read(
	struct places *p, const char *word, const struct places_from *from, struct errors *e);
void places_free(struct places *p);

/* Appends the machine, whose text is empty; 0. */
int places_machine(struct places *p, const struct topo *t);

/* A word of likwid (S0:0-3, E:M0:4) or hwloc (package:1.core:0-3) in our words; of any other word a
 * copy. 0, or -1 with a message. */
int places_translate(
	struct words *ours, const char *word, const struct places_from *from, struct errors *e);

/* May a thread run on a CPU of the place, by this name? */
bool places_allow(const struct places_one *one, const struct topo_cpu *cpu);

/* The message for a place without such a CPU (STATUS_PLACEMENT); -1. */
int places_refuse(const struct places_from *from, const struct places_one *one, struct errors *e);

/* How many usable cores a place has. */
int places_cores(const struct topo *t, const struct places_one *one);

#endif
