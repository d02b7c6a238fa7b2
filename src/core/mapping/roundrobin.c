/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Round-robin: each core, or each place of a level, gets threads of one application. */
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "mapping/spread.h"
#include "mapping/table.h"

/* Sorts threads by turn: first the first thread of every application, then the second ones. */
static int by_turn(const void *a, const void *b, void *turns)
{
	const int *turn = turns;
	int x = *(const int *)a, y = *(const int *)b;

	return turn[x] != turn[y] ? table_compare(turn[x], turn[y]) : table_compare(x, y);
}

/* What is dealt: cores, or places of a level. */
struct unit {
	int seats;
	int owner; /* -1: no application needs it */
	int guest; /* 1 + the last other application that got a seat there; 0: none */
};

/* How table_roundrobin() fills seats. */
struct dealt {
	struct unit *units;
	int nunits;
	int *unit, *core; /* [nseats], by seat: its unit, and its core in the machine's order */
	int *position;    /* [nseats], by seat: in the machine's order */
	int *load;        /* [ncores]: threads there */
	/* Seats by the application that has them, and what each application has; [napps]. Within
	 * an application threads spread over its units, whole cores before siblings. */
	struct mapping_seat *seats;
	struct spread *spread;
	struct spread_set *own;
	int least, at_least; /* threads on the seats that have the fewest; how many have that */
};

/* Assigns units to the applications in turn: first to those whose units have fewer seats than the
 * application has threads, then to those that have fewer units than threads. */
static void deal_units(struct dealt *d, const int *threads, int napps)
{
	int *seats = alloc_zeroed((size_t)napps + 1, sizeof(*seats));
	int *units = alloc_zeroed((size_t)napps + 1, sizeof(*units));
	int next = 0;

	for (int unit = 0; unit < d->nunits; unit++) {
		int app = -1;

		for (int k = 0; k < napps && app < 0; k++)
			if (seats[(next + k) % napps] < threads[(next + k) % napps])
				app = (next + k) % napps;
		for (int k = 0; k < napps && app < 0; k++)
			if (units[(next + k) % napps] < threads[(next + k) % napps])
				app = (next + k) % napps;
		d->units[unit].owner = app;
		if (app < 0)
			continue;
		seats[app] += d->units[unit].seats;
		units[app]++;
		next = app + 1;
	}
	free(seats);
	free(units);
}

/* The units in the machine's order: places of the level, or cores. */
static void find_units(const struct table *t, struct dealt *d)
{
	int *place = alloc_zeroed((size_t)t->nseats, sizeof(*place)); /* [nunits] */

	for (int core = 0; core < t->ncores; core++) {
		const int of = t->level ? t->seats[t->order[t->first[core]]].place[0] : core;
		int unit = t->level ? d->nunits - 1 : -1;

		while (unit >= 0 && place[unit] != of)
			unit--;
		if (unit < 0) {
			unit = d->nunits++;
			place[unit] = of;
		}
		for (int i = t->first[core]; i < t->first[core + 1]; i++) {
			d->unit[t->order[i]] = unit;
			d->core[t->order[i]] = core;
			d->position[t->order[i]] = i;
			d->units[unit].seats++;
		}
	}
	free(place);
}

/* Ranks units for an application: its own first, then one that it already shares, then the others.
 */
static int strangeness(const struct dealt *d, int unit, int app)
{
	return d->units[unit].owner == app ? 0 : d->units[unit].guest == app + 1 ? 1 : 2;
}

/* Where the application's own seats have more threads than others. The criteria, in this order: the
 * fewest threads there, a unit of the application, the core with the fewest threads, the first
 * position in the machine's order. */
static int best_anywhere(const struct table *t, const struct dealt *d, int app)
{
	int best = t->order[0];

	for (int i = 1; i < t->nseats; i++) {
		const int a = t->order[i];
		const int order[] = {
			table_compare(spread_taken(d->spread, a), spread_taken(d->spread, best)),
			table_compare(strangeness(d, d->unit[a], app),
				strangeness(d, d->unit[best], app)),
			table_compare(d->load[d->core[a]], d->load[d->core[best]])};

		if (order[0] ? order[0] < 0 : order[1] ? order[1] < 0 : order[2] < 0)
			best = a;
	}
	return best;
}

