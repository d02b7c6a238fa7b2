/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much CPU time the control groups of a process allow it (docker --cpus, Kubernetes' limits,
 * systemd's CPUQuota=). A group that has used up its part of a period stops until the next one: all
 * its threads are then late, although nobody else uses their CPUs. Supports versions 1 and 2, as
 * Linux's scheduler/sched-bwc.rst and admin-guide/cgroup-v2.rst describe them.
 */
#ifndef QUOTA_H
#define QUOTA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct quota {
	double cpus;           /* limit in CPUs, the lowest of all groups; INFINITY: no limit */
	uint64_t throttled_ns; /* summed time the groups' CPUs were stopped since they exist */
	uint64_t periods;      /* periods in which they were stopped */
};

/* proc: as for cgroup_walk(); CGROUP_SELF is this process. */
void quota_take(const char *proc, struct quota *q);

/* The groups that have a limit, to be read again and again: finding them takes long. */
struct quota_groups {
	struct quota_group {
		int stat; /* its file cpu.stat, open */
		bool unified;
	} * list;
	size_t count; /* 0: no limit, and nothing is read */
};

void quota_open(const char *proc, struct quota_groups *g);
void quota_close(struct quota_groups *g);

/* How long and how often these groups (NULL: none) were stopped; cpus is not filled in. */
void quota_read(const struct quota_groups *g, struct quota *q);

#endif
