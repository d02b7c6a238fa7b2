/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Assigns seats to threads by one of several methods. */
#include "mapping/mapping.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "mapping/table.h"

const char *const mapping_methods[] = {
	[MAPPING_COMPACT] = "compact",
	[MAPPING_SCATTER] = "scatter",
	[MAPPING_ROUNDROBIN] = "roundrobin",
	[MAPPING_OS] = "os",
	[MAPPING_INSTRUCTION] = "instruction",
	[MAPPING_METHODS] = NULL,
};
const char *const mapping_types[] = {"branch", "fp", "int", "load", "store", "spread", NULL};

static int by_position(const void *a, const void *b, void *seats)
{
	const struct mapping_seat *all = seats;
	const struct mapping_seat *x = &all[*(const int *)a], *y = &all[*(const int *)b];
	int difference = table_compare(x->kind, y->kind);

	difference = difference ? difference : table_compare(x->package, y->package);
	difference = difference ? difference : table_compare(x->node, y->node);
	difference = difference ? difference : table_compare(x->core, y->core);
	difference = difference ? difference : table_compare(x->thread, y->thread);
	return difference ? difference : table_compare(x->cpu, y->cpu);
}

static bool same_core(const struct mapping_seat *a, const struct mapping_seat *b)
{
	return a->package == b->package && a->node == b->node && a->core == b->core;
}

static void table_init(struct table *t)
{
	t->order = table_numbers(t->nseats);
	t->first = alloc_zeroed((size_t)t->nseats + 1, sizeof(*t->first));
	qsort_r(t->order, (size_t)t->nseats, sizeof(*t->order), by_position, (void *)t->seats);
	for (int i = 0; i < t->nseats; i++)
		if (!i || !same_core(&t->seats[t->order[i - 1]], &t->seats[t->order[i]]))
			t->first[t->ncores++] = i;
	t->first[t->ncores] = t->nseats;
}

static void table_free(struct table *t)
{
	free(t->order);
	free(t->first);
}

static void compact(struct table *t)
{
	for (int i = 0; i < t->nthreads; i++)
		t->place[i] = t->order[i % t->nseats];
}

/* Numbers of threads that a seat, its core, package and node have so far. The seat with fewer
 * threads is better; the four numbers are compared in this order, and the kinds of cores after the
 * first two. */
struct crowd {
	int *seat, *core, *node, *package; /* [nseats], indexed by the first seat of each group */
};

/* The first seat, in the machine's order, that is on the same core (node, package). */
struct groups {
	int core, node, package;
};

static void find_groups(const struct table *t, struct groups *g)
{
	for (int i = 0; i < t->nseats; i++) {
		int seat = t->order[i], before = i ? t->order[i - 1] : seat;
		const struct mapping_seat *s = &t->seats[seat], *b = &t->seats[before];
		bool package = s->kind == b->kind && s->package == b->package,
		     node = package && s->node == b->node;

		g[seat].package = i && package ? g[before].package : seat;
		g[seat].node = i && node ? g[before].node : seat;
		g[seat].core = i && same_core(s, b) ? g[before].core : seat;
	}
}

static bool is_better(
	const struct table *t, const struct crowd *c, const struct groups *g, int a, int b)
{
	const int counts[][2] = {{c->seat[a], c->seat[b]}, {c->core[g[a].core], c->core[g[b].core]},
		{t->seats[a].kind, t->seats[b].kind},
		{c->package[g[a].package], c->package[g[b].package]},
		{c->node[g[a].node], c->node[g[b].node]}};

	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
		if (counts[i][0] != counts[i][1])
			return counts[i][0] < counts[i][1];
	return false;
}

/* A free core anywhere is better than a sibling in an emptier package. */
static void scatter(struct table *t)
{
	size_t n = (size_t)t->nseats;
	struct groups *g = alloc_zeroed(n, sizeof(*g));
	int *counts = alloc_zeroed(4 * n, sizeof(*counts));
	struct crowd c = {counts, counts + n, counts + 2 * n, counts + 3 * n};

	find_groups(t, g);
	for (int i = 0; i < t->nthreads; i++) {
		int best = t->order[0];

		for (int k = 1; k < t->nseats; k++)
			if (is_better(t, &c, g, t->order[k], best))
				best = t->order[k];
		t->place[i] = best;
		c.seat[best]++;
		c.core[g[best].core]++;
		c.node[g[best].node]++;
		c.package[g[best].package]++;
	}
	free(counts);
	free(g);
}

static void unbound(struct table *t)
{
	for (int i = 0; i < t->nthreads; i++)
		t->place[i] = -1;
}

struct range {
	double least, most; /* NAN: the share of at least one thread is not known */
};

static struct range range_of(const struct table *t, int type)
{
	struct range r = {INFINITY, -INFINITY};

	for (int i = 0; i < t->nthreads; i++) {
		double share = t->threads[i].share[type];

		if (isnan(share))
			return (struct range){NAN, NAN};
		r.least = share < r.least ? share : r.least;
		r.most = share > r.most ? share : r.most;
	}
	return r;
}

/* Writes, for example, "branch 0.02 .. 0.31, fp not known". */
static void list_ranges(const struct table *t, char *text, size_t n)
{
	size_t used = 0;

	for (int type = 0; type < MAPPING_TYPES && used < n; type++) {
		struct range r = range_of(t, type);
		const char *comma = type ? ", " : "";

		if (isnan(r.most))
			used += (size_t)snprintf(text + used, n - used, "%s%s not known", comma,
				mapping_types[type]);
		else
			used += (size_t)snprintf(text + used, n - used, "%s%s %.3f .. %.3f", comma,
				mapping_types[type], r.least, r.most);
	}
}

