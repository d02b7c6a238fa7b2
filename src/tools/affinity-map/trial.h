/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One run of a candidate of --try, and its value. */
#ifndef MAP_TRIAL_H
#define MAP_TRIAL_H

#include "affinity-map/candidates.h"
#include "affinity-map/figure.h"
#include "affinity-map/proof.h"

struct trial {
	double wall_s;
	double value;  /* smaller is better: seconds, the figure, or 1 / the figure */
	char unit[16]; /* of the figure that the program printed; "": none, or not asked for */
	uint64_t written_bytes;
	char *failed;    /* why it has no value, owned; NULL: it has one */
	int interrupted; /* the signal that affinity-map got, or 0 */
	bool left;       /* it left processes behind */
	bool late;       /* it was ended at the limit: no value */
	bool no_figure;  /* its output has none */
	bool no_format;  /* the system does not know how to start its file */
};

/* What values are; figure NULL: run times. */
struct trial_measure {
	const struct figure_pattern *figure;
	bool larger; /* larger figures are better */
	const char
		*unit;  /* of the first run's figure, which all must have; NULL: it is not known */
	double limit_s; /* a run that lasts longer is ended; 0: there is no limit */
};

/* Runs it without affinity's library; its standard output is not shown. A run in which affinity-map
 * was stopped is repeated. 0, or -1 with a message: nothing could be started. Free t->failed in
 * both cases. */
int trial_run(struct trial *t, const struct candidate *c, const struct map_app *app,
	const struct trial_measure *m, struct errors *e);

/* The same, with looks each interval_s at where it is; its time is not a value then. */
int trial_prove(struct trial *t, const struct candidate *c, const struct map_app *app,
	const struct trial_measure *m, double interval_s, struct proof *proof, struct errors *e);

#endif
