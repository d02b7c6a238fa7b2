/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The steps of counting_make(); each a file. For counting*.c only. */
#ifndef COUNTING_PARTS_H
#define COUNTING_PARTS_H

#include "counters/counting.h"

/* counting_event.c: the event of that name, entered if need be. */
size_t counting_event(struct counting *c, const char *name);

/* counting_pass.c: makes passes of the events of all metrics, and has each count what is known;
 * marks events that do not. Did all count? */
bool counting_pack(struct counting *c);

#endif
