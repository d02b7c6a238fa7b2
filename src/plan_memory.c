/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Are vectors so large that memory serves them, and not a cache? */
#include "plan_memory.h"

#include <stdio.h>
#include <stdlib.h>

#include "alloc.h"
#include "plan_parts.h"
#include "text.h"

/* STREAM's rule: below four times the last-level cache a good part of the accesses stays in it. */
#define TIMES_CACHE 4

static int last_cache(const struct plan *p, int thread)
{
	const struct topo_cpu *cpu = topo_cpu(p->topo, p->threads[thread].cpu);

	return cpu ? cpu->last_cache : -1;
}

/* Has it vectors, and the same last-level cache above it? Nobody knows what a thread that is not
 * bound has. */
static bool is_sharer(const struct plan *p, int thread, int other)
{
	return p->threads[other].nvectors && last_cache(p, other) == last_cache(p, thread);
}

static uint64_t own_bytes(const struct plan *p, int thread)
{
	uint64_t bytes = 0;

	for (int k = 0; k < p->threads[thread].nvectors; k++)
		bytes += p->vectors[p->threads[thread].vector_ids[k]].bytes;
	return bytes;
}

struct footprint {
	int sharers;  /* threads with vectors under the same last-level cache, itself among them */
	uint64_t own; /* bytes of the thread's vectors */
	uint64_t whole; /* of all their vectors, each once */
};

static struct footprint footprint(const struct plan *p, int thread)
{
	struct footprint f = {.own = own_bytes(p, thread)};
	bool *seen = alloc_zeroed((size_t)p->nvectors + 1, sizeof(*seen));

	for (int i = 0; i < p->nthreads; i++) {
		if (!is_sharer(p, thread, i))
			continue;
		f.sharers++;
		for (int k = 0; k < p->threads[i].nvectors; k++) {
			int v = p->threads[i].vector_ids[k];

			f.whole += seen[v] ? 0 : p->vectors[v].bytes;
			seen[v] = true;
		}
	}
	free(seen);
	return f;
}

static bool exceeds(const struct footprint *f, double bytes)
{
	return (double)f->whole >= bytes && (double)f->own * f->sharers >= bytes;
}

bool plan_exceeds_caches(const struct plan *p, int thread, double times)
{
	struct footprint f = footprint(p, thread);

	return exceeds(&f, times * (double)topo_last_cache(p->topo));
}

static void warn(const struct plan *p, int thread, const struct footprint *f, struct errors *e)
{
	uint64_t cache = topo_last_cache(p->topo);
	char has[32], size[32], share[64] = "";

	if (f->sharers > 1)
		snprintf(share, sizeof(share), "its part, one of %d, of ", f->sharers);
	if ((double)f->own * f->sharers < (double)TIMES_CACHE * (double)cache)
		error_warn(e,
			"measures: memory, but the vectors of thread %d are %s together, less than "
			"%d times %sthe last-level cache of %s",
			thread, text_size(f->own, has, sizeof(has)), TIMES_CACHE, share,
			text_size(cache, size, sizeof(size)));
	else
		error_warn(e,
			"measures: memory, but all vectors of the %d threads that share the cache "
			"of thread %d are %s together, less than %d times that cache of %s",
			f->sharers, thread, text_size(f->whole, has, sizeof(has)), TIMES_CACHE,
			text_size(cache, size, sizeof(size)));
	error_hint(e,
		"tamPerVector: %dxLLC or more, or %dxLLC/core where all cores have vectors of "
		"their own; smaller ones measure the cache as well",
		TIMES_CACHE, TIMES_CACHE);
}

void plan_memory(const struct plan *p, struct errors *e)
{
	for (int i = 0; i < p->nthreads; i++) {
		struct footprint f = footprint(p, i);

		if (!f.own || exceeds(&f, TIMES_CACHE * (double)topo_last_cache(p->topo)))
			continue;
		warn(p, i, &f, e);
		return; /* once is enough */
	}
}
