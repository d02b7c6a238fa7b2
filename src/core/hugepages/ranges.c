/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts and sorts ranges. */
#include "hugepages/ranges.h"

#include <stdlib.h>

#include "base/alloc.h"

static bool all_free(const uint64_t *flags, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!(flags[i] & RANGES_FREE))
			return false;
	return true;
}

static void add_block(struct ranges *r, uint64_t block)
{
	struct range *last = r->count ? &r->all[r->count - 1] : NULL;

	r->blocks++;
	if (last && last->first + last->blocks == block) {
		last->blocks++;
		return;
	}
	r->all = alloc_grow(r->all, r->count, sizeof(*r->all));
	r->all[r->count++] = (struct range){block, 1};
}

void ranges_add(struct ranges *r, uint64_t page, const uint64_t *flags, size_t n)
{
	for (size_t i = 0; i + r->per_block <= n; i += r->per_block)
		if (all_free(flags + i, r->per_block))
			add_block(r, (page + i) / r->per_block);
}

/* Of equally long ones the first comes first, so that the choice is the same each time. */
static int longer(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	if (x->blocks != y->blocks)
		return x->blocks > y->blocks ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

void ranges_keep(struct ranges *r, size_t most, uint64_t blocks)
{
	if (r->count)
		qsort(r->all, r->count, sizeof(*r->all), longer);
	r->count = r->count < most ? r->count : most;
	r->blocks = 0;
	for (size_t i = 0; i < r->count; i++) {
		struct range *one = &r->all[i];

		if (one->blocks > blocks - r->blocks)
			one->blocks = blocks - r->blocks;
		r->blocks += one->blocks;
	}
	while (r->count && !r->all[r->count - 1].blocks)
		r->count--;
}

bool ranges_has(const struct ranges *r, uint64_t page)
{
	uint64_t block = page / r->per_block;

	for (size_t i = 0; i < r->count; i++)
		if (block >= r->all[i].first && block - r->all[i].first < r->all[i].blocks)
			return true;
	return false;
}

uint64_t ranges_longest(const struct ranges *r)
{
	uint64_t longest = 0;

	for (size_t i = 0; i < r->count; i++)
		longest = r->all[i].blocks > longest ? r->all[i].blocks : longest;
	return longest;
}

void ranges_free(struct ranges *r)
{
	free(r->all);
	*r = (struct ranges){0};
}
