/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decides which CPUs each of several programs gets, before any of them runs. */
#ifndef MAP_PLAN_H
#define MAP_PLAN_H

#include "base/error.h"
#include "mapping/mapping.h"
#include "topology/topo.h"

/* A program of the command line. */
struct map_app {
	char **argv;      /* NULL at the end; not owned */
	const char *name; /* the file name without folders */
	char *path;       /* of the file, owned */
	int threads;      /* number of threads that get a place */
	bool has_mix;
	double share[MAPPING_TYPES]; /* with has_mix: mapping.h; with `mixes` the means of these */
	/* [threads], owned: the mixes of threads that the profile tells apart, or whose
	 * instructions it counts; NULL: all threads have `share` */
	struct mapping_thread *mixes;
	bool counted; /* with has_mix: count.h counted it, it is not from a profile */
	char *why;    /* without a mix: the reason why it was not counted, owned; NULL: not tried */
};

/* One mapping of all programs. */
struct map_layout {
	enum mapping_method asked;  /* by the command line */
	enum mapping_method method; /* actually used */
	char *name;                 /* of the latter, "random:7", owned */
	char *why;                  /* one line, owned */
	int **cpus;                 /* [napps][its threads], owned; -1: not bound */
};

/* Finds the instruction mixes of programs in `profile`, a CSV file (profile.h) or a folder with a
 * file NAME.csv for each; NULL: no program has a mix. A program that the profile does not mention
 * is accepted; a file that cannot be read is a mistake. 0, or -1 with messages. */
int map_mix(struct map_app *apps, int n, const char *profile, struct errors *e);

/* Returns whether a program lacks a mix. */
bool map_lacks_mix(const struct map_app *apps, int n);

/* Maps all threads of all programs. If a program has no mix, MAPPING_COMPACT replaces
 * MAPPING_INSTRUCTION, program by program. 0, or -1 with a message (STATUS_PLACEMENT). */
int map_layout(struct map_layout *l, const struct mapping_request *r, const struct map_app *apps,
	int n, const struct topo *t, struct errors *e);

/* "compact", or "compact, in place of instruction", to be freed. */
char *map_layout_title(const struct map_layout *l);
void map_layout_free(struct map_layout *l, int n);
/* "openssl speed md5", to be freed. */
char *map_command(const struct map_app *app);
void map_app_free(struct map_app *app);

#endif
