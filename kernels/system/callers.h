/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between threads that call the system and bystanders, which run another kernel and have no vector
 * in common with them: how many still call, and how often they did. */
#ifndef CALLERS_H
#define CALLERS_H

#include <stdbool.h>
#include <stdint.h>

/* In reset() of all, before arrange() of any. */
void callers_none(void);

/* In arrange(): one more will call. At the end of its run(): so many calls, and it is done. */
void callers_enter(void);
void callers_leave(uint64_t calls);

bool callers_active(void);
uint64_t callers_calls(void);

#endif
