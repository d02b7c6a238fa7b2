/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine's state at the time of a run, as facts for the reports. */
#ifndef ENVIRONMENT_H
#define ENVIRONMENT_H

#include <stdio.h>

#include "base/error.h"
#include "system/fact.h"
#include "system/load.h"
#include "system/near.h"
#include "topology/topo.h"

void environment_read(struct environment *env, const struct topo *t);

/* What this process did meanwhile. */
enum environment_during { DURING_RUN, DURING_CHECK };

/* Adds what the machine did besides this process since `before` as facts, and warns if it was much.
 */
void environment_load(struct environment *env, const struct load *before,
	enum environment_during what, struct errors *e);

/* Adds the CPUs that other programs used while all work counted in `all`, which is paused, and
 * warns of them where they are too few to show in the load of the machine. After
 * environment_load(). */
void environment_busy(struct environment *env, const struct near *all, struct errors *e);

/* Adds what others did near the CPUs of a run, which are known by then, and warns of the nearest
 * that did much. */
void environment_near(struct environment *env, const struct near_load *near, struct errors *e);

/* What simulates the machine, or NULL: nothing does, and its times are measurements. */
const char *environment_simulated(const struct environment *env);

/* For files of this folder. */
void environment_topology(struct environment *env, const struct topo *t);
void environment_board(struct environment *env);
void environment_frequencies(struct environment *env, const struct topo *t);
void environment_scheduling(struct environment *env);

#endif
