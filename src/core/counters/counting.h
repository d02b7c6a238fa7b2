/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The groups and events of `counters:`, resolved for this machine. A figure that cannot be counted
 * has a reason instead of a number.
 *
 * A CPU has few counters. Events that do not fit together are counted in several passes, each in
 * its own samples. Events are never multiplexed, and timed samples are never counted.
 */
#ifndef COUNTING_H
#define COUNTING_H

#include "base/error.h"
#include "counters/events.h"
#include "base/text.h"

struct counted_event {
	char *name;
	char *native;           /* the native events of a preset; else "" */
	char *why;              /* why it cannot be counted or does not count; NULL: it counts */
	double expected, found; /* in one round of the self-check's loop; NAN: not known */
	double empty;   /* count of a start and stop with nothing between; part of every figure */
	bool *silent;   /* [nkinds]: stays 0 on that kind of cores in the self-check, and not on
			   another; NULL: there is one kind */
	bool unproven;  /* it was 0 in the self-check, and the right count is not known */
	bool in_system; /* happens in the system, and is counted there */
};

struct counted_metric {
	const struct metric *metric; /* of the table; NULL: an event by its name */
	char *name;
	struct formula formula; /* the way that is used; text NULL: there is none */
	char *why;              /* why there is none; NULL: no way is for this kind of CPU */
	int pass;               /* the pass that counts all its events; -1: several passes */
};

struct counting_pass {
	size_t *events; /* indices */
	const char **names;
	size_t n;
	bool in_system;
};

/* Index of an event in a pass, by name; -1: the pass does not have it. */
long counting_pass_find(const struct counting_pass *p, const char *event);

struct counting {
	struct events table;
	const int *cpus; /* [nkinds]: one of each kind of cores, -1: none is usable; not owned */
	int nkinds;
	struct counted_metric *metrics;
	size_t nmetrics;
	struct counted_event *events;
	size_t nevents;
	struct counting_pass *passes;
	size_t npasses;
};

/* Samples of each pass. Few are enough, because counts vary little; each further pass costs this
 * many more samples. */
#define COUNTED_SAMPLES 3

/* Opens PAPI (counters.h), resolves the names in `asked`, and runs the counters to check that they
 * count. cpus[nkinds]: a CPU of each kind of cores, on each of which events are checked: a
 * processor with several kinds has a PMU for each, whose events stay 0 on the others. 0: all cores
 * are alike. cpus must outlive c. required: a name that cannot be counted is an error. Returns 0,
 * or -1 with messages: STATUS_USAGE, there is no such group or event; STATUS_COUNTERS, a required
 * one cannot be counted.
 */
int counting_make(struct counting *c, const struct words *asked, const int *cpus, int nkinds,
	bool required, struct errors *e);
/* Also closes PAPI. */
void counting_free(struct counting *c);

/* The metric of that name; NULL: it is not asked for, or c is NULL. */
struct counted_metric *counting_find(const struct counting *c, const char *name);

/* Is an event counted in a pass? The other events only explain why figures are missing. */
bool counting_uses(const struct counting *c, size_t event);

/* Does the event count on no core of this kind, though it does on another? kind -1: not known. */
bool counting_silent(const struct counted_event *e, int kind);

enum metric_kind counter_kind(const struct counted_metric *m);
/* What the metric counts, in the words of the table ("retired"); "" for an event by its name. */
const char *counter_help(const struct counted_metric *m);
/* Why the metric has no figure; NULL: it has a formula. */
const char *counter_missing(const struct counted_metric *m);
/* A remark for the reader on how an event counts here; "" when it counts as it should. The caller
 * frees it. */
char *counter_remark(const struct counted_event *e);

#endif
