/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the operating system did to the calling thread; read before and after a sample. */
#ifndef WATCH_H
#define WATCH_H

#include <stdbool.h>
#include <stdint.h>

struct watch {
	int cpu;
	int64_t preempted;  /* involuntary context switches so far */
	int64_t blocked;    /* voluntary ones */
	int64_t faults;     /* page faults, minor and major */
	int64_t migrations; /* moves to another CPU; -1: the kernel does not report them */
	int64_t delayed_ns; /* ready to run while another thread ran on its CPU; -1: likewise */
	uint64_t wall_ns;   /* clock_ns() */
	int64_t cpu_ns;     /* for how long the thread had a CPU until wall_ns; -1: not known */
};

/* Opens the file from which watch_take() reads the thread's delay; it is slow to open and quick to
 * read. Returns -1 when the kernel has no such file. The caller closes it. */
int watch_open(void);

/* Quick (three system calls): everything but migrations. */
void watch_take(struct watch *w, int delays);

/* Does the clock of a thread's CPU time run on between two readings? Some systems count it in clock
 * ticks, which tell nothing of a sample; watch_take() then reads -1. Spins for 0.1 ms, once: before
 * threads ask. */
bool watch_cpu_clock(void);

/* Slow (reads /proc/thread-self/sched, tens of microseconds): migrations only. The count also
 * reveals a thread that was moved away and back. */
void watch_take_migrations(struct watch *w);

/* Writes the nanoseconds that the hypervisor took from each CPU so far to stolen[0..n), in steps of
 * a clock tick (10 ms); 0 for CPUs that are not listed. Returns false when nothing was ever taken
 * from any CPU. Slow (the kernel asks all CPUs). */
bool watch_take_stolen(int64_t *stolen, int n);

#endif
