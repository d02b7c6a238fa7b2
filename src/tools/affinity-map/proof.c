/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A thread that looks into /proc. */
#include "affinity-map/proof.h"

#include <linux/mempolicy.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/proc.h"
#include "memory/process.h"
#include "affinity-map/tools.h"

/* Less memory says nothing of where pages go: it is the C library's own. */
#define LEAST_BYTES (8u << 20)
/* The part that may be elsewhere: what was there before the policy, and what libraries have. */
#define ELSEWHERE 0.05
/* Interleaved pages are spread evenly, but for what one thread touched in huge pages. */
#define EVEN 0.5

struct proof_watch {
	pthread_t thread;
	atomic_bool over;
	struct proof *proof;
	unsigned long mask[LINUX_MASK_WORDS]; /* CPUs asked for */
	bool bound;
	pid_t group;
	double interval_s;
};

struct look {
	struct proof_watch *watch;
	int process, threads, wide;
	struct process_pages pages;
	uint64_t at[LINUX_NODES];
	uint64_t largest; /* bytes of the process with most of them */
	bool runtime;     /* which has loaded affinity-rhp.so */
};

static bool is_wide(const struct proof_watch *w, int thread)
{
	unsigned long mask[LINUX_MASK_WORDS] = {0};

	if (!w->bound || sched_getaffinity(thread, sizeof(mask), (cpu_set_t *)mask))
		return false;
	for (size_t i = 0; i < LINUX_MASK_WORDS; i++)
		if (mask[i] & ~w->mask[i])
			return true;
	return false;
}

static void look_at_thread(void *with, int thread)
{
	struct look *l = with;
	struct proc_stat s;

	if (proc_stat(l->process, thread, &s))
		return;
	l->threads++;
	l->wide += is_wide(l->watch, thread);
	if (s.cpu >= 0 && s.cpu < LINUX_CPUS)
		l->watch->proof->on[s.cpu] = true;
}

static uint64_t bytes_of(const uint64_t *at)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < LINUX_NODES; i++)
		bytes += at[i];
	return bytes;
}

static bool has_runtime(int process)
{
	char *line = NULL;
	size_t size = 0;
	bool found = false;
	FILE *in = proc_open(process, "maps");

	while (in && !found && getline(&line, &size, in) > 0)
		found = strstr(line, "/" TOOLS_RUNTIME ".so") != NULL;
	free(line);
	if (in)
		fclose(in);
	return found;
}

static void look_at_process(void *with, int process)
{
	struct look *l = with;
	char folder[32];
	struct proc_stat s;

	if (proc_stat(process, 0, &s) || s.group != l->watch->group)
		return;
	l->process = process;
	snprintf(folder, sizeof(folder), "/proc/%d/task", process);
	proc_each(folder, look_at_thread, l);
	process_pages_add(process, -1, &l->pages);
	const uint64_t before = bytes_of(l->at);

	process_nodes_add(process, l->at);
	if (bytes_of(l->at) - before <= l->largest)
		return;
	l->largest = bytes_of(l->at) - before;
	l->runtime = has_runtime(process);
}

static void look_at_threads(struct proof_watch *w)
{
	struct look l = {.watch = w};
	struct proof *p = w->proof;

	proc_each("/proc", look_at_process, &l);
	p->looks += l.threads > 0;
	p->threads = l.threads > p->threads ? l.threads : p->threads;
	p->wide = l.wide > p->wide ? l.wide : p->wide;
	const uint64_t bytes = bytes_of(l.at);

	if (bytes < p->bytes)
		return;
	p->bytes = bytes;
	p->runtime = l.runtime;
	/* it was read a little before, and grows or shrinks */
	p->huge = l.pages.huge < bytes ? l.pages.huge : bytes;
	memcpy(p->at, l.at, sizeof(p->at));
}

static void *watch(void *with)
{
	struct proof_watch *w = with;
	const struct timespec pause = {(time_t)w->interval_s,
		(long)((w->interval_s - (double)(time_t)w->interval_s) * 1e9)};

	while (!atomic_load(&w->over)) {
		nanosleep(&pause, NULL);
		if (!atomic_load(&w->over))
			look_at_threads(w);
	}
	return NULL;
}

struct proof_watch *proof_begin(
	struct proof *p, const struct candidate *c, pid_t group, double interval_s)
{
	struct proof_watch *w = alloc_zeroed(1, sizeof(*w));

