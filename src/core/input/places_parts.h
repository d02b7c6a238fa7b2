/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files that read places share. */
#ifndef INPUT_PLACES_PARTS_H
#define INPUT_PLACES_PARTS_H

#include "input/places.h"

/* A word in progress. */
struct reading {
	const struct places_from *from;
	const struct topo *topo;
	const char *word;
	int before; /* level of the step before; -1: none */
	int steps;
	struct errors *e;
};

/* A step at one place so far: the places of a level that have CPUs of it, in their order. */
struct step {
	const struct reading *r;
	const struct topo_level *l;
	const struct places_one *outer;
	int *number; /* [n] of the level */
	bool *usable;
	int n;
};

/* Some of these. */
struct chosen {
	int from, to; /* indices; from above to: none */
	int number;   /* of a node without CPUs; -1: as above */
};

/* places_inside.c: which they are; free_step() frees what it finds. */
void step_look(struct step *s);
void step_free(struct step *s);

/* places_inside.c: those that N, A-B, each, first or a word for a node names. 0, or -1 with a
 * message. */
int step_choose(const struct step *s, const char *which, struct chosen *c);

/* places_inside.c: N or A-B, up to INT_MAX. 0, or -1 without a message. */
int step_range(const char *which, uint64_t *from, uint64_t *to);

/* places_inside.c: "L3 2", what messages call a place of the first step; to be freed. */
char *places_name(const struct topo_level *l, int number);

/* places_inside.c: "an" L3, "a" core */
const char *places_article(const struct topo_level *l);

#endif
