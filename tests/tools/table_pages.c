/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts the page tables of all processes by where they lie in physical memory: the pages that
 * /proc/kpageflags marks as such, by the zones of /proc/zoneinfo. Needs root.
 *
 *     table_pages
 *
 * prints how many there are on node 0, node 1, ... in a line.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

enum { NODES = 64, BATCH = 4096 };

/* KPF_PGTABLE of linux/kernel-page-flags.h */
#define IS_TABLE (UINT64_C(1) << 26)

static unsigned long on_node[NODES];

static unsigned long count(int flags, unsigned long page, unsigned long end)
{
	static uint64_t read_now[BATCH];
	unsigned long tables = 0;
	ssize_t bytes = 0;

	for (; page < end; page += (unsigned long)bytes / sizeof(*read_now)) {
		size_t pages = end - page < BATCH ? end - page : BATCH;

		bytes = pread(flags, read_now, pages * sizeof(*read_now),
			(off_t)(page * sizeof(*read_now)));
		if (bytes < (ssize_t)sizeof(*read_now))
			break;
		for (size_t i = 0; i < (size_t)bytes / sizeof(*read_now); i++)
			tables += (read_now[i] & IS_TABLE) != 0;
	}
	return tables;
}

int main(void)
{
	FILE *zones = fopen("/proc/zoneinfo", "r");
	int flags = open("/proc/kpageflags", O_RDONLY), node = -1, last = 0;
	unsigned long spanned = 0, start;
	char line[256];

	if (!zones || flags < 0) {
		perror("table_pages");
		return 1;
	}
	while (fgets(line, sizeof(line), zones)) {
		if (sscanf(line, "Node %d", &node) == 1)
			spanned = 0;
		sscanf(line, " spanned %lu", &spanned);
		if (sscanf(line, " start_pfn: %lu", &start) == 1 && node >= 0 && node < NODES) {
			on_node[node] += count(flags, start, start + spanned);
			last = node > last ? node : last;
		}
	}
	for (node = 0; node <= last; node++)
		printf("%s%lu", node ? " " : "", on_node[node]);
	printf("\n");
	return 0;
}
