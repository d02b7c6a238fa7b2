/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocks: made, changed, given back. Nothing here calls malloc(), which may be built on it.
 *
 * machine.c reads what nodes have free, decide.c and deal.c divide a request among them, place.c
 * maps and binds by that, pieces.c remembers what was promised where, resize.c changes a block,
 * where.c looks where its pages came to lie. lock.c guards all, system.c makes the system calls.
 */
#include "rhp/rhp.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>

#include "rhp/runtime.h"

/* How often rhp_look() waits for another thread: many milliseconds. */
#define TRIES 100000

struct rhp *rhp_start(
	const struct rhp_config *config, const struct rhp_system *system, const char *root)
{
	struct rhp *r = system->map(sizeof(*r));

	if (!r)
		return NULL;
	pthread_mutex_init(&r->lock.mutex, NULL);
	r->system = system;
	r->config = config ? *config : (struct rhp_config){0};
	for (int i = 0; r->config.weights && i < RHP_NODES; i++)
		r->weighs |= (r->weights[i] = r->config.weights[i]) > 0;
	r->config.weights = NULL; /* the caller's */
	r->counts = &r->own;
	rhp_machine_read(&r->machine, root);
	return r;
}

struct rhp *rhp_init(const struct rhp_config *config)
{
	return rhp_start(config, &rhp_linux, "");
}

void rhp_end(struct rhp *r)
{
	for (size_t i = 0; i < r->pieces.count; i++)
		if (!r->pieces.list[i].unmapped)
			r->system->unmap((void *)r->pieces.list[i].base, r->pieces.list[i].bytes);
	rhp_pieces_free(&r->pieces, r->system);
	r->system->unmap(r, sizeof(*r));
}

/* 0: too large. */
static size_t round_up(size_t bytes, size_t to)
{
	return bytes > SIZE_MAX - to ? 0 : (bytes + to - 1) / to * to;
}

/* What is too much before and behind it is given back. */
uintptr_t rhp_reserve(const struct rhp *r, size_t alignment, size_t bytes)
{
	size_t more = alignment > r->machine.base ? alignment : 0;
	char *map = bytes && bytes <= SIZE_MAX - more ? r->system->map(bytes + more) : NULL;

	if (!map) {
		errno = ENOMEM;
		return 0;
	}
	size_t before = (alignment - (uintptr_t)map % alignment) % alignment;
	if (more && before)
		r->system->unmap(map, before);
	if (more > before)
		r->system->unmap(map + before + bytes, more - before);
	return (uintptr_t)map + before;
}

static void *make_block(struct rhp *r, size_t alignment, size_t bytes, bool unmapped)
{
	struct rhp_piece model = {.first = true, .unmapped = unmapped};
	uintptr_t base = rhp_reserve(r, alignment > rhp_unit(r) ? alignment : rhp_unit(r), bytes);
	int error = errno;

	if (!base)
		return NULL;
	rhp_lock(&r->lock);
	int failed = rhp_place(r, base, bytes, model);
	rhp_unlock(&r->lock);
	errno = error;
	if (!failed)
		return (void *)base;
	r->system->unmap((void *)base, bytes);
	errno = ENOMEM;
	return NULL;
}

void *rhp_allocate(struct rhp *r, size_t bytes)
{
	return make_block(r, rhp_unit(r), round_up(bytes ? bytes : 1, rhp_unit(r)), false);
}

void *rhp_allocate_aligned(struct rhp *r, size_t alignment, size_t bytes)
{
	return make_block(r, alignment, round_up(bytes ? bytes : 1, rhp_unit(r)), false);
}

void *rhp_map(struct rhp *r, size_t bytes)
{
	return make_block(r, rhp_unit(r), round_up(bytes, r->machine.base), true);
}

/* The block's pieces; mapped ones belong to the caller. */
static int find_block(const struct rhp *r, const void *block, size_t *from, size_t *to)
{
	if (rhp_pieces_block(&r->pieces, block, from, to))
		return -1;
	return r->pieces.list[*from].unmapped ? -1 : 0;
}

static size_t bytes_of(const struct rhp *r, size_t from, size_t to)
{
	const struct rhp_piece *last = &r->pieces.list[to - 1];

	return last->base + last->bytes - r->pieces.list[from].base;
}

static void find_piece(struct rhp *r, const struct rhp_piece *p, struct rhp_pages *pages)
{
	if (!p->inherited)
		rhp_find(r, p->base, p->bytes, pages);
}

