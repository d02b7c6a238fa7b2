/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the command lines of --try need beside the program. */
#ifndef MAP_TOOLS_H
#define MAP_TOOLS_H

#include "affinity-map/plan.h"

#define TOOLS_RUNTIME "affinity-rhp"

/* The file of affinity-rhp, to be freed. NULL: the program cannot be started with it; *why says
 * why, to be freed. */
char *tools_runtime(const struct map_app *app, char **why);

/* Why numactl cannot set the kernel's weighted interleave, to be freed. NULL: it can, or is not
 * there at all. */
char *tools_lack_weighted(void);

/* Warns of a line that cannot be pasted here, because numactl is not installed. */
void tools_warn(struct errors *e);

#endif
