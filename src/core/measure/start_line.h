/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The start line: all threads of a team leave it at one instant.
 *
 * A barrier releases threads one after another, as each of them notices the last arrival. Here
 * the last thread to arrive sets an instant shortly ahead, and all threads leave when the clock
 * reaches it (window-based start: Hunold and Carpen-Amarie, arXiv:1505.07734).
 */
#ifndef START_LINE_H
#define START_LINE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "system/watch.h"

/* Each field that one thread writes while others read it has 128 bytes to itself, because
 * adjacent-line prefetch fetches 64-byte lines in pairs. */
struct start_line {
	_Alignas(128) atomic_int arrived;
	_Alignas(128) _Atomic uint64_t start_ns; /* 0: not all threads have arrived yet */
	_Alignas(128) int threads;
	uint64_t margin_ns; /* from the last arrival to the start */
	pthread_barrier_t finish;
};

void start_line_init(struct start_line *l, int threads);
void start_line_free(struct start_line *l);

/* One thread calls this before each use, while no other thread uses the line. late_ns is the time
 * from the last start instant until the last thread left. The margin doubles when that thread
 * missed the instant, and otherwise shrinks slowly. */
void start_line_reset(struct start_line *l, uint64_t late_ns);

/* The common start instant; 0: not all threads have arrived yet. Any thread may ask. */
uint64_t start_line_instant(const struct start_line *l);

/* Waits for all threads; returns the common start instant, which is still ahead. */
uint64_t start_line_arrive(struct start_line *l);

/* Waits for the instant itself; returns the first reading of the clock at or after it. */
uint64_t start_line_leave(uint64_t start_ns);

/* The same, and reads the system's figures of the thread until then. The thread may lose its CPU
 * while it waits, which is no loss of the sample; therefore they are read as near to the instant as
 * a few readings take. */
uint64_t start_line_watch(uint64_t instant, struct watch *w, int delays);

/* Sleeps until all threads are done: a thread that finishes early must not disturb the others'
 * cores, caches or sibling hardware threads by spinning. */
void start_line_finish(struct start_line *l);

#endif
