/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads quotas of CPU time and how often they stopped the process. */
#include "system/quota.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/text.h"
#include "memory/cgroup.h"

/* "QUOTA PERIOD" in microseconds, or "max PERIOD". */
static double unified_limit(const char *folder)
{
	char line[64], *path = alloc_format("%s/cpu.max", folder);
	double quota, period, cpus = INFINITY;

	if (!text_first_line(path, line, sizeof(line)) &&
		sscanf(line, "%lf %lf", &quota, &period) == 2 && period > 0)
		cpus = quota / period;
	free(path);
	return cpus;
}

/* Without a limit the quota is -1, which is not a valid count. */
static double legacy_limit(const char *folder)
{
	uint64_t quota = cgroup_count(folder, "cpu.cfs_quota_us", 0);
	uint64_t period = cgroup_count(folder, "cpu.cfs_period_us", 0);

	return quota && period ? (double)quota / (double)period : INFINITY;
}

static void add_group(void *arg, const char *folder, bool unified)
{
	struct quota *q = arg;

	q->cpus = fmin(q->cpus, unified ? unified_limit(folder) : legacy_limit(folder));
	q->periods += cgroup_stat(folder, "cpu.stat", "nr_throttled");
	q->throttled_ns += unified ? cgroup_stat(folder, "cpu.stat", "throttled_usec") * 1000
				   : cgroup_stat(folder, "cpu.stat", "throttled_time");
}

void quota_take(const char *proc, struct quota *q)
{
	*q = (struct quota){.cpus = INFINITY};
	cgroup_walk(proc, "cpu", add_group, q);
}
