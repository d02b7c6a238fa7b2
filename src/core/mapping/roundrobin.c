/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Round-robin: each core gets threads of one application. */
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "mapping/table.h"

/* Sorts threads by turn: first the first thread of every application, then the second ones. */
static int by_turn(const void *a, const void *b, void *turns)
{
	const int *turn = turns;
	int x = *(const int *)a, y = *(const int *)b;

	return turn[x] != turn[y] ? table_compare(turn[x], turn[y]) : table_compare(x, y);
}

/* Assigns cores to the applications in turn: first to those whose cores have fewer seats than the
 * application has threads, then to those that have fewer cores than threads. owner: [ncores], -1
 * for a core that no application needs. */
static void deal_cores(const struct table *t, const int *threads, int napps, int *owner)
{
	int *seats = alloc_zeroed((size_t)napps + 1, sizeof(*seats));
	int *cores = alloc_zeroed((size_t)napps + 1, sizeof(*cores));
	int next = 0;

	for (int core = 0; core < t->ncores; core++) {
		int app = -1;

		for (int k = 0; k < napps && app < 0; k++)
			if (seats[(next + k) % napps] < threads[(next + k) % napps])
				app = (next + k) % napps;
		for (int k = 0; k < napps && app < 0; k++)
			if (cores[(next + k) % napps] < threads[(next + k) % napps])
				app = (next + k) % napps;
		owner[core] = app;
		if (app < 0)
			continue;
		seats[app] += table_seats(t, core);
		cores[app]++;
		next = app + 1;
	}
	free(seats);
	free(cores);
}

/* How table_roundrobin() fills seats. */
struct dealt {
	int *owner; /* [ncores] */
	int *core,
		*taken; /* [nseats], by position in the machine's order: its core; threads there */
	int *load;      /* [ncores]: threads there */
	int *guest; /* [ncores]: 1 + the last other application that got a seat there; 0: none */
};

/* Ranks cores for an application: its own core first, then a core that it already shares, then the
 * others. */
static int strangeness(const struct dealt *d, int core, int app)
{
	return d->owner[core] == app ? 0 : d->guest[core] == app + 1 ? 1 : 2;
}

/* Returns the best position for a thread of this application. The criteria, in this order: the
 * fewest threads there, a core of the application, the core with the fewest threads, the first
 * position in the machine's order. */
static int best_position(const struct table *t, const struct dealt *d, int app)
{
	int best = 0;

	for (int i = 1; i < t->nseats; i++) {
		const int a = d->core[i], b = d->core[best];
		const int order[] = {table_compare(d->taken[i], d->taken[best]),
			table_compare(strangeness(d, a, app), strangeness(d, b, app)),
			table_compare(d->load[a], d->load[b])};

		if (order[0] ? order[0] < 0 : order[1] ? order[1] < 0 : order[2] < 0)
			best = i;
	}
	return best;
}

/* Returns the number of threads of each application [napps], to be freed; turn[i] of thread i is
 * its number within its application. */
static int *count_turns(const struct table *t, int *turn, int *napps)
{
	int *count = NULL;

	*napps = 0;
	for (int i = 0; i < t->nthreads; i++) {
		for (; *napps <= t->threads[i].application; (*napps)++) {
			count = alloc_grow(count, (size_t)*napps, sizeof(*count));
			count[*napps] = 0;
		}
		turn[i] = count[t->threads[i].application]++;
	}
	return count;
}

static void fill_seats(struct table *t, const struct dealt *d, const int *queue)
{
	for (int i = 0; i < t->nthreads; i++) {
		int app = t->threads[queue[i]].application, at = best_position(t, d, app);

		t->place[queue[i]] = t->order[at];
		d->taken[at]++;
		d->load[d->core[at]]++;
		if (d->owner[d->core[at]] != app)
			d->guest[d->core[at]] = app + 1;
	}
}

/* Returns the number of cores that hold threads of more than one application. */
static int mixed_cores(const struct table *t, const struct dealt *d)
{
	int *first = alloc_zeroed((size_t)t->ncores + 1, sizeof(*first)), mixed = 0;
	int *core = alloc_zeroed((size_t)t->nseats, sizeof(*core));

	for (int i = 0; i < t->nseats; i++)
		core[t->order[i]] = d->core[i];
	for (int i = 0; i < t->nthreads; i++) {
		int *app = &first[core[t->place[i]]], mine = t->threads[i].application + 1;

		mixed += *app > 0 && *app != mine;
		*app = !*app || *app == mine ? mine : -1;
	}
	free(core);
	free(first);
	return mixed;
}

static void say_how(const struct table *t, const struct dealt *d, int napps, char *why, size_t n)
{
	static const char rule[] = "cores to the applications in turn, all hardware threads of a "
				   "core to one";
	int mixed = mixed_cores(t, d);

	if (napps < 2)
		snprintf(why, n, "cores in turn, one hardware thread of each before a second");
	else if (mixed)
		snprintf(why, n, "%s; too few cores: applications share %d of them", rule, mixed);
	else
		snprintf(why, n, "%s", rule);
}

/* Uses the topology, not the CPU numbers: on most machines siblings are numbered after all cores,
 * but on many virtual machines siblings have neighbouring numbers. */
void table_roundrobin(struct table *t, char *why, size_t n)
{
	size_t nseats = (size_t)t->nseats;
	int *queue = table_numbers(t->nthreads), *turn = table_numbers(t->nthreads), napps;
	int *threads = count_turns(t, turn, &napps);
	int *work = alloc_zeroed(5 * nseats, sizeof(*work));
	struct dealt d = {
		work, work + nseats, work + 2 * nseats, work + 3 * nseats, work + 4 * nseats};

	for (int core = 0; core < t->ncores; core++)
		for (int i = t->first[core]; i < t->first[core + 1]; i++)
			d.core[i] = core;
	deal_cores(t, threads, napps, d.owner);
	qsort_r(queue, (size_t)t->nthreads, sizeof(*queue), by_turn, turn);
	fill_seats(t, &d, queue);
	say_how(t, &d, napps, why, n);
	free(work);
	free(threads);
	free(turn);
	free(queue);
}
