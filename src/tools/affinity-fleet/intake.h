/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the results of a fleet, and keeps of each document its costs alone: a fleet has thousands.
 */
#ifndef FLEET_INTAKE_H
#define FLEET_INTAKE_H

#include <stdbool.h>

#include "base/error.h"
#include "affinity-fleet/facts.h"
#include "affinity-fleet/texts.h"

/* What a run is for. */
enum role { ROLE_FIRST, ROLE_FRESH, ROLE_BEFORE };

/* A document. Names are numbers of the intake's tables. */
struct result {
	char *path; /* owned */
	size_t host, experiment;
	enum role role;
	bool left_out;
	double begin_s, end_s; /* since 1970; NAN: not recorded */
	size_t facts[FACTS];   /* numbers of words */
	size_t *figures;       /* [count] owned */
	double *values;        /* [count] 100 ln(cost), owned; NAN: disturbed */
	double *times; /* [count] 100 ln(time of all samples, disturbed ones too), owned; NAN:
			  not recorded */
	size_t count;
};

/* A cost of one thread in one operation of one run of an experiment. */
struct figure_about {
	size_t experiment;
	size_t part; /* number of the experiment with the operation, among the parts */
	long domain; /* the NUMA node whose memory it uses, else that of its thread; -1: several */
};

struct intake {
	struct texts hosts, experiments, parts, figures, words;
	struct figure_about *about; /* by figure */
	struct result *results;
	size_t count;
	size_t disturbed; /* operations that must be measured again; they are not used */
};

/* Adds a file, or all results in a folder and below it. Leaves out with a warning what is not
 * whole, and what an emulator or a model made; refuses a file that is named and cannot be read. 0,
 * or -1 with a message. */
int intake_read(struct intake *in, const char *path, enum role role, struct errors *e);
void intake_free(struct intake *in);

/* An experiment's name, without what makes its arguments others than those of its namesake. */
int intake_name_length(const struct intake *in, size_t experiment);

#endif
