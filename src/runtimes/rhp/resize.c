/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A block of another size. It grows where it is, or its pages move, piece by piece, to a new
 * address that agrees with the old one modulo a huge page: so huge pages stay whole, and their
 * policy moves with them. Without address space for that, a block of one piece moves to any
 * address. Pieces that the kernel does not move are copied, and placed anew.
 */
#include <errno.h>
#include <string.h>

#include "rhp/runtime.h"

static int cut(struct rhp *r, size_t from, size_t to, size_t bytes)
{
	struct rhp_piece *list = r->pieces.list;
	uintptr_t base = list[from].base, end = list[to - 1].base + list[to - 1].bytes;

	if (rhp_pieces_reserve(&r->pieces, r->system, 1))
		return -1;
	rhp_pieces_split(&r->pieces, base + bytes);
	size_t first = rhp_pieces_from(&r->pieces, base + bytes), last = first;
	while (last < r->pieces.count && r->pieces.list[last].base < end) {
		if (!r->pieces.list[last].inherited)
			rhp_find(r, r->pieces.list[last].base, r->pieces.list[last].bytes,
				&r->counts->found);
		last++;
	}
	rhp_pieces_remove(&r->pieces, first, last);
	r->system->unmap((void *)(base + bytes), end - base - bytes);
	return 0;
}

static void unmap(struct rhp *r, uintptr_t from, uintptr_t to)
{
	if (to > from)
		r->system->unmap((void *)from, to - from);
}

/* A block on its way: [old, old + had) becomes [new, new + bytes). */
struct growth {
	uintptr_t old, new;
	size_t had, bytes;
};

/* Moves piece by piece. What was moved stays mapped where it was, but the last piece, whose mapping
 * grows. Returns how many bytes moved: all of whole pieces. What cannot be moved (the program split
 * the mapping) ends it. The list stays as it is until all is decided. */
static size_t move_pieces(struct rhp *r, const struct growth *g)
{
	for (size_t done = 0; done < g->had;) {
		const struct rhp_piece *p =
			&r->pieces.list[rhp_pieces_from(&r->pieces, g->old + done)];
		const bool last = done + p->bytes == g->had;

		if (r->system->move((void *)p->base, p->bytes, (void *)(g->new + done),
			    last ? g->bytes - done : p->bytes))
			return done;
		done += p->bytes;
		if (last)
			unmap(r, g->old, p->base);
	}
	return g->had;
}

/* Notes the pieces of [old, old + bytes) at their new address. again: nothing is bound there. */
static void list_pieces(struct rhp *r, uintptr_t old, size_t bytes, uintptr_t new, bool again)
{
	for (size_t done = 0; done < bytes;) {
		size_t at = rhp_pieces_from(&r->pieces, old + done);
		struct rhp_piece p = r->pieces.list[at];

		rhp_pieces_remove(&r->pieces, at, at + 1);
		p.base = new + done;
		if (again)
			rhp_place_again(r, &p);
		rhp_pieces_add(&r->pieces, &p);
		done += p.bytes;
	}
}

/* A piece does not move: all goes to a third place, or what has moved goes back. Kernels
 * before 6.17 unmap the target before they refuse, and another thread may have mapped something
 * there since: the hole is not to be written, nor to be unmapped. */
static uintptr_t copy_block(struct rhp *r, const struct growth *g, size_t moved)
{
	const uintptr_t third = rhp_reserve(r, rhp_unit(r), g->bytes);
	const size_t refused = rhp_pieces_from(&r->pieces, g->old + moved);
	uintptr_t hole_end = g->new + moved + r->pieces.list[refused].bytes;

	if (hole_end == g->new + g->had) /* that of the last piece */
		hole_end = g->new + g->bytes;
	if (third)
		list_pieces(r, g->old, g->had, third, true);
	memcpy((void *)(third ? third : g->old), (void *)g->new, moved);
	if (third) {
		memcpy((void *)(third + moved), (void *)(g->old + moved), g->had - moved);
		unmap(r, g->old, g->old + g->had);
	}
	unmap(r, g->new, g->new + moved);
	unmap(r, hole_end, g->new + g->bytes);
	return third;
}

/* Returns the new address of what the block had; 0: there is no address space. */
static uintptr_t move_block(struct rhp *r, struct growth *g, bool several)
{
	g->new = rhp_reserve(r, rhp_unit(r), g->bytes);
	if (g->new) {
		const size_t moved = move_pieces(r, g);

		if (moved < g->had)
			return copy_block(r, g, moved);
	} else if (!several) { /* not aligned, but it needs no more than it grows by */
		g->new = (uintptr_t)r->system->grow((void *)g->old, g->had, g->bytes, true);
	}
	if (g->new)
		list_pieces(r, g->old, g->had, g->new, false);
	return g->new;
}

static void *grow(struct rhp *r, struct growth *g, const struct rhp_piece *last)
{
	const uintptr_t from = last->base;
	const size_t had = last->bytes;
	uintptr_t block = g->old;

	if (rhp_pieces_reserve(&r->pieces, r->system, RHP_NODES + 1))
		return NULL;
	if (!r->system->grow((void *)from, had, had + g->bytes - g->had, false))
		block = move_block(r, g, from > g->old);
	errno = ENOMEM;
	if (!block)
		return NULL;
	/* what is new belongs to the last piece, and has its policy */
	r->system->bind((void *)(block + g->had), g->bytes - g->had, -1);
	rhp_place(r, block + g->had, g->bytes - g->had, (struct rhp_piece){0});
	return (void *)block;
}

static void *change(struct rhp *r, void *block, size_t bytes)
{
	size_t from, to;

	if (rhp_pieces_block(&r->pieces, block, &from, &to) || r->pieces.list[from].unmapped) {
		errno = EINVAL;
		return NULL;
	}
	const struct rhp_piece *last = &r->pieces.list[to - 1];
	size_t had = last->base + last->bytes - (uintptr_t)block;

	if (bytes > had)
		return grow(r,
			&(struct growth){.old = (uintptr_t)block, .had = had, .bytes = bytes},
			last);
	return bytes < had && cut(r, from, to, bytes) ? NULL : block;
}

void *rhp_resize(struct rhp *r, void *block, size_t bytes)
{
	size_t unit = rhp_unit(r);
	int error = errno;
	void *new = NULL;

	errno = ENOMEM;
	if (bytes <= SIZE_MAX - 2 * unit) {
		bytes = (bytes ? bytes + unit - 1 : unit) / unit * unit;
		rhp_lock(&r->lock);
		new = change(r, block, bytes);
		rhp_unlock(&r->lock);
	}
	if (new)
		errno = error;
	return new;
}