	*p = (struct proof){0};
	w->proof = p;
	w->group = group;
	w->interval_s = interval_s;
	w->bound = c->ncpus > 0;
	for (int i = 0; i < c->ncpus; i++)
		CPU_SET_S((size_t)c->cpus[i], sizeof(w->mask), (cpu_set_t *)w->mask);
	if (!pthread_create(&w->thread, NULL, watch, w))
		return w;
	free(w);
	return NULL;
}

void proof_end(struct proof_watch *w)
{
	if (!w)
		return;
	atomic_store(&w->over, true);
	pthread_join(w->thread, NULL);
	free(w);
}

/* Pages of a turn that a node gets where memory is spread. */
static unsigned weight_of(const struct candidate *c, int node, bool weighs)
{
	return weighs ? c->weights[node] : policy_has(c->nodes, node);
}

/* The node that lacks most of its part. */
struct spread {
	double on;             /* the part of the memory on all nodes asked for */
	double part, expected; /* of that node */
	bool weighs;
};

static struct spread spread_of(const struct proof *p, const struct candidate *c)
{
	struct spread s = {0, 1, 1, false};
	double sum = 0;

	for (int i = 0; i < LINUX_NODES; i++)
		s.weighs |= c->weights[i] > 0;
	for (int i = 0; i < LINUX_NODES; i++)
		sum += weight_of(c, i, s.weighs);
	for (int i = 0; i < LINUX_NODES; i++) {
		const double part = (double)p->at[i] / (double)p->bytes;
		const double expected = weight_of(c, i, s.weighs) / sum;

		if (!(expected > 0))
			continue;
		s.on += part;
		if (part / expected < s.part / s.expected) {
			s.part = part;
			s.expected = expected;
		}
	}
	return s;
}

static bool asks_for_huge(const struct candidate *c)
{
	for (size_t i = 0; i < c->set.count; i++)
		if (strstr(c->set.word[i], "glibc.malloc.hugetlb"))
			return true;
	return false;
}

static bool asks_for_runtime(const struct candidate *c)
{
	return c->before.count && strstr(c->before.word[0], TOOLS_RUNTIME);
}

static char *fault_of_pages(const struct proof *p, const struct candidate *c)
{
	if (p->bytes < LEAST_BYTES)
		return NULL;
	const struct spread s = spread_of(p, c);

	if (asks_for_runtime(c) && !p->runtime)
		return alloc_format(
			TOOLS_RUNTIME " could not be loaded into the process with its memory");
	if (c->policy && s.on < 1 - ELSEWHERE)
		return alloc_format("%.0f %% of its memory is on other nodes", 100 * (1 - s.on));
	if ((c->policy == MPOL_INTERLEAVE || s.weighs) && s.part < EVEN * s.expected)
		return alloc_format("its memory is not spread: a node has %.0f %% of it, in place "
				    "of %.0f %%",
			100 * s.part, 100 * s.expected);
	if (asks_for_huge(c) && !p->huge)
		return alloc_format("none of its memory is in huge pages");
	return NULL;
}

char *proof_fault(const struct proof *p, const struct candidate *c)
{
	if (!p->looks)
		return NULL;
	if (p->wide)
		return alloc_format("%d of its threads may use other CPUs", p->wide);
	return fault_of_pages(p, c);
}

static void write_cpus(const struct proof *p, FILE *out)
{
	const char *comma = "";

	for (int i = 0; i < LINUX_CPUS; i++)
		if (p->on[i]) {
			int last = i;

			while (last + 1 < LINUX_CPUS && p->on[last + 1])
				last++;
			fprintf(out, last > i ? "%s%d-%d" : "%s%d", comma, i, last);
			comma = ",";
			i = last;
		}
}

char *proof_text(const struct proof *p)
{
	struct buffer b;
	FILE *out = buffer_open(&b);

	if (!p->looks)
		fputs("it ended before it could be looked at", out);
	else {
		fprintf(out, "%d thread%s, seen on CPU ", p->threads, p->threads > 1 ? "s" : "");
		write_cpus(p, out);
		fprintf(out, "; %.1f MiB", (double)p->bytes / 1048576);
		for (size_t i = 0; i < LINUX_NODES && p->bytes; i++)
			if (p->at[i])
				fprintf(out, ", on node %zu %.0f %%", i,
					100 * (double)p->at[i] / (double)p->bytes);
		if (p->huge)
			fprintf(out, ", in huge pages %.0f %%",
				100 * (double)p->huge / (double)p->bytes);
	}
	return buffer_text(&b, out);
}
