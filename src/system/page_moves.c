/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the counters of /proc/vmstat. */
#include "system/page_moves.h"

#include <stdio.h>
#include <string.h>

void page_moves_take(struct page_moves *m)
{
	char key[64];
	unsigned long long count;
	FILE *f = fopen("/proc/vmstat", "r");

	*m = (struct page_moves){0};
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
