/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between threads that call the system and bystanders, which run another kernel and have no vector
 * in common with them: how many still call, and how often they did. */
#ifndef CALLERS_H
#define CALLERS_H

#include <stdbool.h>
#include <stdint.h>

/* In reset() of all, callers and bystanders, before arrange() of any. workers: of the run. */
void callers_none(int workers);

/* At the end of arrange(): thread `id` will call. In its run(): it has called so often. At the end
 * of that: it is done. */
void callers_enter(int id);
void callers_count(int id, uint64_t calls);
void callers_leave(void);

/* After it has said no, callers_calls() has all calls. */
bool callers_active(void);
uint64_t callers_calls(int workers);

#endif
