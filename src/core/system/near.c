/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the work of each CPU, and sums up that of neighbours. */
#include "system/near.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"

enum { SHARES_CORE = 1, SHARES_CACHE = 2, SHARES_NODE = 4 };

/* What two CPUs share. */
static unsigned char shared(const struct topo_cpu *a, const struct topo_cpu *b, int last)
{
	unsigned char levels = 0;

	if (a->core == b->core)
		levels |= SHARES_CORE;
	if (last > 0 && a->caches[last] >= 0 && a->caches[last] == b->caches[last])
		levels |= SHARES_CACHE;
	if (a->node >= 0 && a->node == b->node)
		levels |= SHARES_NODE;
	return levels;
}

void near_init(struct near *n, const struct topo *t, const bool *used)
{
	const int last = topo_last_level(t);

	*n = (struct near){.count = used && t->this_system ? t->ncpu_index : 0};
	n->levels = alloc_zeroed((size_t)n->count + 1, sizeof(*n->levels));
	n->before = alloc_zeroed((size_t)n->count + 1, sizeof(*n->before));
	n->after = alloc_zeroed((size_t)n->count + 1, sizeof(*n->after));
	n->work = alloc_zeroed((size_t)n->count + 1, sizeof(*n->work));
	for (int i = 0; n->count && i < t->ncpus; i++)
		for (int k = 0; !used[t->cpus[i].cpu] && k < t->ncpus; k++)
			if (used[t->cpus[k].cpu])
				n->levels[t->cpus[i].cpu] |= shared(&t->cpus[i], &t->cpus[k], last);
}

void near_free(struct near *n)
{
	free(n->levels);
	free(n->before);
	free(n->after);
	free(n->work);
	*n = (struct near){0};
}

bool near_shares_core(const struct near *n)
{
	for (int i = 0; i < n->count; i++)
		if (n->levels[i] & SHARES_CORE)
			return true;
	return false;
}

static int64_t tick_ns(void)
{
	return 1000000000 / sysconf(_SC_CLK_TCK);
}

/* The lines of CPUs are the first ones; the longest of the others, of interrupts, are not read. */
static void read_work(int64_t *work, int count)
{
	unsigned long long user, nice, system, irq, softirq;
	FILE *f = fopen("/proc/stat", "r");
	char line[512];
	int cpu;

	while (f && fgets(line, sizeof(line), f) && !strncmp(line, "cpu", 3))
		if (sscanf(line, "cpu%d %llu %llu %llu %*u %*u %llu %llu", &cpu, &user, &nice,
			    &system, &irq, &softirq) == 6 &&
			cpu >= 0 && cpu < count)
			work[cpu] = (int64_t)(user + nice + system + irq + softirq) * tick_ns();
	if (f)
		fclose(f);
}

void near_begin(struct near *n)
{
	if (!n->count)
		return;
	read_work(n->before, n->count);
	n->at_ns = clock_ns();
}

/* A single tick may have met a moment of work that was far shorter. */
static double part_of(const struct near *n, int cpu, double span_ns)
{
	return n->work[cpu] < 2 * tick_ns() ? 0 : fmin((double)n->work[cpu] / span_ns, 1);
}

void near_busy(const struct near *n, double part, bool *set)
{
	for (int i = 0; i < n->count; i++)
		set[i] = part_of(n, i, (double)n->span_ns) > part;
}

static double mean_of(const struct near *n, unsigned char level, double span_ns)
{
	double sum = 0;
	int cpus = 0;

	for (int i = 0; i < n->count; i++)
		if (n->levels[i] & level) {
			sum += part_of(n, i, span_ns);
			cpus++;
		}
	return cpus ? sum / cpus : NAN;
}

static double most_of(const struct near *n, unsigned char level, double span_ns)
{
	double most = NAN;

	for (int i = 0; i < n->count; i++)
		if (n->levels[i] & level)
			most = fmax(most, part_of(n, i, span_ns));
	return most;
}

uint64_t near_span(const struct near *n)
{
	const uint64_t now = clock_ns();

	return n->span_ns + (now > n->at_ns ? now - n->at_ns : 0);
}

void near_pause(struct near *n)
{
	if (!n->count)
		return;
	memcpy(n->after, n->before, (size_t)n->count * sizeof(*n->after));
	read_work(n->after, n->count);
	for (int i = 0; i < n->count; i++)
		n->work[i] += n->after[i] - n->before[i];
	n->span_ns = near_span(n);
}

struct near_load near_look(struct near *n)
{
	struct near_load load = {n->count > 0, NAN, NAN, NAN};
	int64_t *swapped = n->before;

	if (!n->count)
		return load;
	near_pause(n);
	const double span_ns = fmax((double)n->span_ns, 1);

	load.core = most_of(n, SHARES_CORE, span_ns);
	load.cache = mean_of(n, SHARES_CACHE, span_ns);
	load.node = mean_of(n, SHARES_NODE, span_ns);
	memset(n->work, 0, (size_t)n->count * sizeof(*n->work));
	n->before = n->after;
	n->after = swapped;
	n->at_ns = clock_ns();
	n->span_ns = 0;
	return load;
}
