/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the operating system did to the calling thread: asked before and after a sample. */
#ifndef WATCH_H
#define WATCH_H

#include <stdint.h>

struct watch {
	int cpu;
	int64_t preempted;  /* involuntary context switches so far */
	int64_t blocked;    /* voluntary ones */
	int64_t faults;     /* page faults, minor and major */
	int64_t migrations; /* moves to another CPU; -1: the kernel does not tell */
};

/* Quick (one system call): everything but migrations. */
void watch_take(struct watch *w);

/* Slow (reads /proc/thread-self/sched, tens of microseconds): migrations only, so that a thread
 * that was moved away and back is noticed too. */
void watch_take_migrations(struct watch *w);

#endif
