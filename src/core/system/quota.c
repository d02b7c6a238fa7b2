/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads quotas of CPU time and how often they stopped the process. */
#include "system/quota.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static double limit(const char *folder, bool unified)
{
	return unified ? unified_limit(folder) : legacy_limit(folder);
}

static void add_group(void *arg, const char *folder, bool unified)
{
	struct quota *q = arg;

	q->cpus = fmin(q->cpus, limit(folder, unified));
	q->periods += cgroup_stat(folder, "cpu.stat", "nr_throttled");
	q->throttled_ns += unified ? cgroup_stat(folder, "cpu.stat", "throttled_usec") * 1000
				   : cgroup_stat(folder, "cpu.stat", "throttled_time");
}

void quota_take(const char *proc, struct quota *q)
{
	*q = (struct quota){.cpus = INFINITY};
	cgroup_walk(proc, "cpu", add_group, q);
}

static void open_group(void *arg, const char *folder, bool unified)
{
	struct quota_groups *g = arg;
	char *path;
	int stat;

	if (isinf(limit(folder, unified)))
		return;
	path = alloc_format("%s/cpu.stat", folder);
	stat = open(path, O_RDONLY | O_CLOEXEC);
	free(path);
	if (stat < 0)
		return;
	g->list = alloc_grow(g->list, g->count, sizeof(*g->list));
	g->list[g->count++] = (struct quota_group){stat, unified};
}

void quota_open(const char *proc, struct quota_groups *g)
{
	*g = (struct quota_groups){0};
	cgroup_walk(proc, "cpu", open_group, g);
}

void quota_close(struct quota_groups *g)
{
	for (size_t i = 0; i < g->count; i++)
		close(g->list[i].stat);
	free(g->list);
	*g = (struct quota_groups){0};
}

/* The number after a line's first word, or 0. */
static uint64_t value_of(const char *text, const char *key)
{
	size_t length = strlen(key);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, key, length) && line[length] == ' ')
			return strtoull(line + length, NULL, 10);
	}
	return 0;
}

void quota_read(const struct quota_groups *g, struct quota *q)
{
	char text[1024];

	*q = (struct quota){.cpus = NAN};
	for (size_t i = 0; g && i < g->count; i++) {
		ssize_t got = pread(g->list[i].stat, text, sizeof(text) - 1, 0);

		text[got > 0 ? got : 0] = '\0';
		q->periods += value_of(text, "nr_throttled");
		q->throttled_ns += g->list[i].unified ? value_of(text, "throttled_usec") * 1000
						      : value_of(text, "throttled_time");
	}
}
