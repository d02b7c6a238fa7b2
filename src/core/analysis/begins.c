/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks at the CPUs of threads. */
#include "analysis/begins.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/kinds.h"
#include "base/alloc.h"
#include "base/text.h"
#include "topology/levels.h"

/* The run of a label and a label of the other axis; NULL: there is none. */
static const struct run *run_at(const struct begins_axis *a, size_t i, size_t other)
{
	const long run = a->runs[i * a->step + other * a->other_step];

	return run < 0 || a->x->runs[run].skipped ? NULL : &a->x->runs[run];
}

static const struct topo_cpu *cpu_of(const struct begins_axis *a, const struct run *r, int thread)
{
	return thread < r->plan.nthreads ? topo_cpu(a->x->topo, r->plan.threads[thread].cpu) : NULL;
}

/* ---- an axis that moves a thread */

/* The CPU of a thread in all runs of a label; NULL: there are several, or no run. */
static const struct topo_cpu *only_cpu(
	const struct begins_axis *a, size_t i, int thread, bool *several)
{
	const struct topo_cpu *only = NULL;

	for (size_t k = 0; k < a->others; k++) {
		const struct run *r = run_at(a, i, k);
		const struct topo_cpu *cpu = r ? cpu_of(a, r, thread) : NULL;

		*several |= r && (!cpu || (only && cpu != only));
		only = only ? only : cpu;
	}
	return only;
}

/* The CPUs of the thread that the axis moves, [labels]; false: none does, or several CPUs. */
static bool find_moved(const struct begins_axis *a, int thread, const struct topo_cpu **cpus)
{
	const struct topo_cpu *last = NULL;
	bool several = false, moves = false;

	for (size_t i = 0; i < a->labels && !several; i++) {
		cpus[i] = only_cpu(a, i, thread, &several);
		moves |= cpus[i] && last && cpus[i] != last;
		last = cpus[i] ? cpus[i] : last;
	}
	return moves && !several;
}

static int most_threads(const struct begins_axis *a)
{
	int most = 0;

	for (size_t i = 0; i < a->labels * a->others; i++) {
		const struct run *r = run_at(a, i / a->others, i % a->others);

		most = r && r->plan.nthreads > most ? r->plan.nthreads : most;
	}
	return most;
}

/* Do some neighbours on the axis share a place, while others do not? Where each label is another
 * place there is nothing to divide. */
static bool divides(
	const struct topo_level *l, const struct topo *t, const struct topo_cpu **cpus, size_t n)
{
	const struct topo_cpu *last = NULL;
	bool shared = false, parted = false;

	for (size_t i = 0; i < n; i++) {
		if (!cpus[i])
			continue;
		if (last)
			*(l->of[cpus[i] - t->cpus] == l->of[last - t->cpus] ? &shared : &parted) =
				true;
		last = cpus[i];
	}
	return shared && parted;
}

/* place -1: the CPU has none, or hides which one. */
static char *name_place(
	const struct topo *t, const struct topo_level *l, const struct topo_cpu *cpu, int place)
{
	if (place >= 0)
		return alloc_format("%s %d", l->name, place);
	if (l->cache && topo_cache_hidden(t, cpu, l->cache))
		return alloc_format("%s not known", l->name);
	return alloc_format("no %s", l->name);
}

/* More would be a mark at each label. */
#define MARKED_LEVELS 2

static void mark_moved(const struct topo *t, const struct topo_cpu **cpus, size_t n, char **begin)
{
	int marked = 0;

	for (int level = 0; level < t->nlevels && marked < MARKED_LEVELS; level++) {
		const struct topo_level *l = &t->levels[level];
		const struct topo_cpu *last = NULL;

		if (!topo_level_above_cores(t, level) || !divides(l, t, cpus, n))
			continue;
		marked++;
		for (size_t i = 0; i < n; i++) {
			const int place = cpus[i] ? l->of[cpus[i] - t->cpus] : -1;

			if (cpus[i] && last && !begin[i] && place != l->of[last - t->cpus])
				begin[i] = name_place(t, l, cpus[i], place);
			last = cpus[i] ? cpus[i] : last;
		}
	}
}

/* ---- an axis that adds threads */

/* How many cores of each place the threads of a run use. */
static void count_cores(const struct begins_axis *a, const struct topo_level *l,
	const struct run *r, int *cores, bool *used)
{
	const struct topo *t = a->x->topo;

	memset(used, 0, (size_t)t->ncores * sizeof(*used));
	for (int thread = 0; r && thread < r->plan.nthreads; thread++) {
		const struct topo_cpu *cpu = cpu_of(a, r, thread);
		const int place = cpu ? l->of[cpu - t->cpus] : -1;

		if (place < 0 || used[cpu->core])
			continue;
		used[cpu->core] = true;
		cores[place]++;
	}
}

