/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lengths and tables of sequences: the same in every run. */
#include "kvread_table.h"

#include <stdlib.h>

#include "latency/chase_order.h"
#include "own_pages.h"

uint64_t kv_length(const struct kv_form *f, const struct vector *v, uint64_t sequence)
{
	const uint64_t shorter = (uint64_t)((double)f->context * f->spread);
	const uint64_t drawn = mixed(mixed((uint64_t)v->rank) + sequence) % (shorter + 1);

	return drawn < f->context ? f->context - drawn : 1;
}

uint64_t kv_blocks(const struct kv_form *f, uint64_t length)
{
	return (length + f->block - 1) / f->block;
}

struct kv_share kv_share_of(const struct kv_form *f, uint64_t rows, const struct vector *v)
{
	const uint64_t blocks = rows / (2 * f->block);
	const uint64_t rank = (uint64_t)v->rank, users = (uint64_t)v->users;
	struct kv_share s = {.from = blocks * rank / users};

	s.count = blocks * (rank + 1) / users - s.from;
	while (!f->sequences || s.sequences < f->sequences) {
		const uint64_t length = kv_length(f, v, s.sequences);
		const uint64_t more = kv_blocks(f, length);

		if (!f->sequences && s.needed + more > s.count)
			break;
		s.needed += more;
		s.tokens += length;
		s.sequences++;
	}
	return s;
}

/* The thread's blocks in the order in which sequences take them; NULL: no memory. */
static uint32_t *table(const struct kv_form *f, const struct kv_share *s, uint64_t key)
{
	struct order o = {
		.n = s->count, .key = mixed(key), .table = malloc(s->count * sizeof(*o.table))};

	for (uint64_t i = 0; o.table && i < s->count; i++)
		o.table[i] = (uint32_t)i;
	if (o.table && f->order == KV_RANDOM)
		shuffle(&o);
	return o.table;
}

struct kv_piece *kv_pieces(
	const struct kv_form *f, const struct kv_share *s, const struct vector *v, uint64_t key)
{
	uint32_t *const blocks = table(f, s, key), *next = blocks;
	struct kv_piece *pieces = own_pages(2 * s->needed, sizeof(*pieces)), *p = pieces;

	for (uint64_t i = 0; blocks && pieces && i < s->sequences; i++)
		for (uint64_t left = kv_length(f, v, i); left;) {
			const uint64_t tokens = left < f->block ? left : f->block;
			const size_t keys = (s->from + *next++) * 2 * f->block;

			*p++ = (struct kv_piece){keys, tokens};
			*p++ = (struct kv_piece){keys + f->block, tokens};
			left -= tokens;
		}
	if (!blocks) {
		own_pages_free(pieces);
		pieces = NULL;
	}
	free(blocks);
	return pieces;
}
