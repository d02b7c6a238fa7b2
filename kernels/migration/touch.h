/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Policies by which a page moves when a thread touches it, not when the program asks: for policy.c.
 * The vectors are made ready by the first thread that begins a sample, in its time, because that is
 * what a program would have to do; the others wait for it.
 */
#ifndef TOUCH_H
#define TOUCH_H

#include <stdbool.h>
#include <stddef.h>

#include "moved_pages.h"

enum touch_way {
	TOUCH_KERNEL,   /* mbind(): bound to all nodes, and balanced */
	TOUCH_AUTONUMA, /* no policy of its own: what the kernel does by itself */
	TOUCH_PROTECT,  /* no permissions: a handler moves (protect.h) */
	TOUCH_USERFAULT /* no pages: a handler copies (userfault.h) */
};

struct touch;

/* For lacks_for(): NULL, or what this machine lacks, written to why[n]. switches: NUMA balancing
 * may be switched on. */
const char *touch_lacks(enum touch_way way, bool switches, char *why, size_t n);

/* Of the n vectors `pages`, which must live as long. NULL, or what went wrong, written to
 * why[size]; touch_close() in both cases. */
const char *touch_open(struct touch **made, enum touch_way way, bool switches,
	struct moved_pages *pages, int n, char *why, size_t size);
void touch_close(struct touch *t);

/* Before a sample, in one thread, when all pages are at home. NULL, or what went wrong then or in
 * the sample before, written to why[n]. */
const char *touch_ready(struct touch *t, char *why, size_t n);
/* In every thread, around its part of the sample. */
void touch_begin(struct touch *t);
/* In one thread when all have ended the sample; more calls do nothing. */
void touch_end(struct touch *t);

/* Of the last sample, all 0 where the kernel moves: units that were touched and moved, and units
 * that did not move, or not as a whole. */
struct touch_counts {
	double moved, missed;
};
struct touch_counts touch_counts(const struct touch *t);

#endif
