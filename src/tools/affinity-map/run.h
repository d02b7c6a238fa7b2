/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs programs once under a mapping. */
#ifndef MAP_RUN_H
#define MAP_RUN_H

#include <sys/types.h>

#include "affinity-map/plan.h"

/* The result of one program in one run. */
struct map_sample {
	double wall_s, user_s, system_s;
	uint64_t resident_bytes; /* the most at one time of its largest process */
	int status;              /* as waitpid() gives it */
	bool ended;              /* by affinity-map, because of another program or a signal */
	bool left;               /* it left processes behind */
	int strays;     /* first program only: processes of all programs that left their group */
	bool paused;    /* affinity-map was stopped in the run: these are not the program's times */
	int stuck;      /* the signal that stopped it for good; 0: none */
	bool stopped;   /* and continued: wall_s includes the stop */
	int exec_error; /* errno: it could not be executed; 0: it could */
	int processes;  /* programs that loaded the library; 0: the program itself did not */
	int threads;    /* threads that began, in all processes */
	int most_threads; /* most threads at the same time */
	int refused;      /* threads that the kernel did not bind */
	int own;          /* calls by which the program bound threads itself */
	int lost; /* programs executed by it that did not load the library; 0 if processes were left
		     behind */
};

/* The path of the library to preload, to be freed: in the folder of affinity-map, in its build
 * folder, or in the folder that make install uses. NULL with a message. */
char *map_library(struct errors *e);

/* For a run that is not measured: see `held` in launch.h. */
struct map_probe {
	int (*held)(void *arg, pid_t process);
	void *arg;
};

/* Runs all programs once; with a probe, without their output. *interrupted: the signal that ended
 * them, or 0. 0, or -1 with a message. */
int map_run(const struct map_layout *l, const struct map_app *apps, int n, const char *library,
	const struct map_probe *probe, struct map_sample *samples, int *interrupted,
	struct errors *e);

/* The exit status of a run: that of the first program that failed, or 128 plus the signal that
 * interrupted the run; else 0. Adds a message for each failure. */
int map_judge(const struct map_app *apps, int n, const struct map_sample *samples, int interrupted,
	struct errors *e);

/* Warns about problems that make a run unreliable but do not end it. */
void map_warn(const struct map_layout *l, const struct map_app *apps, int n,
	const struct map_sample *samples, struct errors *e);

#endif
