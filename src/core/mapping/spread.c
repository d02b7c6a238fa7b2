/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Seats are sorted so that each place is a range of them, and a tournament is kept over the sorted
 * seats: each node of a binary tree knows the best seat below it. A thread that sits down counts
 * for all seats of its places alike, so that only comparisons across the ends of these ranges, and
 * of the seat itself, have to be made again.
 */
#include "mapping/spread.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "mapping/table.h"

/* A place, by its first position. */
struct range {
	int first;   /* [of any position] */
	int end;     /* of the place, with its last seat; [of the first position only] ... */
	int threads; /* ... as this */
};

struct spread {
	const struct mapping_seat *seats;
	int n;
	int *order, *position; /* [n]: seat at a position, and the reverse */
	int *taken;            /* [n], by position */
	struct range *ranges;  /* [levels][n]; level 0 are the cores, then the outermost first */
	int levels;
	int *winner; /* [2 x leaves]: the best position below, -1: none; [1] of all */
	int leaves;
};

static int by_position(const void *a, const void *b, void *seats)
{
	const struct mapping_seat *all = seats;
	const struct mapping_seat *x = &all[*(const int *)a], *y = &all[*(const int *)b];
	int difference = table_compare(x->kind, y->kind);

	difference = difference ? difference : table_compare(x->node < 0, y->node < 0);
	for (int i = 0; i < MAPPING_LEVELS && !difference; i++)
		difference = table_compare(x->place[i], y->place[i]);
	difference = difference ? difference : table_compare(x->core, y->core);
	difference = difference ? difference : table_compare(x->thread, y->thread);
	return difference ? difference : table_compare(x->cpu, y->cpu);
}

int *spread_order(const struct mapping_seat *seats, int n)
{
	int *order = table_numbers(n), sorted = 1;

	/* they are, on most machines, and sweeps make thousands of plans */
	while (sorted < n && by_position(order + sorted - 1, order + sorted, (void *)seats) < 0)
		sorted++;
	if (sorted < n)
		qsort_r(order, (size_t)n, sizeof(*order), by_position, (void *)seats);
	return order;
}

/* level -1: the cores. */
static bool same_place(const struct mapping_seat *a, const struct mapping_seat *b, int level)
{
	if (level < 0)
		return a->core == b->core;
	for (int i = 0; i <= level; i++)
		if (a->place[i] != b->place[i])
			return false;
	return a->kind == b->kind && (a->node < 0) == (b->node < 0);
}

static bool has_places(const struct mapping_seat *seats, int n, int level)
{
	for (int i = 1; i < n; i++)
		if (seats[i].place[level] != seats[0].place[level])
			return true;
	return false;
}

static void add_ranges(struct spread *s, int level)
{
	struct range *r = s->ranges + (size_t)s->levels++ * (size_t)s->n;

	for (int i = 0; i < s->n; i++) {
		const bool same =
			i && same_place(&s->seats[s->order[i - 1]], &s->seats[s->order[i]], level);

		r[i].first = same ? r[i - 1].first : i;
		r[r[i].first].end = i;
	}
}

/* Positions, or -1. */
static int better(const struct spread *s, int a, int b)
{
	if (a < 0 || b < 0)
		return a < 0 ? b : a;
	int difference = table_compare(s->taken[a], s->taken[b]);

	for (int level = 0; level < s->levels && !difference; level++) {
		const struct range *r = s->ranges + (size_t)level * (size_t)s->n;

		difference = table_compare(r[r[a].first].threads, r[r[b].first].threads);
		if (!level && !difference)
			difference = table_compare(
				s->seats[s->order[a]].kind, s->seats[s->order[b]].kind);
	}
	difference = difference ? difference : table_compare(a, b);
	return difference < 0 ? a : b;
}

static void decide_again(struct spread *s, int position)
{
	for (int i = (s->leaves + position) / 2; i; i /= 2)
		s->winner[i] = better(s, s->winner[2 * i], s->winner[2 * i + 1]);
}

