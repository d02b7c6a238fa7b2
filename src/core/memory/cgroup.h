/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The control groups of a process, and how much memory they still let it take: a container or a
 * batch job can have less memory than its node, and a process that takes more is killed. Version 1
 * and 2, as Linux's admin-guide/cgroup-v1/memory.rst, hugetlb.rst and admin-guide/cgroup-v2.rst
 * describe them.
 */
#ifndef CGROUP_H
#define CGROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The process itself. */
#define CGROUP_SELF "/proc/self"

/* Calls visit(arg, folder, unified) for each group whose controller ("memory", "cpu") limits the
 * process: its own first, then those above it, up to the mount point, which is as far as the
 * process can see. unified: version 2. proc: the folder that has the process's files `cgroup` and
 * `mountinfo`. */
typedef void cgroup_visit(void *arg, const char *folder, bool unified);
void cgroup_walk(const char *proc, const char *controller, cgroup_visit *visit, void *arg);

/* The number in a group's file; fallback: there is no such file, or it says "max". */
uint64_t cgroup_count(const char *folder, const char *file, uint64_t fallback);

/* The number behind a key of a group's file of "KEY NUMBER" lines; 0 without such a line. */
uint64_t cgroup_stat(const char *folder, const char *file, const char *key);

/* Bytes of memory that a process may still take, the least of its group and all groups above;
 * UINT64_MAX when none has a limit. Memory that files could give back counts as free. proc: as for
 * cgroup_walk(). */
uint64_t cgroup_memory_left(const char *proc);

/* Bytes of pages of that size that the groups still let a process take from the pools of huge
 * pages; UINT64_MAX when none has a limit. A process that touches more is killed (SIGBUS). *file:
 * the file of the limit, to be freed, or NULL. */
uint64_t cgroup_pool_left(const char *proc, size_t page_bytes, char **file);

#endif
