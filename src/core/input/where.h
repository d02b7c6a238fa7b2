/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `where`: conditions on the values of a sweep's variables. */
#ifndef WHERE_H
#define WHERE_H

#include "input/sweep.h"

/* Reads one line of conditions, divided by commas, into s->conditions. 0, or -1 with messages
 * (STATUS_USAGE). The variables must have been read. */
int where_read(struct sweep *s, const struct line *line, struct errors *e);

/* Compares the values a and b of a condition's sides. Numbers are compared as numbers, sizes as
 * sizes and times as times, so that 9 < 10, 1.0 == 1, 4KiB == 4096B and 1s > 20ms; anything else is
 * a name, which only equals itself. Beside a number, first and far(0) are the nodes of t that they
 * stand for. 1: the condition holds; 0: it does not; -1 with a message: the
 * values have no order, or have different units. */
int where_holds(const struct condition *c, const char *a, const char *b, const struct topo *t,
	struct errors *e);

#endif