struct spread *spread_new(const struct mapping_seat *seats, int n)
{
	struct spread *s = alloc_zeroed(1, sizeof(*s));

	*s = (struct spread){.seats = seats, .n = n, .order = spread_order(seats, n), .leaves = 1};
	s->position = table_numbers(n);
	s->taken = alloc_zeroed((size_t)n, sizeof(*s->taken));
	s->ranges = alloc_zeroed((MAPPING_LEVELS + 1) * (size_t)n, sizeof(*s->ranges));
	add_ranges(s, -1);
	for (int level = 0; level < MAPPING_LEVELS; level++)
		if (has_places(seats, n, level))
			add_ranges(s, level);
	while (s->leaves < n)
		s->leaves *= 2;
	s->winner = alloc_zeroed(2 * (size_t)s->leaves, sizeof(*s->winner));
	for (int i = 0; i < s->leaves; i++)
		s->winner[s->leaves + i] = i < n ? i : -1;
	for (int i = s->leaves - 1; i; i--)
		s->winner[i] = s->winner[2 * i]; /* the first, while all are free */
	for (int i = 0; i < n; i++)
		s->position[s->order[i]] = i;
	return s;
}

void spread_free(struct spread *s)
{
	free(s->order);
	free(s->position);
	free(s->taken);
	free(s->ranges);
	free(s->winner);
	free(s);
}

static int by_value(const void *a, const void *b)
{
	return table_compare(*(const int *)a, *(const int *)b);
}

struct spread_set spread_set(const struct spread *s, const int *seats, int n)
{
	struct spread_set set = {alloc_zeroed(2 * (size_t)n + 1, sizeof(int)), 0};
	int *at = alloc_zeroed((size_t)n + 1, sizeof(*at));

	for (int i = 0; i < n; i++)
		at[i] = s->position[seats[i]];
	qsort(at, (size_t)n, sizeof(*at), by_value);
	for (int i = 0; i < n; i++) {
		if (!i || at[i] != at[i - 1] + 1)
			set.ends[2 * set.n++] = at[i];
		set.ends[2 * set.n - 1] = at[i] + 1;
	}
	free(at);
	return set;
}

/* Of the positions from .. to - 1. */
static int best_between(const struct spread *s, int from, int to)
{
	int best = -1;

	for (from += s->leaves, to += s->leaves; from < to; from /= 2, to /= 2) {
		if (from & 1)
			best = better(s, best, s->winner[from++]);
		if (to & 1)
			best = better(s, best, s->winner[--to]);
	}
	return best;
}

static int first_between(const struct spread *s, int from, int to, int best)
{
	for (int i = from; i < to; i++) {
		const int a = i, b = best < 0 ? i : best;
		int difference = table_compare(s->taken[a], s->taken[b]);

		difference = difference ? difference
					: table_compare(s->ranges[s->ranges[a].first].threads,
						  s->ranges[s->ranges[b].first].threads);
		difference = difference ? difference
					: table_compare(s->seats[s->order[a]].kind,
						  s->seats[s->order[b]].kind);
		best = best < 0 || difference < 0 ? i : best;
	}
	return best;
}

int spread_best(const struct spread *s, const struct spread_set *set, bool packed)
{
	int best = -1;

	for (int i = 0; i < set->n; i++) {
		const int from = set->ends[2 * i], to = set->ends[2 * i + 1];

		best = packed ? first_between(s, from, to, best)
			      : better(s, best, best_between(s, from, to));
	}
	return s->order[best];
}

void spread_take(struct spread *s, int seat)
{
	const int at = s->position[seat];

	s->taken[at]++;
	for (int level = 0; level < s->levels; level++) {
		struct range *r = s->ranges + (size_t)level * (size_t)s->n;
		const int first = r[at].first;

		r[first].threads++;
		decide_again(s, first);
		decide_again(s, r[first].end);
	}
	decide_again(s, at);
}

int spread_taken(const struct spread *s, int seat)
{
	return s->taken[s->position[seat]];
}
