/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the operating system did to the calling thread: asked before and after a sample. */
#ifndef WATCH_H
#define WATCH_H

#include <stdbool.h>
#include <stdint.h>

struct watch {
	int cpu;
	int64_t preempted;  /* involuntary context switches so far */
	int64_t blocked;    /* voluntary ones */
	int64_t faults;     /* page faults, minor and major */
	int64_t migrations; /* moves to another CPU; -1: the kernel does not tell */
	int64_t delayed_ns; /* ready to run while another ran on its CPU; -1: likewise */
};

/* What watch_take() reads the thread's delay from: slow to open, quick to read. -1: the kernel has
 * no such file. To be closed. */
int watch_open(void);

/* Quick (two system calls): everything but migrations. */
void watch_take(struct watch *w, int delays);

/* Slow (reads /proc/thread-self/sched, tens of microseconds): migrations only, so that a thread
 * that was moved away and back is noticed too. */
void watch_take_migrations(struct watch *w);

/* Nanoseconds that the hypervisor took from each CPU so far, in steps of a clock tick (10 ms), in
 * stolen[0..n); 0 for CPUs that are not listed. false: nothing was ever taken from any. Slow (the
 * kernel asks all CPUs). */
bool watch_take_stolen(int64_t *stolen, int n);

#endif
