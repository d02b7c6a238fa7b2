/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the counters that an instruction mix is made of. */
#include "analysis/counted_mix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* For each type, the metrics of events.txt that give its share, the best first. Some processors do
 * not count floating-point instructions separately; there the instructions of the vector units
 * count as floating point, as in profiles (profile.h). */
static const char *const metrics[MAPPING_TYPES][2] = {
	[MAPPING_BRANCH] = {"branches"},
	[MAPPING_FP] = {"floating_point", "sse"},
	[MAPPING_INT] = {"integer"},
	[MAPPING_LOAD] = {"loads"},
	[MAPPING_STORE] = {"stores"},
};

/* What is wrong with the event of a formula, to be freed; NULL: nothing. */
static char *wrong_event(const struct counting *c, const char *name, bool bound)
{
	for (size_t i = 0; i < c->nevents; i++) {
		if (strcmp(c->events[i].name, name) || (bound && c->events[i].silent))
			continue;
		char *remark = counter_remark(&c->events[i]);
		char *why = *remark ? alloc_format("%s %s", name, remark) : NULL;

		free(remark);
		return why;
	}
	return NULL;
}

/* The reason why a metric gives no share, to be freed; NULL: it gives one. */
static char *why_no_share(const struct counting *c, const struct counted_metric *m, bool bound)
{
	const char *missing = counter_missing(m);
	char *why = NULL;

	if (missing)
		return alloc_string(missing, strlen(missing));
	for (size_t i = 0; i < m->formula.nnames && !why; i++)
		why = wrong_event(c, m->formula.names[i], bound);
	return why;
}

char *counted_mix_find(const struct counting *c, enum mapping_type type, bool bound,
	const struct counted_metric **m)
{
	char *first = NULL;

	*m = NULL;
	for (size_t i = 0; i < 2 && metrics[type][i]; i++)
		for (size_t k = 0; k < c->nmetrics; k++) {
			if (*m || strcmp(c->metrics[k].name, metrics[type][i]))
				continue;
			char *why = why_no_share(c, &c->metrics[k], bound);

			*m = why ? NULL : &c->metrics[k];
			if (first)
				free(why);
			else
				first = why;
		}
	if (!*m)
		return first;
	free(first);
	return NULL;
}

double counted_mix_share(double percent)
{
	return percent >= 0 && percent <= 100 ? percent / 100 : NAN;
}
