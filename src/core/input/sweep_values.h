/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The values of a sweep written out; for sweep.c. */
#ifndef SWEEP_VALUES_H
#define SWEEP_VALUES_H

#include <stdbool.h>

#include "base/text.h"
#include "input/names.h"

/* Adds what text lists to values (whose place is set): 0..900:100 counts in steps, 4..4096*2 in
 * factors, both with their last value when a step meets it, of numbers or sizes (4KiB..64MiB*4);
 * 1..8 in steps of 1; 1..cpus, 1..cores*2: up to how many of a set there are, cpus..cpus: as many,
 * left out where it is among the values before; 4MiB..50%*4: up to this part of the memory of the
 * smallest node that can hold vectors, rounded down to four binary digits, 50%..50%: that alone;
 * nodes (that can hold vectors), cpunodes (that can run threads), cores and cpus (that may be
 * used), cores(first) and cpus(first) (those of the first node that has both), cores(L3(0)),
 * cpus(L3(0)) and count(L3), those of a place and of a level, L3(each) or each L3, node(0):L3(each)
 * or each L3 in node(0), the places of places.h; else the word. Places may have names of `let`. 0,
 * or -1 with a message. */
int sweep_values(
	struct words *values, const char *text, const struct names *names, struct errors *e);

/* Does the list name a set of the machine, so that another machine has other values? */
bool sweep_values_of_machine(const char *text);

#endif
