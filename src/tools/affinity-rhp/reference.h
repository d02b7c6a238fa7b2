/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two runs of the command with all of its large blocks on one node: in huge pages, and in small
 * ones. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include "analysis/profile.h"
#include "affinity-rhp/launch.h"
#include "affinity-rhp/own.h"
#include "affinity-rhp/stalls.h"

/* A run's progress. A zeroed one is empty. */
struct course {
	struct profile_point *points; /* owned */
	size_t count;
};

void course_add(struct course *c, struct profile_point point);

struct reference {
	double huge_s, small_s; /* user time of the runs; small_s NAN: not asked */
	double sensitivity;     /* S: by which part it takes longer in small pages */
	double memory;          /* M: the part of cycles that wait for memory, all local and in huge
				   pages; NAN: not counted */
	struct course course;   /* of the run in huge pages */
	int status;             /* not 0: of a run that failed */
};

/* Makes the runs on node->cpus. base: the command. small: also that in small pages. stalls: counts,
 * where the machine can; else S is of user time. 0, or -1 with messages: a run failed or did not
 * get such pages, or is too short. reference_free() in either case. */
int reference_make(struct reference *r, const struct launch_plan *base, const struct own_node *node,
	bool small, struct stalls *stalls, struct errors *e);
void reference_free(struct reference *r);

#endif