static int best_seat(const struct table *t, const struct dealt *d, int app)
{
	if (d->own[app].n) {
		const int seat = spread_best(d->spread, &d->own[app], false);

		if (spread_taken(d->spread, seat) == d->least)
			return seat;
	}
	return best_anywhere(t, d, app);
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

static void sit_down(const struct table *t, struct dealt *d, int seat, int app)
{
	struct unit *unit = &d->units[d->unit[seat]];

	d->at_least -= spread_taken(d->spread, seat) == d->least;
	spread_take(d->spread, seat);
	d->load[d->core[seat]]++;
	if (unit->owner != app)
		unit->guest = app + 1;
	while (!d->at_least) {
		d->least++;
		for (int i = 0; i < t->nseats; i++)
			d->at_least += spread_taken(d->spread, i) == d->least;
	}
}

/* Seats as the spread takes them: those of an application are next to each other. */
static void sort_by_owner(const struct table *t, struct dealt *d, int napps)
{
	int *list = alloc_zeroed((size_t)t->nseats, sizeof(*list));

	for (int i = 0; i < t->nseats; i++) {
		const struct mapping_seat *from = &t->seats[i];

		d->seats[i] = (struct mapping_seat){
			.place = {d->units[d->unit[i]].owner, t->level ? d->unit[i] : 0},
			.node = from->node,
			.core = d->core[i],
			.cpu = d->position[i],
			.kind = from->kind};
	}
	d->spread = spread_new(d->seats, t->nseats);
	for (int app = 0; app < napps; app++) {
		int n = 0;

		for (int i = 0; i < t->nseats; i++)
			if (d->seats[i].place[0] == app)
				list[n++] = i;
		d->own[app] = spread_set(d->spread, list, n);
	}
	free(list);
}

/* Returns the number of units that hold threads of more than one application. */
static int mixed_units(const struct table *t, const struct dealt *d)
{
	int *first = alloc_zeroed((size_t)d->nunits + 1, sizeof(*first)), mixed = 0;

	for (int i = 0; i < t->nthreads; i++) {
		int *app = &first[d->unit[t->place[i]]], mine = t->threads[i].application + 1;

		mixed += *app > 0 && *app != mine;
		*app = !*app || *app == mine ? mine : -1;
	}
	free(first);
	return mixed;
}

static void say_how(const struct table *t, const struct dealt *d, int napps, char *why, size_t n)
{
	const int mixed = mixed_units(t, d);
	char what[32] = "cores";

	if (t->level)
		snprintf(what, sizeof(what), "places of %s", t->level);
	if (napps < 2 && !t->level)
		snprintf(why, n, "cores in turn, one hardware thread of each before a second");
	if (napps < 2)
		return;
	const int used = snprintf(why, n,
		"%s to the applications in turn, all hardware threads of %s to one", what,
		t->level ? "each" : "a core");

	if (mixed)
		snprintf(why + used, n - (size_t)used,
			"; too few %s: applications share %d of them", what, mixed);
}

static void fill_seats(struct table *t, const int *threads, int napps, const int *queue)
{
	const size_t n = (size_t)t->nseats;
	int *work = alloc_zeroed(4 * n, sizeof(*work));
	struct dealt d = {alloc_zeroed(n, sizeof(*d.units)), 0, work, work + n, work + 2 * n,
		work + 3 * n, alloc_zeroed(n, sizeof(*d.seats)), NULL,
		alloc_zeroed((size_t)napps + 1, sizeof(*d.own)), 0, t->nseats};

	find_units(t, &d);
	deal_units(&d, threads, napps);
	sort_by_owner(t, &d, napps);
	for (int i = 0; i < t->nthreads; i++) {
		const int app = t->threads[queue[i]].application;

		t->place[queue[i]] = best_seat(t, &d, app);
		sit_down(t, &d, t->place[queue[i]], app);
	}
	say_how(t, &d, napps, t->why, t->why_size);
	for (int app = 0; app < napps; app++)
		free(d.own[app].ends);
	spread_free(d.spread);
	free(d.own);
	free(d.seats);
	free(d.units);
	free(work);
}

/* Uses the topology, not the CPU numbers: on most machines siblings are numbered after all cores,
 * but on many virtual machines siblings have neighbouring numbers. */
void table_roundrobin(struct table *t)
{
	int *queue = table_numbers(t->nthreads), *turn = table_numbers(t->nthreads), napps;
	int *threads = count_turns(t, turn, &napps);

	qsort_r(queue, (size_t)t->nthreads, sizeof(*queue), by_turn, turn);
	fill_seats(t, threads, napps, queue);
	free(threads);
	free(turn);
	free(queue);
}
