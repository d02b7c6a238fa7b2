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

/* What cannot be moved (the program split the mapping) is copied, and lies where the kernel put it.
 */
static void move_piece(struct rhp *r, const struct rhp_piece *p, uintptr_t to)
{
	if (!r->system->move((void *)p->base, p->bytes, (void *)to))
		return;
	memcpy((void *)to, (void *)p->base, p->bytes);
	r->system->unmap((void *)p->base, p->bytes);
}

static void *grow(struct rhp *r, size_t from, size_t to, size_t had, size_t bytes)
{
	uintptr_t old = r->pieces.list[from].base, new = rhp_reserve(r, rhp_unit(r), bytes);
	size_t n = to - from;

	if (!new)
		return NULL;
	if (rhp_place(r, new + had, bytes - had, (struct rhp_piece){0})) {
		r->system->unmap((void *)new, bytes);
		errno = ENOMEM;
		return NULL;
	}
	for (size_t i = 0; i < n; i++) {
		size_t at = rhp_pieces_from(&r->pieces, old);
		struct rhp_piece p = r->pieces.list[at];

		rhp_pieces_remove(&r->pieces, at, at + 1);
		old += p.bytes;
		move_piece(r, &p, new);
		p.base = new;
		rhp_pieces_add(&r->pieces, &p);
		new += p.bytes;
	}
	return (void *)(new - had);
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
		return grow(r, from, to, had, bytes);
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
