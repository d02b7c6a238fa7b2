/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a size such as 4xcaches is a multiple of. */
#include "plan/multiples.h"

#include <stdlib.h>

#include "base/alloc.h"

struct sharers multiples_count(const struct plan *p)
{
	struct sharers s = {{NULL}};

	for (int level = 1; level < TOPO_LEVELS; level++) {
		s.under[level] =
			alloc_zeroed((size_t)p->topo->caches[level].count + 1, sizeof(int));
		for (int i = 0; i < p->nthreads; i++) {
			const struct topo_cpu *cpu = topo_cpu(p->topo, p->threads[i].cpu);

			if (cpu && cpu->caches[level] >= 0 && p->threads[i].nvectors)
				s.under[level][cpu->caches[level]]++;
		}
	}
	return s;
}

void multiples_free(struct sharers *s)
{
	for (int level = 1; level < TOPO_LEVELS; level++)
		free(s->under[level]);
}

/* The last level above a CPU; a hidden one counts. */
static int last_level(const struct topo *t, const struct topo_cpu *cpu)
{
	int level = TOPO_LEVELS - 1;

	while (level > 0 && !topo_cache_bytes(t, cpu, level))
		level--;
	return level;
}

/* A level that is named counts where it is shown only: half of a cache that may not be there is no
 * size. A sum, which is to exceed all caches, counts a hidden one, too. */
static double one_level(const struct topo *t, const struct topo_cpu *cpu, int level,
	const struct value_size *s, const struct sharers *sharers)
{
	const struct topo_one_cache *one = level ? topo_cache_above(t, cpu, level) : NULL;

	if (!one)
		return level && !s->level ? (double)topo_cache_bytes(t, cpu, level) : 0;
	if (s->per_thread && sharers->under[level][cpu->caches[level]])
		return (double)one->bytes / sharers->under[level][cpu->caches[level]];
	return (double)one->bytes / (s->per_core && one->cores ? one->cores : 1);
}

/* Bytes of the caches above a CPU that the size multiplies. */
double multiples_of_cpu(const struct topo *t, const struct topo_cpu *cpu,
	const struct value_size *s, const struct sharers *sharers)
{
	double bytes = 0;

	if (s->level || s->last)
		return one_level(t, cpu, s->last ? last_level(t, cpu) : s->level, s, sharers);
	for (int level = 1; level < TOPO_LEVELS; level++)
		bytes += one_level(t, cpu, level, s, sharers);
	return bytes;
}

/* The same of the machine, the most of each level: for threads that may run anywhere. */
double multiples_of_machine(const struct topo *t, const struct value_size *s)
{
	if (!s->level && !s->last)
		return topo_caches(t, s->per_core);
	return topo_cache_of_machine(t, s->last ? topo_last_level(t) : s->level, s->per_core);
}
