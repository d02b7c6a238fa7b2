/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the control groups of a process still let it take: a container or a batch job can have less
 * memory than its node, and who takes more is killed. Version 1 and 2, as Linux's
 * admin-guide/cgroup-v1/memory.rst and admin-guide/cgroup-v2.rst describe them.
 */
#ifndef CGROUP_H
#define CGROUP_H

#include <stdint.h>

/* The process itself. */
#define CGROUP_SELF "/proc/self"

/* Bytes of memory that a process may still take, the least of its group and all groups above;
 * UINT64_MAX when none has a limit. What files could give back is counted as there. proc: the
 * folder that has its files `cgroup` and `mountinfo`. */
uint64_t cgroup_memory_left(const char *proc);

#endif
