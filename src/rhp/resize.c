/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A block of another size. Growing moves the pages to a new address, which agrees with the old one
 * modulo a huge page: so huge pages stay whole, and their policy moves with them. */
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

/* A block on its way: [old, old + had) becomes [new, new + bytes), or [spare, spare + bytes). */
struct growth {
	uintptr_t old, new, spare;
	size_t had, bytes;
};

/* Returns how many bytes moved: all of whole pieces. What cannot be moved (the program split the
 * mapping) ends it. The list stays as it is until all is decided. */
static size_t move_pieces(struct rhp *r, const struct growth *g)
{
	for (size_t done = 0; done < g->had;) {
		const struct rhp_piece *p =
			&r->pieces.list[rhp_pieces_from(&r->pieces, g->old + done)];

		if (r->system->move((void *)p->base, p->bytes, (void *)(g->new + done)))
			return done;
		done += p->bytes;
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

/* As if what the block should grow by had never been asked for. */
static void take_back(struct rhp *r, const struct growth *g)
{
	size_t from = rhp_pieces_from(&r->pieces, g->new + g->had);
	size_t to = rhp_pieces_from(&r->pieces, g->new + g->bytes);

	for (size_t i = from; i < to; i++)
		rhp_count_off(r, &r->pieces.list[i]);
	rhp_pieces_remove(&r->pieces, from, to);
}

/* Kernels before 6.17 unmap the target before they refuse to move a piece, and another thread may
 * have mapped something there since: the hole is not to be written, nor to be unmapped. */
static void *copy(struct rhp *r, struct growth *g, size_t moved)
{
	size_t refused = rhp_pieces_from(&r->pieces, g->old + moved);
	uintptr_t hole = g->new + moved, hole_end = hole + r->pieces.list[refused].bytes;

	if (!g->spare)
		g->spare = rhp_reserve(r, rhp_unit(r), g->bytes);
	if (g->spare) {
		list_pieces(r, g->old, g->had, g->spare, true);
		list_pieces(r, g->new + g->had, g->bytes - g->had, g->spare + g->had, true);
		memcpy((void *)g->spare, (void *)g->new, moved);
		memcpy((void *)(g->spare + moved), (void *)(g->old + moved), g->had - moved);
		unmap(r, g->old + moved, g->old + g->had);
	} else {
		take_back(r, g);
	}
	unmap(r, g->new, hole);
	unmap(r, hole_end, g->new + g->bytes);
	return (void *)g->spare;
}

/* A block of several pieces, of which some may have moved when one does not, has a place for a copy
 * beforehand. */
static int reserve(struct rhp *r, struct growth *g, bool several)
{
	g->new = rhp_reserve(r, rhp_unit(r), g->bytes);
	g->spare = g->new &&several ? rhp_reserve(r, rhp_unit(r), g->bytes) : 0;
	if (g->new && (g->spare || !several) &&
		!rhp_place(r, g->new + g->had, g->bytes - g->had, (struct rhp_piece){0}))
		return 0;
	if (g->new)
		unmap(r, g->new, g->new + g->bytes);
	if (g->spare)
		unmap(r, g->spare, g->spare + g->bytes);
	errno = ENOMEM;
	return -1;
}

static void *grow(struct rhp *r, struct growth *g, bool several)
{
	if (reserve(r, g, several))
		return NULL;
	size_t moved = move_pieces(r, g);
	if (moved < g->had) {
		void *block = copy(r, g, moved);

		errno = ENOMEM;
		return block;
	}
	list_pieces(r, g->old, g->had, g->new, false);
	if (g->spare)
		unmap(r, g->spare, g->spare + g->bytes);
	return (void *)g->new;
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
			to - from > 1);
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
