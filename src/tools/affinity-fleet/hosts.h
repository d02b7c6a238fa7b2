/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The nodes of a fleet, and which results of each can be used. */
#ifndef FLEET_HOSTS_H
#define FLEET_HOSTS_H

#include "base/error.h"
#include "affinity-fleet/intake.h"

struct host {
	size_t *results; /* [count] of the intake, by experiment, then by time; owned */
	size_t count;
	size_t newest; /* the result whose facts are the node's */
	char *refused; /* why the node cannot be judged, owned; NULL: it can */
};

/* One host for each of in->hosts. Leaves out, with a warning, results that are there twice and
 * those that were measured before the node became another one (facts_names[0..FACTS_ALIKE)),
 * unless keep_old; refuses nodes whose name stands for two machines. hosts_free() frees them. */
struct host *hosts_of(struct intake *in, bool keep_old, struct errors *e);
void hosts_free(struct host *hosts, size_t count);

#endif
