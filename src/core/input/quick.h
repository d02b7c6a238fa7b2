/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * quick: yes makes a trial of a file that takes a few seconds on every machine. It only ever takes
 * away: samples, time, values of sweeps, elements of vectors. What --set says is left as it is, and
 * so is a value that a sweep gives: a run measures what its name says, or is skipped.
 */
#ifndef QUICK_H
#define QUICK_H

#include "input/request.h"
#include "input/sweep.h"

/* Makes the request one of a trial: fewer samples, shorter ones, and a limit for the time of all
 * samples of an operation. `a` is what the request was read from. */
void quick_request(struct request *r, const struct args *a);

/* Fewer values of each variable of the file: the first, the last and some between; the value that
 * `baseline` and `small` (words NAME=VALUE) name stays. */
void quick_sweep(struct sweep *s, const struct words *baseline, const struct words *small);

/* The most elements of `size` bytes that one of a run's `vectors` may have; UINT64_MAX: any number.
 * With a size that a sweep gives it is the limit that such a run must keep to. */
uint64_t quick_elements(const struct request *r, int vectors, size_t size);

#endif
