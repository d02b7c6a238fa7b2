/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives every thread a CPU of its place, never two on one unless asked. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/list.h"
#include "input/places.h"
#include "mapping/seats.h"
#include "mapping/spread.h"
#include "plan/parts.h"

/* A word of the list and what it stands for: its places, a thread on each. */
struct want {
	char *word;
	struct places places; /* none: it was refused */
	struct spread_set *sets;
};

/* Lists repeat few words, such as those of nodes, in turn: so many are looked at. */
#define WANTS_KEPT 64

/* The work in progress. */
struct seats {
	struct plan *plan;
	struct places_from from;
	struct words list; /* the key's words, written out */
	struct want *wants;
	size_t nwants, *want_of; /* [list.count] */
	struct mapping_seat *all;
	int *seat_of; /* [ncpus] of the topology: index into all, -1: none */
	struct spread *spread;
};

static void find_seats(struct seats *s)
{
	const struct topo *t = s->plan->topo;
	int n;

	s->all = seats_of(t, true, &n);
	s->spread = spread_new(s->all, n);
	s->seat_of = alloc_zeroed((size_t)t->ncpus + 1, sizeof(*s->seat_of));
	for (int i = 0; i < t->ncpus; i++)
		s->seat_of[i] = -1;
	for (int i = 0; i < n; i++)
		s->seat_of[t->cpu_index[s->all[i].cpu]] = i;
	for (int i = 0; i < n && s->plan->request->taken; i++)
		if (s->plan->request->taken[s->all[i].cpu])
			spread_take(s->spread, i);
}

static struct spread_set set_of(const struct seats *s, const struct places_one *one)
{
	int *seats = alloc_zeroed((size_t)one->ncpus + 1, sizeof(*seats)), n = 0;

	for (int i = 0; i < one->ncpus; i++)
		if (places_allow(one, &s->plan->topo->cpus[one->cpus[i]]))
			seats[n++] = s->seat_of[one->cpus[i]];
	const struct spread_set set = spread_set(s->spread, seats, n);

	free(seats);
	return set;
}

static size_t add_want(struct seats *s, const char *word, struct errors *e)
{
	struct want w = {.word = alloc_string(word, strlen(word))};

	if (places_read(&w.places, word, &s->from, e))
		places_free(&w.places);
	w.sets = alloc_zeroed(w.places.count + 1, sizeof(*w.sets));
	for (size_t i = 0; i < w.places.count; i++)
		w.sets[i] = set_of(s, &w.places.list[i]);
	s->wants = alloc_grow(s->wants, s->nwants, sizeof(*s->wants));
	s->wants[s->nwants] = w;
	return s->nwants++;
}

static size_t find_want(struct seats *s, const char *word, struct errors *e)
{
	for (size_t i = s->nwants; i-- > 0 && s->nwants - i <= WANTS_KEPT;)
		if (!strcmp(s->wants[i].word, word))
			return i;
	return add_want(s, word, e);
}

/* A refused word stands for one thread. */
static size_t threads_of(const struct want *w)
{
	return w->places.count ? w->places.count : 1;
}

static int refuse_full(const struct seats *s, const struct places_one *one, struct errors *e)
{
	error_add(e, STATUS_PLACEMENT, s->from.at,
		"%s: more threads than usable hardware threads on %s", s->from.key, one->name);
	return error_hint(e,
		"two threads on one hardware thread take turns and measure the scheduler%s",
		s->plan->request->taken ? "; a load has CPUs of its own"
					: "; oversubscribe: yes allows it");
}

static int seat(struct seats *s, int thread, const struct places_one *one,
	const struct spread_set *set, struct errors *e)
{
	const int found = set->n ? spread_best(s->spread, set, one->packed) : -1;

	if (found < 0)
		return places_refuse(&s->from, one, e);
	if (spread_taken(s->spread, found) && !s->plan->request->oversubscribe)
		return refuse_full(s, one, e);
	spread_take(s->spread, found);
	s->plan->threads[thread].cpu = s->all[found].cpu;
	s->plan->threads[thread].core = s->all[found].core;
	s->plan->threads[thread].node = s->all[found].node;
	return 0;
}

static int seat_all(struct seats *s, struct errors *e)
{
	int thread = 0, failed = 0;
	bool cores = true;

	for (size_t i = 0; i < s->list.count; i++) {
		const struct want *w = &s->wants[s->want_of[i]];

		for (size_t k = 0; k < w->places.count; k++) {
			failed |= seat(s, thread + (int)k, &w->places.list[k], &w->sets[k], e);
			cores &= w->places.list[k].cores;
		}
		failed |= -!w->places.count;
		thread += (int)threads_of(w);
	}
	s->plan->names_cores = cores;
	return failed;
}

/* As many as a list may have values. */
#define MAX_THREADS 65536

static int read_list(struct seats *s, struct errors *e)
{
	size_t threads = 0;

	s->want_of = alloc_zeroed(s->list.count + 1, sizeof(*s->want_of));
	for (size_t i = 0; i < s->list.count && threads <= MAX_THREADS; i++) {
		const size_t index = find_want(s, s->list.word[i], e);

		s->want_of[i] = index;
		threads += threads_of(&s->wants[index]);
	}
	if (threads > MAX_THREADS)
		return error_add(e, STATUS_USAGE, s->from.at, "%s: more than %d threads",
			s->from.key, MAX_THREADS);
	plan_count_threads(s->plan, threads);
	return seat_all(s, e);
}

