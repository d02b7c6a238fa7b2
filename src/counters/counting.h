/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is counted: the groups and events of `counters:` resolved for this machine. A figure that
 * cannot be counted has a reason, and never a number.
 *
 * Counters are few. Events that do not fit together are counted in several passes, each in samples
 * of its own; nothing is multiplexed, and no sample that is timed is counted.
 */
#ifndef COUNTING_H
#define COUNTING_H

#include "base/error.h"
#include "counters/events.h"
#include "base/text.h"

struct counted_event {
	char *name;
	char *native;           /* what stands behind a preset; "" */
	char *why;              /* it cannot be counted, or does not count; NULL: it does */
	double expected, found; /* in one round of the self-check's loop; NAN: not known */
	double empty;   /* from starting to stopping, with nothing between: in every figure */
	bool unproven;  /* it was 0 in the self-check, and the right count is not known */
	bool in_system; /* happens in the system, and is counted there */
};

struct counted_metric {
	const struct metric *metric; /* of the table; NULL: an event by its name */
	char *name;
	struct formula formula; /* the way that is used; text NULL: there is none */
	char *why;              /* then; NULL: none is for this kind of CPU */
	int pass;               /* its events are counted together in; -1: in several */
};

struct counting_pass {
	size_t *events; /* indices */
	const char **names;
	size_t n;
	bool in_system;
};

/* Where a pass has an event, by name; -1: it does not. */
long counting_pass_find(const struct counting_pass *p, const char *event);

struct counting {
	struct events table;
	struct counted_metric *metrics;
	size_t nmetrics;
	struct counted_event *events;
	size_t nevents;
	struct counting_pass *passes;
	size_t npasses;
};

/* The samples of each pass. Counts vary little; each pass costs as many samples more. */
#define COUNTED_SAMPLES 3

/* Resolves what `asked` names, and checks that it counts by counting. required: what cannot be
 * counted is an error. 0, or -1 with messages: STATUS_USAGE, no such group or event;
 * STATUS_COUNTERS. Opens PAPI (counters.h). */
int counting_make(struct counting *c, const struct words *asked, bool required, struct errors *e);
/* Closes PAPI, too. */
void counting_free(struct counting *c);

/* Is an event counted in a pass? The others are only reasons for figures that are missing. */
bool counting_uses(const struct counting *c, size_t event);

enum metric_kind counter_kind(const struct counted_metric *m);
/* What it counts, as its table says ("retired"); "" for an event by its name. */
const char *counter_help(const struct counted_metric *m);
/* Why there is no figure anywhere; NULL: there is a formula. */
const char *counter_missing(const struct counted_metric *m);
/* What a reader must know of how an event counts here; "" when it does as it should. To be freed.
 */
char *counter_remark(const struct counted_event *e);

#endif
