/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "measure/turns.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/alloc.h"

static bool threads_share_cpu(const int *cpus, int a, int b, bool crowded)
{
	if (cpus[a] < 0 || cpus[b] < 0)
		return crowded;
	return cpus[a] == cpus[b];
}

/* Fewer threads than CPUs do not have to wait for each other where they are not bound. */
static bool crowded(const int *cpus, int n, int usable)
{
	bool free = false;

	for (int i = 0; i < n; i++)
		free = free || cpus[i] < 0;
	return free && n > usable;
}

bool turns_taken(const int *cpus, int n, int usable, int thread)
{
	const bool many = crowded(cpus, n, usable);

	for (int i = 0; i < n; i++)
		if (i != thread && threads_share_cpu(cpus, i, thread, many))
			return true;
	return false;
}

/* How long a thread had a CPU. */
static int64_t worked_ns(const struct thread_sample *t)
{
	const int64_t without = t->off_ns >= 0 ? t->off_ns : t->delayed_ns;

	return (int64_t)(t->end_ns - t->begin_ns) - (without > 0 ? without : 0);
}

/* How long a thread had a CPU between the start of the sample and the end of another one, at most.
 */
static int64_t had_ns(const struct sample *s, int thread, int other)
{
	const struct thread_sample *t = &s->threads[thread], *o = &s->threads[other];
	const uint64_t end = o->end_ns < t->end_ns ? o->end_ns : t->end_ns;
	const int64_t both = end > o->begin_ns ? (int64_t)(end - o->begin_ns) : 0;
	const int64_t worked = worked_ns(o);

	return worked < 0 ? 0 : worked < both ? worked : both;
}

static int64_t take_out(int64_t *from, int64_t had)
{
	const int64_t taken = *from <= 0 ? 0 : *from < had ? *from : had;

	*from -= taken;
	return taken;
}

void turns_take_out(struct sample *s, const int *cpus, int n, int usable)
{
	const bool many = crowded(cpus, n, usable);
	int64_t *had = alloc_zeroed((size_t)n, sizeof(*had));

	for (int i = 0; i < n; i++)
		for (int k = 0; k < n; k++)
			if (k != i && threads_share_cpu(cpus, i, k, many))
				had[i] += had_ns(s, i, k);
	for (int i = 0; i < n; i++) {
		const int64_t delayed = take_out(&s->threads[i].delayed_ns, had[i]);
		const int64_t off = take_out(&s->threads[i].off_ns, had[i]);

		take_out(&s->threads[i].late_ns, had[i] - (off > delayed ? off : delayed));
	}
	free(had);
}