/* Which of n threads have the place of another one; negative: none. */
static void find_shared(const int *places, int n, bool *shared)
{
	int most = 0;

	for (int i = 0; i < n; i++)
		most = places[i] > most ? places[i] : most;
	int *threads = alloc_zeroed((size_t)most + 1, sizeof(*threads));

	for (int i = 0; i < n; i++)
		if (places[i] >= 0)
			threads[places[i]]++;
	for (int i = 0; i < n; i++)
		shared[i] = places[i] >= 0 && threads[places[i]] > 1;
	free(threads);
}

static void mark_shared(struct plan *p)
{
	const int n = p->nthreads;
	int *places = alloc_zeroed(2 * (size_t)n + 1, sizeof(*places));
	bool *shared = alloc_zeroed(2 * (size_t)n + 1, sizeof(*shared));

	for (int i = 0; i < n; i++) {
		places[i] = p->threads[i].core;
		places[n + i] = p->threads[i].cpu;
	}
	find_shared(places, n, shared);
	find_shared(places + n, n, shared + n);
	for (int i = 0; i < n; i++) {
		p->threads[i].shares_core = shared[i];
		p->threads[i].takes_turns = shared[n + i];
	}
	free(places);
	free(shared);
}

const char *plan_shares(const struct plan_thread *t)
{
	return t->takes_turns   ? ", takes turns on its CPU"
	       : t->shares_core ? ", shares its core"
				: "";
}

/* A key that places threads. */
struct key {
	const char *name;
	const char *level; /* of its words; NULL: they name places of any */
	const struct words *list;
};

/* Two of the keys would contradict each other. */
static int placing_key(const struct request *r, struct key *found, struct errors *e)
{
	const struct key keys[] = {{"nodePerThread", "node", &r->node_per_thread},
		{"corePerThread", "core", &r->core_per_thread},
		{"cpuPerThread", "pu", &r->cpu_per_thread},
		{"placePerThread", NULL, &r->place_per_thread}, {"threads", NULL, &r->threads}};

	*found = (struct key){0};
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		if (!keys[i].list->count)
			continue;
		if (found->list)
			return error_add(e, STATUS_USAGE, keys[i].list->at,
				"both %s and %s say where threads run; keep one", found->name,
				keys[i].name);
		*found = keys[i];
	}
	if (found->list && found->list != &r->threads && r->mapping.count) {
		error_add(e, STATUS_USAGE, r->mapping.at,
			"mapping is for threads that have no place; %s gives them one",
			found->name);
		return error_hint(
			e, "threads: N in place of %s says how many there are", found->name);
	}
	return found->list ? 0 : -1;
}

/* V* is a thread on each usable core of the places: a word of a node or a kind of cores so often,
 * or each place by its own name. */
static int add_cores(void *seats, const char *value, struct words *out, struct errors *e)
{
	struct seats *s = seats;
	const size_t index = find_want(s, value, e);
	const struct want *w = &s->wants[index];
	int added = 0;

	for (size_t i = 0; i < w->places.count; i++) {
		const struct places_one *one = &w->places.list[i];
		const char *word = s->from.level ? value : one->text;
		const int cores = places_cores(s->plan->topo, one);

		if (s->from.level && one->cores && one->level >= 0)
			return 0;
		if (!cores)
			return places_refuse(&s->from, one, e);
		for (int k = 0; k < cores; k++)
			words_add(out, word, strlen(word));
		added += cores;
	}
	return w->places.count ? added : -1;
}

/* The words of placePerThread in our words, which the plan shows. */
static int translate(
	const struct seats *s, const struct words *in, struct words *out, struct errors *e)
{
	int failed = 0;

	out->at = in->at;
	for (size_t i = 0; i < in->count; i++)
		if (s->from.level)
			words_add(out, in->word[i], strlen(in->word[i]));
		else
			failed |= places_translate(out, in->word[i], &s->from, e);
	for (size_t i = 0; i < out->count && !s->from.level; i++)
		alloc_append(&s->plan->places, " ", "%s", out->word[i]);
	return failed;
}

static void free_seats(struct seats *s)
{
	for (size_t i = 0; i < s->nwants; i++) {
		for (size_t k = 0; k < s->wants[i].places.count; k++)
			free(s->wants[i].sets[k].ends);
		free(s->wants[i].sets);
		free(s->wants[i].word);
		places_free(&s->wants[i].places);
	}
	free(s->wants);
	free(s->want_of);
	free(s->all);
	free(s->seat_of);
	spread_free(s->spread);
	words_free(&s->list);
}

static int place_threads(
	struct plan *p, const struct names *names, const struct key *key, struct errors *e)
{
	struct seats s = {.plan = p, .from = {names, key->name, key->list->at, key->level}};
	const struct list_rules rules = {
		.key = key->name, .ranges = key->level, .each = add_cores, .user = &s};
	struct words ours = {0};

	find_seats(&s);
	int failed = translate(&s, key->list, &ours, e);

	if (!failed)
		failed = list_expand(&ours, &rules, &s.list, e);
	if (!failed)
		failed = read_list(&s, e);
	words_free(&ours);
	free_seats(&s);
	return failed;
}

int plan_threads(struct plan *p, const struct names *names, struct errors *e)
{
	struct key key;

	if (placing_key(p->request, &key, e))
		return -1;
	const int failed = key.list == &p->request->threads ? plan_mapping(p, e)
							    : place_threads(p, names, &key, e);

	mark_shared(p);
	return failed;
}
