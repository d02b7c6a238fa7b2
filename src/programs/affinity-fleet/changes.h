/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which nodes changed: over dates, or from results before to those after (fleet/shift.h). */
#ifndef FLEET_CHANGES_H
#define FLEET_CHANGES_H

#include "fleet/shift.h"
#include "programs/affinity-fleet/group.h"

#define CHANGES_LEAST 3                   /* dates on each side of a change */
#define CHANGES_DATES (2 * CHANGES_LEAST) /* that drift takes */

struct changes {
	char *refused; /* why the group cannot be judged, owned; NULL: it can, and the rest is set
			*/
	struct fleet_series series;
	double *values;
	char **dates;         /* [series.dates] "2026-11-02", "before 1", "after 2" */
	struct step_fact *at; /* [nhosts] */
	struct fleet_shifts shifts;
	struct fleet_common *common; /* [layout.resources] */
	size_t split;                /* from which date on all nodes changed most */
	size_t slower, quicker, unknown;
};

/* The results of a node that its facts before and after a change are taken from. */
struct step_fact {
	size_t before, after;
};

/* days: the length of a date, counted from the first result's midnight; 0: results with
 * ROLE_BEFORE against the others. tolerance: per cent. changes_free() frees it. */
struct changes changes_of(const struct group *g, const struct intake *in, const struct host *hosts,
	double days, double tolerance);
void changes_free(struct changes *c);

/* "steady", "slower", "quicker" or "unknown" */
const char *changes_word(const struct fleet_shift *v);

/* The least change of the node's set that is found in 95 % of the cases, per cent; NAN: it is time
 * that was taken away. */
double changes_least(const struct changes *c, const struct fleet_shift *v);

/* The detector's effects are logarithms. */
double changes_per_cent(double effect);

#endif
