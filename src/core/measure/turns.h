/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads of a run that take turns on a CPU (oversubscribe). While one waits for another of the
 * same run, nothing takes the CPU away from the run: that time is part of what is measured, and a
 * loss is only what others took.
 */
#ifndef TURNS_H
#define TURNS_H

#include <stdbool.h>

#include "measure/sample.h"

/* May thread have to wait for another one? cpus[n]: of each, or -1 where it is not bound; usable:
 * on how many CPUs those are that are not bound. */
bool turns_taken(const int *cpus, int n, int usable, int thread);

/* Takes out of the delays of the threads of s what the others of the run had of it, at most: all
 * that they worked between its start and its end. */
void turns_take_out(struct sample *s, const int *cpus, int n, int usable);

#endif
