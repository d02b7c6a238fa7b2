/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes the figures that reports show from the samples. Every report takes its numbers from
 * here, so that reports agree. */
#ifndef DERIVE_H
#define DERIVE_H

#include "analysis/pooling.h"
#include "base/amount.h"
#include "measure/estimate.h"
#include "measure/experiment.h"

/* One thread in one operation. In seconds, unless a field says otherwise. Cost, busy and units are
 * those of one round where the number of rounds was calibrated, otherwise those of a sample. */
struct figures {
	struct estimate cost; /* from the common start to the thread's end; mode: time: a unit's */
	struct estimate busy; /* time in the kernel, without sleep */
	double undisturbed;   /* cost of the undisturbed samples alone; NAN: there are none */
	double units;         /* of one sample; the mean where samples differ (mode: time) */
	double calls;         /* of the kernel in one sample, the mean; 1 except with mode: time */
	struct estimate unit_s;     /* busy / units, of every sample; not filled in without units */
	double ns_per_unit;         /* the same; NAN without units */
	double units_per_s;         /* units / busy */
	double bytes_per_s;         /* NAN for kernels whose rate is not a bandwidth */
	double traffic_bytes_per_s; /* the same with write-allocate */
	double overlap; /* part of its time in the kernel in which all threads were in theirs, the
			   median of the samples; 1 for a thread alone */
};

/* Fills in f. 0, or -1 when there is no sample that counts. */
int derive_thread(const struct samples *r, int op, int thread, struct figures *f);

/* In place of a thread: all threads together, with the max, min or sum of their costs
 * (summaryType). */
#define ALL_THREADS (-1)

/* In place of a thread: those on cores of one kind together, by its index in the topology. Figures
 * over threads that mix kinds of cores are given for each kind too; where they are means over
 * threads (ns_per_unit, overhead), for the kinds only. */
#define THREADS_OF_KIND(kind) (-2 - (kind))

/* Does the thread belong to `who`: a thread, ALL_THREADS or THREADS_OF_KIND? */
bool derive_counts(const struct plan *p, int who, int thread);

/* Do threads of the run use cores of this kind, and others those of another? */
bool derive_keeps_apart(const struct plan *p, int kind);

/* All threads of an operation together, computed sample by sample. The interval is therefore that
 * of the sum; it is not made of the intervals of the parts, because threads share memory and are
 * not independent. With mode: time all threads work all the time, and what they did together is the
 * sum of their rates. Otherwise it is what they did from the begin of the first thread to the end
 * of the last, each less the time that it lost. */
struct totals {
	struct estimate busy;      /* of the thread that was busy longest, seconds */
	struct amount ns_per_unit; /* time in the kernel of all / units of all; NAN where they mix
				      kinds of cores */
	struct amount units_per_s; /* NAN where threads count different units, or count twice what
				      they do together */
	struct amount bytes_per_s; /* of the threads that move bytes; NAN without such */
	struct amount traffic_bytes_per_s; /* the same with write-allocate */
};

/* One of its figures as an estimate, in seconds or seconds for a unit or a byte: FAMILY_BUSY_OF_ALL
 * to FAMILY_TRAFFIC. 0, or -1 when it does not exist. */
int derive_whole(
	const struct samples *r, int op, int who, enum family family, struct estimate *out);

/* Fills in t, of ALL_THREADS or THREADS_OF_KIND. 0, or -1 when there is no sample that counts. */
int derive_totals(const struct samples *r, int op, int who, struct totals *t);

/* The unit in which reports show a cost: "s" or, with mode: time, "ns/unit"; and the factor that
 * converts the result of derive_cost() to that unit. */
const char *derive_cost_unit(const struct request *q);
double derive_cost_scale(const struct request *q);

/* Do all threads of an operation count the same unit, such as accesses or additions? Only then does
 * their work have a sum. */
bool derive_same_unit(const struct plan *p, int op);

/* Cost in seconds; with mode: time in seconds for each unit, and then all threads together have no
 * cost where they count different units. All threads together: their maximum, minimum or sum in
 * each sample is a sample of its own. */
struct amount derive_cost(const struct samples *r, int op, int thread);

/* The same with what each placement gave. 0, or -1 when there is no such cost. */
int derive_cost_estimate(const struct samples *r, int op, int thread, struct estimate *cost);

/* cost(over) / cost(under) of the key speedup; *base_s is the denominator's seconds. A ratio of a
 * cost with itself, here and below, is AMOUNT_ONE. Ratios here, slowdowns and overheads are
 * taken in each placement; a gain is a ratio of different placements (estimate_ratio()). */
struct amount derive_speedup(const struct samples *r, int speedup, int thread, double *base_s);

/* Baseline of a sweep: cost of the baseline's run / cost of this run. *base_s is the baseline's
 * seconds. All NAN when there is no baseline or it was not measured, and of a thread that the
 * driver placed on a core of another kind than in the baseline's run. */
struct amount derive_gain(
	const struct experiment *x, size_t run, int op, int thread, double *base_s);

/* Have both runs this operation and thread, and the thread, where the driver places it, on cores of
 * one kind? */
bool derive_comparable(const struct experiment *x, size_t base, size_t run, int op, int thread);

/* What a thread would gain if its own sleep were the only change against the baseline: t / (t +
 * delay), where t is the baseline's cost (thesis, tables 5.21-5.23). NAN when its sleep is the
 * baseline's. */
double derive_hypothetical(const struct experiment *x, size_t run, int op, int thread);

/* With solo: thread's cost with the others running / its cost alone; the second function gives the
 * two costs: 0, or -1 when one of them is missing. */
struct amount derive_slowdown(const struct run *t, int op, int thread);
int derive_slowdown_costs(
	const struct run *t, int op, int thread, struct estimate *together, struct estimate *alone);

/* With solo, of ALL_THREADS (NAN where they mix kinds of cores) or THREADS_OF_KIND: overhead in
 * percent, (1 - sum of costs alone / sum of costs together) * 100 (thesis,
 * eq. 4.1). With several placements it is taken in each of them, and the value is that of the
 * geometric mean of the ratios, as the interval is. With mode: time it uses the costs of a unit, as
 * if every thread did the same number of units. */
struct amount derive_overhead(const struct run *t, int op, int who);
int derive_overhead_costs(
	const struct run *t, int op, int who, struct estimate *alone, struct estimate *together);

/* The run of the sweep that `baseline` names for this run: it has the values that `baseline` gives,
 * and otherwise the values of this run. -1: none. */
long derive_baseline_index(const struct experiment *x, size_t run);

/* The same of other words NAME=VALUE. */
long derive_named_index(const struct experiment *x, const struct words *words, size_t run);

struct tally {
	size_t samples; /* that count */
	size_t disturbed, moved, preempted, blocked, faulted, stolen, throttled, sibling;
	int repeated;
	double skew_median_ns, skew_max_ns;
	double lost_median, lost_max; /* part of its time lost by the thread that lost most of it in
					 a sample; NAN: the system does not report it */
};

void derive_tally(const struct samples *r, int op, struct tally *t);

#endif
