/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The instruction sets, and which of them is quickest for the given streams. */
#include <stdio.h>

#include "bandwidth.h"
#include "trials.h"

/* In the order of bandwidth_isa_names; NULL: another architecture's. */
static const struct bandwidth_isa *const isas[BANDWIDTH_ISAS] = {
	&bandwidth_scalar,
#if defined(__x86_64__)
	&bandwidth_sse2,
	&bandwidth_avx,
	&bandwidth_avx2,
	&bandwidth_avx512,
#elif defined(__aarch64__)
	NULL,
	NULL,
	NULL,
	NULL,
	&bandwidth_neon,
	&bandwidth_sve,
#endif
};

const char *const bandwidth_isa_names[] = {
	"auto", "scalar", "sse2", "avx", "avx2", "avx512", "neon", "sve", NULL};

static bool usable(enum bandwidth_op op, int isa)
{
	return isas[isa] && isas[isa]->has() && isas[isa]->loops[op][0][0];
}

const char *bandwidth_usable(enum bandwidth_op op, char *buffer, size_t n)
{
	size_t used = 0;

	buffer[0] = '\0';
	for (int i = 0; i < BANDWIDTH_ISAS; i++)
		if (usable(op, i) && used < n)
			used += (size_t)snprintf(
				buffer + used, n - used, "%s%s", used ? ", " : "", isas[i]->name);
	return buffer;
}

/* auto omits scalar, which exists for comparison, and the loops without unrolling. */
size_t bandwidth_ways(
	enum bandwidth_op op, int isa, int unroll, struct bandwidth_way ways[BANDWIDTH_WAYS])
{
	size_t n = 0;

	for (int i = isa ? isa - 1 : 1; i < (isa ? isa : BANDWIDTH_ISAS); i++)
		for (int u = unroll ? unroll - 1 : 1; u < (unroll ? unroll : BANDWIDTH_UNROLLS);
			u++)
			if (usable(op, i))
				ways[n++] = (struct bandwidth_way){isas[i], u};
	return n;
}

size_t bandwidth_block(struct bandwidth_way way)
{
	return way.isa->width() << way.unroll;
}

void bandwidth_drain(enum bandwidth_op op)
{
	if (op == BANDWIDTH_store_nt || op == BANDWIDTH_copy_nt)
#if defined(__x86_64__)
		__builtin_ia32_sfence();
#else
		__sync_synchronize();
#endif
}

struct trial {
	enum bandwidth_op op;
	const struct bandwidth_way *ways;
	char *const *streams;
	size_t bytes, at; /* of each stream; where the next trial begins */
	bool ahead;
	ptrdiff_t distance;
};

/* Returns the bytes of a stream. Trials skip the rest behind the last whole piece: it would be
 * small and cached, and in streams of few pieces the same ways would always get it. */
static double try_way(void *arg, size_t k)
{
	struct trial *t = arg;
	const struct bandwidth_way way = t->ways[k];
	bandwidth_loop *loop = way.isa->loops[t->op][way.unroll][t->ahead];
	const size_t piece = t->bytes < TRIAL_BYTES ? t->bytes : TRIAL_BYTES;
	const size_t block = bandwidth_block(way), blocks = piece / block;
	const size_t times = TRIAL_BYTES / piece;

	if (t->at + piece > t->bytes)
		t->at = 0;
	char *const a = t->streams[0] + t->at, *const b = t->streams[1] + t->at,
		    *const c = t->streams[2] + t->at;

	loop(a, b, c, blocks, t->distance, times);
	bandwidth_drain(t->op);
	t->at += piece;
	return (double)(times * blocks * block);
}

_Static_assert(BANDWIDTH_WAYS <= TRIAL_WAYS, "each way has a trial");

size_t bandwidth_quickest(enum bandwidth_op op, const struct bandwidth_way *ways, size_t n,
	char *const *streams, size_t bytes, bool ahead, ptrdiff_t distance)
{
	struct trial t = {op, ways, streams, bytes, 0, ahead, distance};

	return trials_quickest(n, try_way, &t);
}