static void count_usable(const struct topo *t, const struct topo_level *l, int *cores)
{
	int last = -1;

	for (int i = 0; i < t->ncpus; i++) {
		if (!t->cpus[i].allowed || t->cpus[i].core == last || l->of[i] < 0)
			continue;
		last = t->cpus[i].core;
		cores[l->of[i]]++;
	}
}

/* Of each label of the other axis by itself: what begins, [labels]. */
static void find_added(
	const struct begins_axis *a, const struct topo_level *l, size_t other, char **begin)
{
	const struct topo *t = a->x->topo;
	const size_t n = (size_t)topo_level_highest(t, l) + 1;
	int *usable = alloc_zeroed(n, sizeof(*usable));
	bool *before = alloc_zeroed(n, 1), *next = alloc_zeroed(n, 1),
	     *used = alloc_zeroed((size_t)t->ncores + 1, 1);

	count_usable(t, l, usable);
	for (size_t i = 0; i < a->labels; i++) {
		int *cores = alloc_zeroed(n, sizeof(*cores));
		bool any = false, some = false, full = true;
		char numbers[64];

		count_cores(a, l, run_at(a, i, other), cores, used);
		for (size_t p = 0; p < n; p++) {
			next[p] = cores[p] && !before[p];
			some |= before[p];
			any |= next[p];
			full &= !before[p] || cores[p] == usable[p];
			before[p] |= next[p];
		}
		if (some && any && full)
			begin[i] = alloc_format(
				"%s %s", l->name, text_ranges(next, n, numbers, sizeof(numbers)));
		free(cores);
	}
	free(usable);
	free(before);
	free(next);
	free(used);
}

static bool is_same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* A border through all of the other axis must be one for each of its labels that has a run. */
static void mark_added(const struct begins_axis *a, const struct topo_level *l, char **begin)
{
	char **own = alloc_zeroed(a->labels * a->others + 1, sizeof(*own));

	for (size_t k = 0; k < a->others; k++)
		find_added(a, l, k, own + k * a->labels);
	for (size_t i = 0; i < a->labels; i++) {
		const char *common = NULL;
		bool any = false, agree = true;

		for (size_t k = 0; k < a->others; k++) {
			if (!run_at(a, i, k))
				continue;
			agree &= !any || is_same_text(own[k * a->labels + i], common);
			common = own[k * a->labels + i];
			any = true;
		}
		if (agree && common && !begin[i])
			begin[i] = alloc_format("%s", common);
	}
	for (size_t i = 0; i < a->labels * a->others; i++)
		free(own[i]);
	free(own);
}

/* Does a run of the label use the kind; ran: is there a run, named: that names cores itself? */
static bool uses_kind(const struct begins_axis *a, size_t i, int kind, bool *ran, bool *named)
{
	bool uses = false;

	for (size_t k = 0; k < a->others; k++) {
		const struct run *r = run_at(a, i, k);

		*ran |= r != NULL;
		*named |= r && r->plan.names_cores;
		uses |= r && kinds_use(r, kind);
	}
	return uses;
}

static void mark_kinds(const struct begins_axis *a, char **begin)
{
	for (int kind = 0; kind < a->x->topo->nkinds; kind++) {
		bool before = false, named = false;
		size_t i = 0;

		for (bool ran = false; i < a->labels; i++, before |= ran, named = false)
			if (uses_kind(a, i, kind, &ran, &named))
				break;
		if (i < a->labels && before && !named)
			alloc_append(&begin[i], ", ", "kind %s", topo_kind_name(a->x->topo, kind));
	}
}

char **begins_along(const struct begins_axis *a)
{
	const struct topo *t = a->x->topo;
	const struct topo_cpu **cpus = alloc_zeroed(a->labels + 1, sizeof(*cpus));
	char **begin = alloc_zeroed(a->labels + 1, sizeof(*begin));
	const int threads = most_threads(a);
	bool any = false, moved = false;

	for (int thread = 0; thread < threads && !moved; thread++)
		moved = find_moved(a, thread, cpus);
	if (moved)
		mark_moved(t, cpus, a->labels, begin);
	for (int level = 0; level < t->nlevels && !moved; level++)
		if (topo_level_above_cores(t, level))
			mark_added(a, &t->levels[level], begin);
	mark_kinds(a, begin);
	for (size_t i = 0; i < a->labels; i++)
		any |= begin[i] != NULL;
	free(cpus);
	if (any)
		return begin;
	free(begin);
	return NULL;
}
