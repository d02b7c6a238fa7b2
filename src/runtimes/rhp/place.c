/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From what the machine has now to bound parts: the only file that binds. */
#include <errno.h>
#include <linux/mempolicy.h>
#include <string.h>
#include <sys/mman.h>

#include "rhp/runtime.h"

#define WORD_BITS (8 * sizeof(unsigned long))

/* Open promises that one allocation looks at, and pieces among which it looks for them: a program
 * with thousands of blocks pays no more, some microseconds each. */
#define LOOKS  64
#define PIECES 1024

/* Base pages in one question for presence. */
#define PAGES 2048

/* The bytes of a promise in huge pages of which no page is there. */
static size_t open_bytes(const struct rhp *r, const struct rhp_piece *p)
{
	unsigned char there[PAGES];
	size_t base = r->machine.base, huge = r->machine.huge, open = 0;
	size_t step = huge < PAGES * base ? PAGES * base / huge * huge : huge;

	/* of a huge page larger than the room, its beginning stands for it */
	for (size_t at = 0; at < p->bytes / huge * huge; at += step) {
		size_t left = p->bytes / huge * huge - at, n = left < step ? left : step;
		size_t asked = n < PAGES * base ? n : PAGES * base;

		if (r->system->resident((void *)(p->base + at), asked, there))
			return p->open;
		for (size_t block = 0; block < n; block += huge) {
			size_t page = block / base, end = (block + huge) / base;
			bool any = false;

			for (; page < end && page < asked / base && !any; page++)
				any = there[page] & 1;
			open += any ? 0 : huge;
		}
	}
	return open;
}

/* What is free on a node and promised to nothing. */
static uint64_t unpromised(const struct rhp *r, int node)
{
	const uint64_t has = r->free_bytes[node], open = r->pieces.open[node];

	return has > open ? has - open : 0;
}

/* Until so much of the node is promised to nothing. */
static void look_again(struct rhp *r, int node, size_t bytes)
{
	int looks = 0;

	for (size_t i = 0; i < r->pieces.count && i < PIECES && looks < LOOKS; i++) {
		if (unpromised(r, node) >= bytes)
			return;
		r->cursor = r->cursor + 1 < r->pieces.count ? r->cursor + 1 : 0;
		const struct rhp_piece *p = &r->pieces.list[r->cursor];

		if (!p->open)
			continue;
		rhp_pieces_open(&r->pieces, r->cursor, open_bytes(r, p));
		looks++;
	}
}

static bool is_allowed(const struct rhp *r, int node)
{
	return r->allowed[(size_t)node / WORD_BITS] >> (size_t)node % WORD_BITS & 1;
}

static bool is_empty(const unsigned long *mask)
{
	unsigned long any = 0;

	for (size_t i = 0; i < RHP_MASK_WORDS; i++)
		any |= mask[i];
	return !any;
}

/* In r->allowed: the nodes that cpuset and MPOL_BIND leave. Another policy says where each page
 * goes (MPOL_INTERLEAVE, ...): a node chosen here would overrule it. Kernels before 5.14 say
 * MPOL_PREFERRED without nodes for MPOL_LOCAL. Returns the policy that leaves no choice, or 0. */
static int read_allowed(struct rhp *r)
{
	int mode = MPOL_DEFAULT;

	if (r->system->allowed(r->allowed))
		memset(r->allowed, 0xff, sizeof(r->allowed));
	memset(r->its_own, 0, sizeof(r->its_own));
	if (r->system->policy(&mode, r->its_own) || mode == MPOL_DEFAULT || mode == MPOL_LOCAL ||
		(mode == MPOL_PREFERRED && is_empty(r->its_own)))
		return 0;
	if (mode != MPOL_BIND)
		return mode & ~MPOL_MODE_FLAGS;
	for (size_t i = 0; i < RHP_MASK_WORDS; i++)
		r->allowed[i] &= r->its_own[i];
	return 0;
}

static void read_distances(struct rhp *r, size_t n)
{
	int error = rhp_machine_distances(&r->machine, r->system->node(), r->distances);

	if (error && n > 1)
		r->counts->distance_error = error;
	for (size_t i = 0; i < n; i++)
		r->nodes[i].distance = r->distances[r->nodes[i].id];
	rhp_sort(r->nodes, n);
}

static bool is_wanted(const struct rhp *r, int node, int here)
{
	return is_allowed(r, node) && (r->config.take == RHP_TAKE_ALL || node == here);
}

/* r->nodes: those with free blocks, sorted. Returns how many. Promises are looked at only where the
 * own node lacks what they may have left: it comes first. */
static size_t list_nodes(struct rhp *r, size_t bytes)
{
	size_t n = 0;
	int here = r->system->node();
	int error = rhp_machine_free(&r->machine, r->free_bytes);

	if (error) {
		r->counts->buddyinfo_error = error;
		return 0;
	}
	look_again(r, here, is_wanted(r, here, here) ? bytes : SIZE_MAX);
	for (int node = 0; node < RHP_NODES; node++)
		if (unpromised(r, node) && is_wanted(r, node, here))
			r->nodes[n++] = (struct rhp_node){node, 0, unpromised(r, node)};
	read_distances(r, n);
	return n;
}