/* Removes the mapped pieces of a range, which pieces begin and end with. Those of other blocks stay
 * until they are released, and are counted once. */
static void drop(struct rhp *r, uintptr_t base, uintptr_t end)
{
	size_t i = rhp_pieces_from(&r->pieces, base);
	bool removed = false;

	while (i < r->pieces.count && r->pieces.list[i].base < end) {
		struct rhp_piece *p = &r->pieces.list[i];

		find_piece(r, p, &r->counts->found);
		removed = p->unmapped;
		p->inherited = true;
		rhp_pieces_open(&r->pieces, i, 0);
		if (removed)
			rhp_pieces_remove(&r->pieces, i, i + 1);
		else
			i++;
	}
	/* what is behind the range is a block of its own now */
	if (removed && i < r->pieces.count && r->pieces.list[i].base == end)
		r->pieces.list[i].first = true;
}

int rhp_release(struct rhp *r, void *block)
{
	size_t from, to, bytes = 0;
	int error = errno;

	rhp_lock(&r->lock);
	if (!find_block(r, block, &from, &to)) {
		bytes = bytes_of(r, from, to);
		for (size_t i = from; i < to; i++)
			find_piece(r, &r->pieces.list[i], &r->counts->found);
		rhp_pieces_remove(&r->pieces, from, to);
		r->system->unmap(block, bytes);
	}
	rhp_unlock(&r->lock);
	errno = error;
	return bytes ? 0 : -1;
}

void rhp_forget(struct rhp *r, void *base, size_t bytes)
{
	uintptr_t from = (uintptr_t)base, end = from + round_up(bytes, r->machine.base);
	int error = errno;

	rhp_lock(&r->lock);
	size_t i = rhp_pieces_from(&r->pieces, from);
	bool any = i < r->pieces.count && r->pieces.list[i].base < end;
	if (any && !rhp_pieces_reserve(&r->pieces, r->system, 2)) {
		rhp_pieces_split(&r->pieces, from);
		rhp_pieces_split(&r->pieces, end);
		drop(r, from, end);
	}
	rhp_unlock(&r->lock);
	errno = error;
}

size_t rhp_bytes(struct rhp *r, const void *block)
{
	size_t from, to, bytes = 0;

	rhp_lock(&r->lock);
	if (!find_block(r, block, &from, &to))
		bytes = bytes_of(r, from, to);
	rhp_unlock(&r->lock);
	return bytes;
}

size_t rhp_parts(struct rhp *r, const void *block, struct rhp_part *parts, size_t n)
{
	size_t from = 0, to = 0;

	rhp_lock(&r->lock);
	if (find_block(r, block, &from, &to))
		from = to = 0;
	for (size_t i = from; i < to && i - from < n; i++)
		parts[i - from] =
			(struct rhp_part){r->pieces.list[i].node, r->pieces.list[i].bytes};
	rhp_unlock(&r->lock);
	return to - from;
}

int rhp_look(struct rhp *r, struct rhp_pages *pages, bool last)
{
	int tries = TRIES;

	while (!rhp_try_lock(&r->lock))
		if (!tries--)
			return -1;
		else
			sched_yield();
	memset(pages, 0, sizeof(*pages));
	for (size_t i = 0; i < r->pieces.count; i++) {
		find_piece(r, &r->pieces.list[i], pages);
		r->pieces.list[i].inherited |= last;
	}
	rhp_unlock(&r->lock);
	return 0;
}

void rhp_count_in(struct rhp *r, struct rhp_counts *counts)
{
	rhp_lock(&r->lock);
	*counts = *r->counts;
	r->counts = counts;
	rhp_unlock(&r->lock);
}

void rhp_fork_begins(struct rhp *r)
{
	rhp_lock(&r->lock);
}

void rhp_fork_ended(struct rhp *r)
{
	rhp_unlock(&r->lock);
}

void rhp_fork_child(struct rhp *r)
{
	memset(&r->own, 0, sizeof(r->own));
	r->counts = &r->own;
	for (size_t i = 0; i < r->pieces.count; i++)
		r->pieces.list[i].inherited = true;
	rhp_unlock(&r->lock);
}

void rhp_total(struct rhp *r, struct rhp_counts *counts)
{
	rhp_lock(&r->lock);
	*counts = *r->counts;
	rhp_unlock(&r->lock);
}
