/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads /proc/zoneinfo: for each zone a head and lines of names and numbers. */
#include "hugepages/zoneinfo.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/linux.h"
#include "hugepages/lines.h"

/* The lists of CPUs follow their zone; a CPU without pages may be missing. */
static void add_cpu(struct zone_limits *z, int cpu)
{
	while (cpu >= 0 && cpu < LINUX_CPUS && z->ncpus <= cpu) {
		z->lists = alloc_grow(z->lists, (size_t)z->ncpus, sizeof(*z->lists));
		z->lists[z->ncpus++] = (struct zone_list){0};
	}
}

static void read_list(struct zone_list *l, const char *line)
{
	uint64_t value;

	if (sscanf(line, " count: %" SCNu64, &value) == 1)
		l->count = value;
	else if (sscanf(line, " high: %" SCNu64, &value) == 1)
		l->high = value;
}

static void read_line(struct zone_limits *z, const char *line, int *cpu)
{
	if (zone_line(line, z))
		return;
	if (sscanf(line, " cpu: %d", cpu) == 1)
		add_cpu(z, *cpu);
	else if (*cpu >= 0 && *cpu < z->ncpus)
		read_list(&z->lists[*cpu], line);
}

int zoneinfo_read(FILE *in, struct zoneinfo *z)
{
	struct zone_limits head = {0};
	char *line = NULL;
	size_t room = 0;
	int cpu = -1;
	uint64_t high = 0;

	*z = (struct zoneinfo){0};
	while (getline(&line, &room, in) > 0)
		if (!zone_head(line, &head)) {
			z->zones = alloc_grow(z->zones, z->count, sizeof(*z->zones));
			z->zones[z->count++] = head;
			cpu = -1;
		} else if (z->count) {
			read_line(&z->zones[z->count - 1], line, &cpu);
		}
	free(line);
	for (size_t i = 0; i < z->count; i++)
		high += z->zones[i].high;
	return high ? 0 : -1;
}

void zoneinfo_free(struct zoneinfo *z)
{
	for (size_t i = 0; i < z->count; i++)
		free(z->zones[i].lists);
	free(z->zones);
	*z = (struct zoneinfo){0};
}

bool zoneinfo_withheld(const struct zoneinfo *z, int node, const char *name)
{
	for (size_t i = 0; i < z->count; i++) {
		const struct zone_limits *l = &z->zones[i];

		if (l->node == node && !strcmp(l->name, name))
			return l->free <= l->low + l->protection;
	}
	return false;
}

uint64_t zoneinfo_margin(const struct zoneinfo *z, int node)
{
	uint64_t high = 0;

	for (size_t i = 0; i < z->count; i++)
		if (z->zones[i].node == node)
			high += z->zones[i].high;
	return 2 * high + 256;
}

uint64_t zoneinfo_present(const struct zoneinfo *z, int node)
{
	uint64_t pages = 0;

	for (size_t i = 0; i < z->count; i++)
		pages += z->zones[i].node == node ? z->zones[i].present : 0;
	return pages;
}

uint64_t zoneinfo_late(const struct zoneinfo *z, int node)
{
	uint64_t missing = 0, unaccepted = 0;

	for (size_t i = 0; i < z->count; i++) {
		const struct zone_limits *l = &z->zones[i];

		if (l->node != node)
			continue;
		missing += l->present > l->managed ? l->present - l->managed : 0;
		unaccepted += l->unaccepted;
	}
	return unaccepted + (missing > zoneinfo_present(z, node) / 8 ? missing : 0);
}

uint64_t zoneinfo_listed(const struct zoneinfo *z, int node)
{
	uint64_t pages = 0;

	for (size_t i = 0; i < z->count; i++)
		for (int cpu = 0; z->zones[i].node == node && cpu < z->zones[i].ncpus; cpu++)
			pages += z->zones[i].lists[cpu].count;
	return pages;
}

uint64_t zoneinfo_room(const struct zoneinfo *z, int node, int cpu)
{
	uint64_t pages = 0;

	for (size_t i = 0; i < z->count; i++) {
		const struct zone_limits *l = &z->zones[i];

		if (l->node == node && cpu >= 0 && cpu < l->ncpus)
			pages += l->lists[cpu].count > l->lists[cpu].high ? l->lists[cpu].count
									  : l->lists[cpu].high;
	}
	return pages;
}
