/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Load beside a run at a stated rate, the key background:
 *
 *   background: 20GB/s on node(0) by L3(2)*4 writes=0.5
 *
 * The threads of a line and their vectors are a plan of their own, of the kernel traffic: placed
 * and proven as those of the run, and without costs.
 */
#ifndef PLAN_BACKGROUND_H
#define PLAN_BACKGROUND_H

#include "plan/plan.h"

/* Lines of a file: two sides of a link, or of a package, and one more of each. */
#define BACKGROUNDS_MOST 4

struct background {
	const struct line *line; /* not owned */
	double wanted;           /* bytes in a second; 0: nothing runs, and there is no plan */
	struct args args;        /* what the line stands for */
	struct request request;
	struct plan plan;
	size_t pause; /* offset in the arguments of a job: turns after each line, a uint64_t */
};

struct backgrounds {
	struct background *list;
	size_t count;
};

/* Plans the lines of a run whose own plan is made. 0, or -1 with messages. */
int backgrounds_plan(struct backgrounds *b, const struct plan *p, struct errors *e);

/* Adds their CPUs to a set by index of the topology. */
void backgrounds_cpus(const struct backgrounds *b, bool *set);

void backgrounds_free(struct backgrounds *b);

#endif
