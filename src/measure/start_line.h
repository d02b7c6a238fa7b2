/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The start line: all threads of a team leave it at one instant.
 *
 * A barrier lets threads go one after another, as the news of the last arrival reaches them. Here
 * the last to arrive fixes an instant shortly ahead, and everyone leaves when the clock shows it
 * (window-based start: Hunold and Carpen-Amarie, arXiv:1505.07734).
 */
#ifndef START_LINE_H
#define START_LINE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

/* Each field that one thread writes while others read it has 128 bytes to itself: adjacent-line
 * prefetch makes pairs of 64-byte lines travel together. */
struct start_line {
	_Alignas(128) atomic_int arrived;
	_Alignas(128) _Atomic uint64_t start_ns; /* 0: not everyone is there yet */
	_Alignas(128) int threads;
	uint64_t margin_ns; /* from the last arrival to the start */
	pthread_barrier_t finish;
};

void start_line_init(struct start_line *l, int threads);
void start_line_free(struct start_line *l);

/* Before each use, by one thread while no other is near: late_ns is how long after the last start
 * instant the last thread got away; the margin doubles when it was missed, and else shrinks by and
 * by. */
void start_line_reset(struct start_line *l, uint64_t late_ns);

/* Waits for all threads; returns the common start instant, which is still ahead. */
uint64_t start_line_arrive(struct start_line *l);

/* Waits for the instant itself; returns the first reading of the clock that is not before it. */
uint64_t start_line_leave(uint64_t start_ns);

/* Waits for all threads to be done, asleep: whoever is early must not disturb the others' cores,
 * caches or sibling hardware threads by spinning. */
void start_line_finish(struct start_line *l);

#endif