/* A node that may not be chosen leaves its turn to the next one. Weights spread what is read, not
 * huge pages: it does not matter what is free, nor whether pages are huge. 0: no node is left. */
static size_t deal(struct rhp *r, size_t bytes)
{
	for (int i = 0; i < RHP_NODES; i++)
		r->weighed[i] = is_allowed(r, i) ? r->weights[i] : 0;
	return rhp_deal(r->weighed, bytes, rhp_unit(r), &r->turn, r->parts);
}

/* Far memory pays only in huge pages: without them everything is the rest. */
static size_t choose_far_part(struct rhp *r, size_t bytes)
{
	size_t n = 0;

	r->policy = read_allowed(r);
	if (!r->policy && r->weighs && (n = deal(r, bytes)))
		return n;
	if (r->policy)
		r->counts->own_policy = r->policy;
	else if (!rhp_machine_thp(&r->machine))
		r->counts->thp_off = 1;
	else if (r->system->thp_disabled())
		r->counts->thp_off = 2;
	else if (r->config.take != RHP_TAKE_NONE)
		n = list_nodes(r, bytes);
	return rhp_decide(
		r->nodes, n, bytes, r->machine.huge ? r->machine.huge : r->machine.base, r->parts);
}

static void advise_part(struct rhp *r, uintptr_t base, size_t bytes, int advice)
{
	if (r->machine.huge && r->system->advise((void *)base, bytes, advice))
		r->counts->advice_error = errno;
}

static bool bind_part(struct rhp *r, uintptr_t base, size_t bytes, int node)
{
	if (!r->system->bind((void *)base, bytes, node))
		return true;
	r->counts->refused_error = errno;
	return false;
}

/* A refused part is left to the kernel's default. */
static void place_part(struct rhp *r, struct rhp_piece *piece)
{
	int here = r->system->node();
	bool local = r->config.rest == RHP_REST_LOCAL && !r->policy && is_allowed(r, here);

	piece->home = -1;
	if (piece->node >= 0 && bind_part(r, piece->base, piece->bytes, piece->node)) {
		r->counts->promised[piece->node] += piece->bytes;
		return;
	}
	bool refused = piece->node >= 0;
	if (refused)
		r->counts->refused += piece->bytes;
	piece->node = -1;
	piece->open = 0;
	r->counts->rest += piece->bytes;
	if (local) {
		advise_part(r, piece->base, piece->bytes, MADV_NOHUGEPAGE);
		if (bind_part(r, piece->base, piece->bytes, here))
			piece->home = here;
		else if (!refused)
			r->counts->refused += piece->bytes;
	}
}

void rhp_count_off(struct rhp *r, const struct rhp_piece *piece)
{
	if (piece->inherited)
		return;
	r->counts->bytes -= piece->bytes;
	*(piece->node < 0 ? &r->counts->rest : &r->counts->promised[piece->node]) -= piece->bytes;
}

void rhp_place_again(struct rhp *r, struct rhp_piece *piece)
{
	uint64_t refused = r->counts->refused;
	bool rest = piece->node < 0;

	rhp_count_off(r, piece);
	r->counts->bytes += piece->bytes;
	piece->inherited = false;
	advise_part(r, piece->base, piece->bytes, MADV_HUGEPAGE);
	place_part(r, piece);
	/* if it was refused before, it is counted */
	if (rest)
		r->counts->refused = refused;
}

/* What a block grew by, as a part of the piece before it if it is as that is: they are one mapping.
 */
static bool join(struct rhp *r, const struct rhp_piece *piece)
{
	size_t i = rhp_pieces_from(&r->pieces, piece->base);
	struct rhp_piece *before = i ? &r->pieces.list[i - 1] : NULL;

	if (!before || before->base + before->bytes != piece->base || before->node != piece->node ||
		before->home != piece->home || before->unmapped != piece->unmapped ||
		before->inherited != piece->inherited)
		return false;
	before->bytes += piece->bytes;
	rhp_pieces_open(&r->pieces, i - 1, before->open + piece->open);
	return true;
}

int rhp_place(struct rhp *r, uintptr_t base, size_t bytes, struct rhp_piece model)
{
	size_t n = choose_far_part(r, bytes);

	if (rhp_pieces_reserve(&r->pieces, r->system, n))
		return -1;
	r->counts->allocations += model.first;
	r->counts->bytes += bytes;
	advise_part(r, base, bytes, MADV_HUGEPAGE);
	for (size_t i = 0; i < n; i++) {
		struct rhp_piece piece = model;
		size_t whole = r->machine.huge ? r->parts[i].bytes / r->machine.huge : 0;

		piece.base = base;
		piece.bytes = r->parts[i].bytes;
		piece.open = whole * r->machine.huge;
		piece.node = r->parts[i].node;
		piece.first = model.first && !i;
		place_part(r, &piece);
		if (model.first || !join(r, &piece))
			rhp_pieces_add(&r->pieces, &piece);
		base += piece.bytes;
	}
	return 0;
}
