/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which CPUs each of several programs gets, before any of them runs. */
#ifndef MAP_PLAN_H
#define MAP_PLAN_H

#include "base/error.h"
#include "mapping/mapping.h"
#include "topology/topo.h"

/* A program of the command line. */
struct map_app {
	char **argv;      /* NULL at the end; not owned */
	const char *name; /* its file's, without folders */
	char *path;       /* of the file, owned */
	int threads;      /* that it is to have places for */
	bool has_mix;
	double share[MAPPING_TYPES]; /* with has_mix: mapping.h */
	bool counted;                /* has_mix: by count.h, not from a profile */
	char *why;                   /* no mix: why it was not counted, owned; NULL: not tried */
};

/* One mapping of all programs. */
struct map_layout {
	enum mapping_method asked;  /* on the command line */
	enum mapping_method method; /* that was done */
	char *why;                  /* one line, owned */
	int **cpus;                 /* [napps][its threads], owned; -1: not bound */
};

/* Finds the instruction mixes of programs in `profile`, a CSV file (profile.h) or a folder with a
 * file NAME.csv for each; NULL: no program has a mix. A program that the profile does not mention
 * is no mistake, a file that cannot be read is one. 0, or -1 with messages. */
int map_mix(struct map_app *apps, int n, const char *profile, struct errors *e);

/* Does a program lack a mix? */
bool map_lacks_mix(const struct map_app *apps, int n);

/* Maps all threads of all programs. MAPPING_INSTRUCTION without the mix of every program becomes
 * MAPPING_COMPACT, program by program. 0, or -1 with a message (STATUS_PLACEMENT). */
int map_layout(struct map_layout *l, const struct mapping_request *r, const struct map_app *apps,
	int n, const struct topo *t, struct errors *e);

/* "compact", or "compact, in place of instruction", to be freed. */
char *map_layout_title(const struct map_layout *l);
void map_layout_free(struct map_layout *l, int n);

#endif
