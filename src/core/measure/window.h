/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The work of one thread in one sample: a fixed amount, or as much as fits into a window. A window
 * ends by the clock, which each thread reads between calls of its kernel, or by a flag, which a
 * further thread sets.
 */
#ifndef WINDOW_H
#define WINDOW_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/error.h"
#include "measure/sample.h"
#include "measure/start_line.h"
#include "plan/plan.h"

/* How many steps, or rounds where a kernel has no steps, a call does with mode: time. A thread
 * writes only its own batch; the next sample starts with the number that it found. */
struct batch {
	_Alignas(ALLOC_LINES) uint64_t times;
	uint64_t last_ns; /* how long the last call took, counted or not; by the clock only */
};

/* The flag of a sample. All threads read `over`, so nothing else is on its line. Allocate it with
 * alloc_lines(). */
struct window_flag {
	_Alignas(ALLOC_LINES) _Atomic bool over;
	_Alignas(ALLOC_LINES) _Atomic bool ended; /* the sample: nothing is left to wait for */
	uint64_t window_ns;
	struct start_line *line;
	pthread_t thread;
};

/* Starts the thread that sets the flag window_ns after the common start. 0, or -1 with a message.
 */
int window_flag_begin(
	struct window_flag *f, struct start_line *l, uint64_t window_ns, struct errors *e);
/* Ends that thread, when all threads of the sample have ended. */
void window_flag_end(struct window_flag *f);

/* Each fills in units, worked, rounds, calls and end_ns of s, whose begin_ns is set. */
void window_work(const struct plan_job *job, struct worker *w, struct thread_sample *s);
/* Counts the calls that ended at the deadline or before it, or all: of a thread that takes turns,
 * the time in which others had its CPU at the deadline belongs to the last call. */
void window_by_clock(uint64_t deadline, uint64_t window, bool all, struct batch *batch,
	const struct kernel *k, struct worker *w, struct thread_sample *s);
/* Counts all calls: the one that runs when the flag is set, too, and the time to its end. */
void window_by_flag(const struct window_flag *f, struct batch *batch, const struct kernel *k,
	struct worker *w, struct thread_sample *s);

#endif
