/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pieces.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define OWN_BYTES 256 /* no line shared with another thread's */
_Static_assert(
	sizeof(struct bandwidth_walk) <= OWN_BYTES, "the state of a thread has its own lines");

/* 0: as large as a stream. */
static size_t piece_of(const struct worker *w)
{
	const struct pieces_args *args = w->args;

	return args->piece.value * (args->piece.bytes ? 1 : sizeof(double));
}

static size_t block_of(const struct pieces_op *op)
{
	return op->block ? op->block() : PIECES_LINE;
}

const char *pieces_check(const struct worker *w, const struct pieces_op *op, char *why, size_t n)
{
	if (piece_of(w) % PIECES_LINE) {
		snprintf(why, n, "piece = %zu bytes is not a multiple of a line's %d", piece_of(w),
			PIECES_LINE);
		return why;
	}
	if (bandwidth_misfit(w, op->streams, why, n))
		return why;
	for (int g = 0; g < bandwidth_groups(w, op->streams); g++) {
		const size_t bytes = bandwidth_group(w, op->streams, g).bytes;

		if (op->streams == 2 && w->nvectors > 1 &&
			bandwidth_bytes(&w->vectors[g * 2 + 1]) != bytes) {
			snprintf(why, n, "its vectors must be of the same size");
			return why;
		}
		if (bytes < block_of(op)) {
			snprintf(why, n,
				"%zu bytes to go through are less than the %zu that one "
				"instruction "
				"writes",
				bytes, block_of(op));
			return why;
		}
	}
	return NULL;
}

/* What is only read must still hold the data from setup(): the source of a copy is the second
 * vector of each pair. */
const char *pieces_finds(const struct worker *w, const struct pieces_op *op, int k)
{
	if (op->reads)
		return "ones";
	if (op->streams == 1)
		return NULL;
	if (w->nvectors == 1)
		return "two parts";
	return k % 2 ? "ones" : NULL;
}

static void fill_stream(char *p, size_t bytes, double value)
{
	double *x = (double *)p;

	for (size_t i = 0; i < bytes / sizeof(*x); i++)
		x[i] = value;
}

const char *pieces_setup(struct worker *w, const struct pieces_op *op)
{
	struct bandwidth_walk *walk = w->own = aligned_alloc(OWN_BYTES, OWN_BYTES);

	if (!walk)
		return "no memory left for its state";
	*walk = (struct bandwidth_walk){.op = op->reads          ? BANDWIDTH_sum
					      : op->streams == 2 ? BANDWIDTH_copy
								 : BANDWIDTH_store,
		.streams = op->streams,
		.loop = op->loop,
		.block = block_of(op),
		.step = piece_of(w) ? piece_of(w) : PTRDIFF_MAX,
		.ahead = piece_of(w) ? (ptrdiff_t)piece_of(w) : PTRDIFF_MAX};
	for (int g = 0; g < bandwidth_groups(w, walk->streams); g++) {
		const struct bandwidth_group group = bandwidth_group(w, walk->streams, g);

		fill_stream(group.streams[0], group.bytes, op->reads ? 1 : -1);
		if (op->streams == 2)
			fill_stream(group.streams[1], group.bytes, 1);
	}
	bandwidth_begin(walk, w);
	return NULL;
}

uint64_t pieces_run(struct worker *w, uint64_t passes)
{
	return bandwidth_rounds(w->own, w, passes);
}

uint64_t pieces_step(struct worker *w, uint64_t steps)
{
	return bandwidth_steps(w->own, w, steps);
}

const char *pieces_verify(const struct worker *w, const struct pieces_op *op, char *why, size_t n)
{
	struct bandwidth_walk *walk = w->own;

	bandwidth_complete(walk, w);
	if (walk->wrong_sum) {
		snprintf(why, n, "a call did not find what its vectors hold");
		return why;
	}
	for (int g = 0; g < bandwidth_groups(w, walk->streams); g++) {
		const struct bandwidth_group group = bandwidth_group(w, walk->streams, g);

		for (size_t k = 0; k < bandwidth_checked(walk, &group); k++) {
			const size_t i = bandwidth_place(walk, &group, k);
			uint64_t found;

			memcpy(&found, group.streams[0] + i * sizeof(found), sizeof(found));
			if (found == op->after)
				continue;
			snprintf(why, n, "element %zu of group %d is %#" PRIx64 ", not %#" PRIx64,
				i, g, found, op->after);
			return why;
		}
	}
	return NULL;
}
