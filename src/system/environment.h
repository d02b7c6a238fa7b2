/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine's state at the time of a run, as facts for the reports. */
#ifndef ENVIRONMENT_H
#define ENVIRONMENT_H

#include <stdio.h>

#include "base/error.h"
#include "system/load.h"
#include "topology/topo.h"

struct fact {
	const char *name; /* constant, lower_case: the key in JSON */
	char *value;      /* owned; "unknown" where the system does not tell */
};

struct environment {
	struct fact *facts;
	size_t count;
};

void environment_read(struct environment *env, const struct topo *t);

/* What the machine did since `before` beside this process, as facts; much of it becomes a warning.
 */
void environment_load(struct environment *env, const struct load *before, struct errors *e);

/* The value of a fact, or NULL. */
const char *environment_get(const struct environment *env, const char *name);

/* By what the machine is simulated, or NULL: then its times are measurements. */
const char *environment_simulated(const struct environment *env);

void environment_free(struct environment *env);

#endif
