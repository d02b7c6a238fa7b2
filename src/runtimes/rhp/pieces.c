/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sorted array: blocks are large, so they are few. */
#include "rhp/pieces.h"

#include <string.h>

/* A block may have a part on each node. */
#define FIRST_ROOM (2 * RHP_NODES)

int rhp_pieces_reserve(struct rhp_pieces *p, const struct rhp_system *s, size_t more)
{
	size_t room = p->room ? p->room : FIRST_ROOM;

	if (p->count + more <= p->room)
		return 0;
	while (room < p->count + more)
		room *= 2;
	struct rhp_piece *list = s->map(room * sizeof(*list));
	if (!list)
		return -1;
	if (p->count)
		memcpy(list, p->list, p->count * sizeof(*list));
	if (p->room)
		s->unmap(p->list, p->room * sizeof(*list));
	p->list = list;
	p->room = room;
	return 0;
}

void rhp_pieces_free(struct rhp_pieces *p, const struct rhp_system *s)
{
	if (p->room)
		s->unmap(p->list, p->room * sizeof(*p->list));
	*p = (struct rhp_pieces){0};
}

size_t rhp_pieces_from(const struct rhp_pieces *p, uintptr_t address)
{
	size_t low = 0, high = p->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (p->list[middle].base + p->list[middle].bytes > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

void rhp_pieces_open(struct rhp_pieces *p, size_t i, size_t open)
{
	struct rhp_piece *piece = &p->list[i];

	if (piece->node >= 0)
		p->open[piece->node] += open - piece->open;
	piece->open = open;
}

void rhp_pieces_add(struct rhp_pieces *p, const struct rhp_piece *piece)
{
	size_t at = rhp_pieces_from(p, piece->base);

	memmove(p->list + at + 1, p->list + at, (p->count - at) * sizeof(*p->list));
	p->list[at] = *piece;
	p->list[at].open = 0;
	p->count++;
	rhp_pieces_open(p, at, piece->open);
}

int rhp_pieces_block(const struct rhp_pieces *p, const void *block, size_t *from, size_t *to)
{
	size_t i = rhp_pieces_from(p, (uintptr_t)block);

	if (i == p->count || p->list[i].base != (uintptr_t)block || !p->list[i].first)
		return -1;
	*from = i++;
	while (i < p->count && !p->list[i].first)
		i++;
	*to = i;
	return 0;
}

void rhp_pieces_remove(struct rhp_pieces *p, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		rhp_pieces_open(p, i, 0);
	memmove(p->list + from, p->list + to, (p->count - to) * sizeof(*p->list));
	p->count -= to - from;
}

void rhp_pieces_split(struct rhp_pieces *p, uintptr_t address)
{
	size_t i = rhp_pieces_from(p, address);

	if (i == p->count || p->list[i].base >= address)
		return;
	struct rhp_piece *low = &p->list[i], high = *low;
	size_t kept = address - low->base;

	high.base = address;
	high.bytes -= kept;
	/* what is open may lie in either; it is looked at again */
	high.open = low->open < high.bytes ? low->open : high.bytes;
	high.first = false;
	rhp_pieces_open(p, i, low->open < kept ? low->open : kept);
	low->bytes = kept;
	rhp_pieces_add(p, &high);
}
