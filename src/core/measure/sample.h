/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One sample: what every thread of an operation did from a common start to its own end. */
#ifndef SAMPLE_H
#define SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/alloc.h"
#include "measure/clock_rate.h"
#include "plan/background.h"

struct counting_pass;

/*
 * What one thread did in one sample. Instants are clock_ns().
 *
 * With mode: time step() or run() is called again and again until the instant start + window, which
 * is the same for all threads. units and end_ns are those of the calls that ended by then. The call
 * that is running at that instant goes on to its end, so that no thread's count includes time in
 * which other threads have already stopped.
 */
struct thread_sample {
	_Alignas(ALLOC_LINES) uint64_t left_ns; /* got away from the start line */
	uint64_t begin_ns; /* entered its kernel: later than left_ns by its sleep */
	uint64_t end_ns;
	uint64_t units;
	uint64_t worked; /* units of all calls: counters count until the last call ends */
	uint64_t rounds; /* the sample's, where their number was calibrated; else 0 */
	uint64_t calls;  /* of run() or step(); with mode: time those that ended in time */
	int cpu_before, cpu_after;
	int preempted, blocked, faults; /* while the kernel ran */
	int migrations;                 /* -1: the kernel does not report it */
	int64_t late_ns;                /* began so long after its start, or after its sleep */
	int64_t delayed_ns; /* until end_ns ready while another ran on its CPU; -1: not reported */
	int64_t off_ns;     /* without a CPU from begin_ns to end_ns, by the clock of its CPU time;
			       -1: not known. None of the three has what threads of the run took of
			       it: turns.h */
	int64_t stolen_ns;  /* the hypervisor took its CPU away, in steps of 10 ms; much of it can
			       have been before or after the sample */
	struct clock_rate before, after; /* of its core, beside the sample */
};

/* What disturbed a sample; several causes can occur together. */
#define DISTURBED_MOVED 1u /* a thread was not on its CPU all along: the sample is repeated */
#define DISTURBED_PREEMPTED                                                                    \
	2u                   /* a thread lost its CPU for more than disturbedAbove of its time \
			      */
#define DISTURBED_BLOCKED 4u /* a thread waited for the kernel */
#define DISTURBED_FAULTED 8u /* a page was not mapped (swapped out, being migrated) */

#define DISTURBED_STOLEN                                                                        \
	16u /* by the system's count, or by a chain of additions beside the sample that took    \
	     * longer than its rate allows, the CPU was taken away, and how much of that was in \
	     * the sample is not known */

/* A CPU quota stopped CPUs of this process. Time that a thread lost by that is in its delay, so
 * that this names the cause only. */
#define DISTURBED_THROTTLED 32u

/* Another program worked on a hardware thread beside a thread of the run: its core was shared. Seen
 * for groups of samples (beside.h), which are marked together. */
#define DISTURBED_SIBLING 64u

struct sample {
	uint64_t start_ns;                /* the common start instant */
	uint64_t window_ns;               /* of mode: time; 0: a fixed amount of work */
	uint64_t skew_ns;                 /* last to leave the line minus first */
	uint64_t throttled_ns;            /* a CPU quota stopped CPUs of this process, summed */
	bool warmup;                      /* discarded from the figures, but kept */
	size_t placement;                 /* of the vectors, from 0 */
	unsigned disturbed;               /* DISTURBED_*, of any thread */
	struct thread_sample *threads;    /* [nthreads] */
	const struct counting_pass *pass; /* what was counted; NULL: it was timed */
	double *counts;                   /* [nthreads * pass->n]; NAN: counting failed */
	double load[BACKGROUNDS_MOST]; /* bytes in a second of each line of background; 0: none */
	double *told; /* [nthreads * plan_figures()]: the figures of the thread's kernel, NAN behind
			 its last; NULL: no kernel has any */
};

/* Frees what a sample has. */
void sample_free(struct sample *s);

/* Seconds from the common start to the thread's end, including its sleep, as in the thesis. With
 * mode: time seconds in the kernel per unit, NAN without units: the window has the same length
 * however much work was done in it. */
double sample_cost(const struct sample *s, int thread);
/* Seconds in the kernel alone. */
double sample_busy(const struct sample *s, int thread);
/* Seconds of the time in the kernel during which another program or the hypervisor had the CPU: the
 * time in which the thread had no CPU, but not that for which it waited by itself. It is less than
 * busy, so that no figure is that of work in no time. 0 if the system reports neither. */
double sample_lost_s(const struct sample *s, int thread);
/* By how many seconds that may be wrong: all of busy seems to be lost, the hypervisor took the CPU
 * away for longer than the clock of CPU time shows, or other threads for which this one had to wait
 * (together) lost theirs. */
double sample_unsure_s(const struct sample *s, int n, int thread, bool together);
/* Seconds for which the thread had a CPU in its kernel; NAN: not known. */
double sample_cpu_s(const struct sample *s, int thread);
/* What figures are made of: cost and time in the kernel less the time that the thread lost, there
 * or before its late start, and the units. They are those of one round where the number of rounds
 * was calibrated, so they do not depend on that number. Otherwise those of the sample. */
double sample_round_cost(const struct sample *s, int thread);
double sample_round_busy(const struct sample *s, int thread);
double sample_round_units(const struct sample *s, int thread);
/* Seconds in the kernel less those lost for each unit; NAN without units. */
double sample_own_unit_time(const struct sample *s, int thread);
double sample_units(const struct sample *s, int thread);
/* The part of the thread's time in the kernel during which all n threads of the sample were in
 * their kernels, 0 to 1; NAN when the thread spent no time there. */
double sample_overlap(const struct sample *s, int n, int thread);
/* The part of the thread's time, a late start included, that it lost, at most 1; NAN where the
 * system does not report it. */
double sample_lost(const struct sample *s, int thread);
double sample_calls(const struct sample *s, int thread);

#endif
