/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Vectors whose units are closed at first, so that the first access to each raises a signal: the
 * handler that opens a unit in the thread that touches it, and moves its pages to the node on which
 * that thread runs. How units are closed and opened is in protect.c and userfault.c. A unit has
 * 2 MiB, so that transparent huge pages can stay whole, or a page that is larger.
 *
 * The handler knows only vectors that are armed; every other signal goes to the former handler,
 * which must be installed before the first vector is armed. System calls that are given memory of
 * a closed unit fail with EFAULT.
 */
#ifndef FAULT_UNITS_H
#define FAULT_UNITS_H

#include <stdatomic.h>
#include <stdint.h>

#include "moved_pages.h"

struct fault_units {
	const struct moved_pages *pages;
	size_t unit, n;   /* bytes of a unit, and how many there are */
	int signal, code; /* of an access to a closed unit */
	/* In the handler, once for each unit: system calls alone. false: the access cannot be made
	 * good, and the former handler gets the signal. */
	bool (*open)(struct fault_units *u, size_t unit);
	atomic_uchar *taken; /* [n] */
	atomic_bool armed;
	_Atomic uint64_t touched, missed;
};

/* Sets u up, whose pages, signal, code and open are set. 0, or -1: no memory, or too many vectors;
 * fault_units_leave() in both cases. */
int fault_units_enter(struct fault_units *u);
void fault_units_leave(struct fault_units *u);

/* From now on the handler opens units, of which none has been taken. */
void fault_units_arm(struct fault_units *u);

/* The part of a unit that is in the vector. */
char *fault_units_begin(const struct fault_units *u, size_t unit);
char *fault_units_end(const struct fault_units *u, size_t unit);

#endif
