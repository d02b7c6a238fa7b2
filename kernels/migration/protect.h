/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Next touch by protection: takes away the permissions of a vector, in one call, and a handler of
 * SIGSEGV (fault_units.h) gives them back unit by unit. The thread that touches a unit first moves
 * its pages, with move_pages(), to the node on which it runs; transparent huge pages stay whole.
 */
#ifndef PROTECT_H
#define PROTECT_H

#include <stdint.h>

#include "moved_pages.h"

struct protect;

/* Of a vector, which must live as long. NULL: no memory, or too many vectors. Free it when no
 * thread touches the vector. */
struct protect *protect_make(const struct moved_pages *p);
void protect_free(struct protect *p);

/* 0, or -1 and errno. Between both, touched pages move. protect_disarm() may be called again. */
int protect_arm(struct protect *p);
int protect_disarm(struct protect *p);

/* Since it was armed: units that a thread has touched first and moved, and units that did not move,
 * or not as a whole. */
uint64_t protect_touched(const struct protect *p);
uint64_t protect_missed(const struct protect *p);

#endif
