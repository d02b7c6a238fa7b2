/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much CPU time the control groups of a process let it have (docker --cpus, Kubernetes' limits,
 * systemd's CPUQuota=). A group that used up its part of a period stands still until the next one:
 * all threads are then late, on CPUs that nobody else uses. Version 1 and 2, as Linux's
 * scheduler/sched-bwc.rst and admin-guide/cgroup-v2.rst describe them.
 */
#ifndef QUOTA_H
#define QUOTA_H

#include <stdint.h>

struct quota {
	double cpus; /* CPUs' worth of time, the least of all groups; INFINITY: no limit */
	uint64_t throttled_ns; /* for which the groups' CPUs have stood still, summed, since they
				  exist */
	uint64_t periods;      /* in which they did */
};

/* proc: as for cgroup_walk(); CGROUP_SELF is this process. */
void quota_take(const char *proc, struct quota *q);

#endif
