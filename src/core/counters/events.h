/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of groups, metrics and events that src/core/counters/events.txt holds; its head
 * describes the format. */
#ifndef EVENTS_H
#define EVENTS_H

#include <stdbool.h>

#include "base/error.h"
#include "counters/formula.h"

enum metric_kind { METRIC_COUNT, METRIC_RATIO, METRIC_PERCENT };

/* One way to get a metric. */
struct way {
	char *pmus; /* "any", or prefixes of PMU names, separated by commas */
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
	double per_round; /* of the self-check's loop; NAN: above 0 in the whole self-check */
	bool move;        /* checked only if the self-check could move to another CPU */
};

struct events {
	char **groups; /* name and subject of each: "mix kinds of instructions" */
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

/* Returns 0, or -1 with a message for every mistake; messages name `file`. */
int events_read(struct events *v, const char *text, const char *file, struct errors *e);
void events_free(struct events *v);

bool events_has_group(const struct events *v, const char *name);
/* NULL: it is not known what the event must count. */
const struct event_check *events_check(const struct events *v, const char *event);
bool events_in_system(const struct events *v, const char *event);
/* Is a way for one of these PMUs? */
bool way_fits(const struct way *w, const char *const *pmus, size_t n);

#endif
