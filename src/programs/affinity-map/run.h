/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs run once under a mapping. */
#ifndef MAP_RUN_H
#define MAP_RUN_H

#include <sys/types.h>

#include "programs/affinity-map/plan.h"

/* What one program did in one run. */
struct map_sample {
	double wall_s, user_s, system_s;
	int status;     /* as waitpid() gives it */
	bool ended;     /* by affinity-map, because of another one or a signal */
	bool left;      /* it left processes behind */
	int strays;     /* of the first program: processes that left their group, of all programs */
	bool paused;    /* affinity-map was stopped meanwhile: these are not the program's times */
	int stuck;      /* the signal that stopped it for good; 0: none */
	bool stopped;   /* and continued: wall_s includes that */
	int exec_error; /* errno: it could not be executed; 0: it could */
	int processes;  /* that loaded the library; 0: the program itself did not */
	int threads;    /* that began in all of them */
	int most_threads; /* at the same time */
	int refused;      /* threads that the kernel did not bind */
	int own;          /* calls by which the program bound threads itself */
	int lost; /* programs executed by it that did not load the library; 0 where processes
		   * were left behind */
};

/* The path of the library to preload, to be freed: beside the program, in its build folder, or
 * where make install puts it. NULL with a message. */
char *map_library(struct errors *e);

/* For a run that is not measured: launch.h. */
struct map_probe {
	int (*held)(void *arg, pid_t process);
	void *arg;
};

/* Runs all programs once; with a probe, silently. *interrupted: the signal that ended them, or 0.
 * 0, or -1 with a message. */
int map_run(const struct map_layout *l, const struct map_app *apps, int n, const char *library,
	const struct map_probe *probe, struct map_sample *samples, int *interrupted,
	struct errors *e);

/* The exit status of a run: that of the first program that failed, or 128 and the signal that
 * interrupted the run; else 0. Adds a message for each failure. */
int map_judge(const struct map_app *apps, int n, const struct map_sample *samples, int interrupted,
	struct errors *e);

/* Warns of what spoils a run without ending it. */
void map_warn(const struct map_layout *l, const struct map_app *apps, int n,
	const struct map_sample *samples, struct errors *e);

#endif
