/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of groups, metrics and events that src/counters/events.txt holds; its head describes
 * the form.
 */
#ifndef EVENTS_H
#define EVENTS_H

#include <stdbool.h>

#include "base/error.h"
#include "counters/formula.h"

enum metric_kind { METRIC_COUNT, METRIC_RATIO, METRIC_PERCENT };

/* One way to get a metric. */
struct way {
	char *pmus; /* "any", or beginnings of names of PMUs, divided by commas */
	struct formula formula;
};

struct metric {
	char *name, *group, *help;
	enum metric_kind kind;
	struct way *ways;
	size_t nways;
};

struct event_check {
	char *event;
	double per_round; /* of the self-check's loop; NAN: more than nothing in all of it */
	bool move;        /* only when the self-check could move to another CPU */
};

struct events {
	char **groups; /* with what each is about: "mix kinds of instructions" */
	size_t ngroups;
	struct metric *metrics;
	size_t nmetrics;
	struct event_check *checks;
	size_t nchecks;
	char **system;
	size_t nsystem;
};

/* The table that was compiled in. */
extern const char events_text[];

/* 0, or -1 with a message for every mistake, FILE being what messages name. */
int events_read(struct events *v, const char *text, const char *file, struct errors *e);
void events_free(struct events *v);

bool events_has_group(const struct events *v, const char *name);
/* NULL: nothing is known about what it must count. */
const struct event_check *events_check(const struct events *v, const char *event);
bool events_in_system(const struct events *v, const char *event);
/* Is a way for one of these PMUs? */
bool way_fits(const struct way *w, const char *const *pmus, size_t n);

#endif
