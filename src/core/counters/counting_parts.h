/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The steps of counting_make(), one file each. For counting*.c only. */
#ifndef COUNTING_PARTS_H
#define COUNTING_PARTS_H

#include "counters/counting.h"

/* counting.c: the index of the event of that name; enters the event if it is new. */
size_t counting_event(struct counting *c, const char *name);

/* counting_pass.c: packs the events of all metrics into passes and checks each pass with work whose
 * counts are known. Marks events that do not count. Returns whether all count. */
bool counting_pack(struct counting *c);

#endif
