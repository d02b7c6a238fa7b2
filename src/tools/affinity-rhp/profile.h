/* SPDX-License-Identifier: GPL-3.0-or-later */
/* affinity-rhp --profile: are far huge pages worth it? */
#ifndef PROFILE_RUN_H
#define PROFILE_RUN_H

#include <stdio.h>

#include "affinity-rhp/launch.h"
#include "affinity-rhp/options.h"

/* Learns S and M from two runs of the command, then runs it with its pages watched, and moves far
 * ones back as analysis/profile.h says. Prints what it learned and did. 0 and *l, or -1 with
 * messages; *status is then that of the command if it failed, else 0. launch_free() in either
 * case. */
int profile_run(struct launch *l, const struct rhp_options *o, const struct launch_plan *plan,
	int *status, FILE *out, struct errors *e);

#endif