/* Returns -1 if there is no type whose share is known for every thread. */
static int widest(const struct table *t)
{
	double spread = -1;
	int found = -1;

	for (int type = 0; type < MAPPING_TYPES; type++) {
		struct range r = range_of(t, type);

		if (r.most - r.least > spread) {
			spread = r.most - r.least;
			found = type;
		}
	}
	return found;
}

static int choose_type(const struct table *t, const struct mapping_request *r, char *why, size_t n)
{
	bool asked = r->by != MAPPING_SPREAD;
	int type = asked ? (int)r->by : widest(t);
	char ranges[256];

	list_ranges(t, ranges, sizeof(ranges));
	if (type < 0 || isnan(range_of(t, type).most)) {
		snprintf(why, n, "the share of %s instructions is not known for every thread (%s)",
			type < 0 ? "no type of" : mapping_types[type], ranges);
		return -1;
	}
	struct range found = range_of(t, type);
	if (found.most <= found.least)
		snprintf(why, n,
			"all threads have the same share of %s: they keep their order "
			"(shares: %s)",
			asked ? mapping_types[type] : "every type that is known", ranges);
	else
		snprintf(why, n, "sorted by %s, %s (shares: %s)", mapping_types[type],
			asked ? "as asked" : "whose share differs most", ranges);
	return type;
}

struct sorting {
	const struct mapping_thread *threads;
	int type;
};

/* The largest share first; threads of equal share keep their order. */
static int by_share(const void *a, const void *b, void *arg)
{
	const struct sorting *s = arg;
	int x = *(const int *)a, y = *(const int *)b;
	double p = s->threads[x].share[s->type], q = s->threads[y].share[s->type];

	return p != q ? (p < q) - (p > q) : table_compare(x, y);
}

/* Returns how many threads each core gets: one each, then a second if the core has a
 * hardware thread for it, and so on. When all hardware threads have a thread, it starts
 * again with one each. */
static int *loads(const struct table *t)
{
	int *load = alloc_zeroed((size_t)t->ncores, sizeof(*load)), left = t->nthreads;

	while (left)
		for (int level = 1, any = 1; any && left; level++) {
			any = 0;
			for (int core = 0; core < t->ncores && left; core++)
				if (table_seats(t, core) >= level) {
					load[core]++;
					left--;
					any = 1;
				}
		}
	return load;
}

static int instruction(struct table *t, const struct mapping_request *r, char *why, size_t n)
{
	int type = choose_type(t, r, why, n), head = 0, tail = t->nthreads - 1;

	if (type < 0)
		return -1;
	struct sorting sorting = {t->threads, type};
	int *queue = table_numbers(t->nthreads), *load = loads(t);
	qsort_r(queue, (size_t)t->nthreads, sizeof(*queue), by_share, &sorting);
	for (int core = 0; core < t->ncores; core++)
		for (int i = 0; i < load[core]; i++) {
			int thread = queue[i % 2 ? tail-- : head++];

			t->place[thread] = t->order[t->first[core] + i % table_seats(t, core)];
		}
	free(queue);
	free(load);
	return type;
}

/* The policies below cover all methods but MAPPING_INSTRUCTION, which reads the threads' shares and
 * writes its own reason. */
static void roundrobin(struct table *t)
{
	table_roundrobin(t, t->why, t->why_size);
}

static const struct policy {
	void (*place)(struct table *t);
	const char *reason;
} policies[MAPPING_METHODS] = {
	[MAPPING_COMPACT] = {compact, "hardware threads in the order of the machine, core by core"},
	[MAPPING_SCATTER] = {scatter, "packages and nodes in turn, whole cores before siblings"},
	[MAPPING_ROUNDROBIN] = {roundrobin, ""}, /* its reason says whether cores suffice */
	[MAPPING_OS] = {unbound, "not bound, the operating system decides"},
};

/* Each hardware thread runs one thread, unless the user asked for more with oversubscribe. */
static int refuse(const struct mapping_request *r, int nseats, int nthreads, char *why, size_t n)
{
	if (nseats && (r->oversubscribe || nthreads <= nseats))
		return 0;
	snprintf(why, n, "%d threads, but only %d hardware threads that may be used", nthreads,
		nseats);
	return -1;
}

/* Says, where cores are unlike, which come first. */
static void say_kinds(const struct table *t)
{
	size_t used = strlen(t->why);
	bool unlike = false;

	for (int i = 1; i < t->nseats; i++)
		unlike |= t->seats[i].kind != t->seats[0].kind;
	if (unlike)
		snprintf(t->why + used, t->why_size - used, "; the quickest kind of cores first");
}

int mapping_make(const struct mapping_request *r, const struct mapping_seat *seats, int nseats,
	const struct mapping_thread *threads, int nthreads, int *place, char *why, size_t n)
{
	struct table t = {.seats = seats,
		.nseats = nseats,
		.threads = threads,
		.nthreads = nthreads,
		.place = place,
		.why = why,
		.why_size = n};
	int type = MAPPING_TYPES;

	if (refuse(r, nseats, nthreads, why, n))
		return -1;
	table_init(&t);
	if (r->method == MAPPING_INSTRUCTION) {
		type = instruction(&t, r, why, n);
	} else {
		snprintf(why, n, "%s", policies[r->method].reason);
		policies[r->method].place(&t);
	}
	if (r->method != MAPPING_OS && type >= 0)
		say_kinds(&t);
	table_free(&t);
	return type;
}
