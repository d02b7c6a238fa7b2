/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Assigns seats to threads by one of several methods.
 *
 * mapping.c checks a request and calls the policy: spread.c, roundrobin.c or instruction.c, which
 * takes the mixes of profile.c. seats.c makes the seats of a machine.
 */
#include "mapping/mapping.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "statistics/random.h"
#include "base/text.h"
#include "mapping/spread.h"
#include "mapping/table.h"

const char *const mapping_methods[] = {
	[MAPPING_COMPACT] = "compact",
	[MAPPING_SCATTER] = "scatter",
	[MAPPING_ROUNDROBIN] = "roundrobin",
	[MAPPING_OS] = "os",
	[MAPPING_INSTRUCTION] = "instruction",
	[MAPPING_RANDOM] = "random",
	[MAPPING_GOMP] = "gomp",
	[MAPPING_METHODS] = NULL,
};
const char *const mapping_types[] = {"branch", "fp", "int", "load", "store", "spread", NULL};

static void table_init(struct table *t)
{
	t->order = spread_order(t->seats, t->nseats);
	t->first = alloc_zeroed((size_t)t->nseats + 1, sizeof(*t->first));
	for (int i = 0; i < t->nseats; i++)
		if (!i || t->seats[t->order[i - 1]].core != t->seats[t->order[i]].core)
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

static void scatter(struct table *t)
{
	struct spread *s = spread_new(t->seats, t->nseats);
	int ends[] = {0, t->nseats};
	const struct spread_set all = {ends, 1};

	for (int i = 0; i < t->nthreads; i++) {
		t->place[i] = spread_best(s, &all, false);
		spread_take(s, t->place[i]);
	}
	spread_free(s);
}

static void unbound(struct table *t)
{
	for (int i = 0; i < t->nthreads; i++)
		t->place[i] = -1;
}

/* xorshift64* begins with similar numbers for similar seeds, so their bits are spread first, as
 * SplitMix64 does (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
 */
static uint64_t spread(uint64_t seed)
{
	seed = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
	seed = (seed ^ seed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	seed = (seed ^ seed >> 27) * UINT64_C(0x94d049bb133111eb);
	return (seed ^ seed >> 31) | 1;
}

static void shuffled(struct table *t)
{
	size_t n = (size_t)t->nseats, *order = alloc_zeroed(n, sizeof(*order));
	uint64_t state = spread(t->seed);

	for (size_t i = 0; i < n; i++)
		order[i] = i;
	for (int i = 0; i < t->nthreads; i++) {
		if (i % t->nseats == 0)
			random_shuffle(&state, order, n);
		t->place[i] = t->order[order[i % t->nseats]];
	}
	snprintf(t->why, t->why_size, "hardware threads in a random order, seed %llu",
		(unsigned long long)t->seed);
	free(order);
}

static int by_number(const void *a, const void *b, void *seats)
{
	const struct mapping_seat *all = seats;

	return table_compare(all[*(const int *)a].cpu, all[*(const int *)b].cpu);
}

/* libgomp's places are the CPUs by number. OMP_PROC_BIND=true binds consecutive threads to
 * consecutive places. Of more threads than places each place takes T/P, rounded down, and those
 * that are left go to one place each, from the first on, after all others: 4 on 3 are 0 1 2 0, as
 * gomp_team_start() in libgomp's team.c deals them. */
static void by_numbers(struct table *t)
{
	int *order = table_numbers(t->nseats);
	int each = t->nthreads / t->nseats, even = each * t->nseats;

	qsort_r(order, (size_t)t->nseats, sizeof(*order), by_number, (void *)t->seats);
	for (int i = 0; i < t->nthreads; i++)
		t->place[i] = order[i < even ? i / each : i - even];
	free(order);
}

/* The policies below cover all methods but MAPPING_INSTRUCTION, which reads the threads' shares and
 * writes its own reason. */
static const struct policy {
	void (*place)(struct table *t);
	const char *reason;
} policies[MAPPING_METHODS] = {
	[MAPPING_COMPACT] = {compact, "hardware threads in the order of the machine, core by core"},
	[MAPPING_SCATTER] = {scatter,
		"packages, nodes and all places in them in turn, whole cores before "
		"siblings"},
	[MAPPING_ROUNDROBIN] = {table_roundrobin, ""}, /* its reason says whether cores suffice */
	[MAPPING_OS] = {unbound, "not bound, the operating system decides"},
	[MAPPING_RANDOM] = {shuffled, ""}, /* its reason says the seed */
	[MAPPING_GOMP] = {by_numbers, "CPUs in the order of their numbers, as libgomp binds a team "
				      "with OMP_PROC_BIND=true"},
};

/* Each hardware thread runs one thread, unless the user asked for more with oversubscribe. */
static int refuse_few_seats(
	const struct mapping_request *r, int nseats, int nthreads, char *why, size_t n)
{
	if (nseats && (r->oversubscribe || nthreads <= nseats))
		return 0;
	snprintf(why, n, "%d thread%s, but only %d hardware thread%s that may be used", nthreads,
		text_s((unsigned long long)nthreads), nseats, text_s((unsigned long long)nseats));
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
		.level = *r->choice.level ? r->choice.level : NULL,
		.seed = r->choice.seed,
		.why = why,
		.why_size = n};
	int type = MAPPING_TYPES;

	if (refuse_few_seats(r, nseats, nthreads, why, n))
		return -1;
	table_init(&t);
	if (r->choice.method == MAPPING_INSTRUCTION) {
		type = table_instruction(&t, r->by, why, n);
	} else {
		if (*r->choice.level)
			snprintf(why, n, "places of %s in turn, whole cores before siblings",
				r->choice.level);
		else
			snprintf(why, n, "%s", policies[r->choice.method].reason);
		policies[r->choice.method].place(&t);
	}
	if (r->choice.method < MAPPING_RANDOM && r->choice.method != MAPPING_OS && type >= 0)
		say_kinds(&t);
	table_free(&t);
	return type;
}

/* What follows a name and a colon; NULL: another word. */
static const char *after(const char *word, enum mapping_method method)
{
	const size_t length = strlen(mapping_methods[method]);

	return !strncmp(word, mapping_methods[method], length) && word[length] == ':'
		       ? word + length + 1
		       : NULL;
}

int mapping_read(const char *key, const char *word, struct place at, struct mapping_choice *choice,
	struct errors *e)
{
	const char *seed = after(word, MAPPING_RANDOM), *dealt = after(word, MAPPING_ROUNDROBIN);
	const char *level = dealt ? dealt : after(word, MAPPING_SCATTER);
	char names[256] = "";

	*choice = (struct mapping_choice){.seed = 1};
	if (seed) {
		choice->method = MAPPING_RANDOM;
		if (!text_count(seed, &choice->seed))
			return 0;
		error_add(e, STATUS_USAGE, at, "%s: '%s' has no seed", key, word);
		return error_hint(e, "a whole number, such as random:7");
	}
	if (level && *level && strlen(level) < sizeof(choice->level)) {
		choice->method = dealt ? MAPPING_ROUNDROBIN : MAPPING_SCATTER;
		strcpy(choice->level, level);
		return 0;
	}
	for (int i = 0; i < MAPPING_METHODS; i++) {
		if (!strcmp(mapping_methods[i], word)) {
			choice->method = (enum mapping_method)i;
			return 0;
		}
		strcat(strcat(names, i ? ", " : ""), mapping_methods[i]);
	}
	error_unknown(e, STATUS_USAGE, at, text_nearest(word, mapping_methods, MAPPING_METHODS),
		"unknown %s '%s'", key, word);
	return error_hint(e, "%s is one of %s", key, names);
}

char *mapping_name(const struct mapping_choice *choice)
{
	const char *name = mapping_methods[choice->method];

	if (*choice->level)
		return alloc_format("%s:%s", name, choice->level);
	if (choice->method != MAPPING_RANDOM)
		return alloc_format("%s", name);
	return alloc_format("%s:%llu", name, (unsigned long long)choice->seed);
}
