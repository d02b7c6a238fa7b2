/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the counters of /proc/vmstat. */
#include "system/page_moves.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "memory/pages.h"

/* Transparent huge pages of other sizes than the usual one, which are not in vmstat. */
static uint64_t mthp_split(void)
{
	char path[128], line[32];
	uint64_t sum = 0, count;

	for (size_t bytes = 2 * mem_base_page(); bytes < mem_huge_page(); bytes *= 2) {
		snprintf(path, sizeof(path), THP_DIR "/hugepages-%zukB/stats/split", bytes / 1024);
		if (!text_first_line(path, line, sizeof(line)) && !text_count(line, &count))
			sum += count;
	}
	return sum;
}

void page_moves_take(struct page_moves *m)
{
	char key[64];
	unsigned long long count;
	FILE *f = fopen("/proc/vmstat", "r");

	*m = (struct page_moves){.split = mthp_split()};
	while (f && fscanf(f, "%63s %llu", key, &count) == 2)
		if (!strcmp(key, "pgmigrate_success"))
			m->migrated = count;
		else if (!strcmp(key, "thp_split_page") || !strcmp(key, "thp_split_pmd"))
			m->split += count;
	if (f)
		fclose(f);
}

void page_moves_since(const struct page_moves *before, struct page_moves *sum)
{
	struct page_moves now;

	page_moves_take(&now);
	sum->migrated += now.migrated - before->migrated;
	sum->split += now.split - before->split;
}
