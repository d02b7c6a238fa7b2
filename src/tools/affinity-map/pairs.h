/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every pair of several programs under every mapping: the evaluation of the paper that mapping.h
 * names (its section 5). Each program first runs alone, which shows whether it works, how long it
 * takes and how much memory it has. Then come rounds; each runs every pair under every mapping
 * once, in random order. The time of a pair is that of its slower program.
 */
#ifndef MAP_PAIRS_H
#define MAP_PAIRS_H

#include "affinity-map/job.h"

/* In a shorter time the start of a program, about a millisecond, is more than a mapping changes. */
#define MAP_SHORTEST_S 0.1

struct map_pair {
	int programs[2];        /* indices */
	struct map_app apps[2]; /* copies; what they point to belongs to the programs */
	struct job job;
	char *skipped; /* the reason why it was not measured, owned; NULL: it was */
};

struct map_pairs {
	const struct map_options *options;
	const struct topo *topo;
	const struct map_app *apps;
	int napps;
	struct map_sample *alone; /* [napps]; NULL: nothing has run */
	struct map_pair *list;    /* [n] */
	int n;
	uint64_t seed; /* of the order */
	const struct map_counted *counted;
	const struct errors *warnings;
	int status; /* exit status of a program that failed, or 0 */
};

/* Maps every pair. 0, or -1 with messages. Call pairs_free() in both cases. */
int pairs_plan(struct map_pairs *p, struct errors *e);

/* Runs each program alone, before anything else runs. 0, or -1 with messages. */
int pairs_alone(struct map_pairs *p, const char *library, struct errors *e);

/* Runs the rounds, after pairs_alone(). Leaves out pairs of which nothing could be told, with their
 * reason. 0, or -1 with messages; complete rounds stay. */
int pairs_run(struct map_pairs *p, const char *library, struct errors *e);

/* Has a pair been measured under every mapping? */
bool pairs_any(const struct map_pairs *p);
bool pairs_measured(const struct map_pair *pair);

/* The time of the pairs of a program (-1: of all pairs) under a mapping, divided by that under the
 * first mapping: the geometric mean over pairs, with an interval over rounds. All NAN: no pair has
 * been measured. */
struct amount pairs_ratio(const struct map_pairs *p, int layout, int program);

/* The type that most of a program's instructions have, of fp, int and load: the groups of the
 * paper's figures 5, 6 and 7. -1: its mix is not known. */
int pairs_group(const struct map_app *app);

/* "gzip", or "openssl speed md5" if another program has the same name; to be freed. */
char *pairs_program(const struct map_pairs *p, int program);

/* "gzip + xz", to be freed. */
char *pairs_name(const struct map_pairs *p, const struct map_pair *pair);

void pairs_free(struct map_pairs *p);

/* pairs_report.c */
void pairs_report_plan(const struct map_pairs *p, FILE *out);
void pairs_report(const struct map_pairs *p, FILE *out);

/* pairs_json.c: 0, or -1 when out of memory. */
int pairs_json(const struct map_pairs *p, FILE *out);

#endif
