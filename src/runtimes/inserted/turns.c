/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How good the estimates of loops' turns are: AFFINITY_PASS_TURNS names the file for a line of each
 * loop and two tables, which are tables 1 and 2 of Piccoli et al. (PACT 2014, section 4.1).
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inserted/inserted.h"
#include "inserted/log.h"

/* The loops of the program and of each library that was compiled so. */
struct part {
	struct inserted_loop *first, *end;
	struct part *next;
};

static struct part *parts;    /* that are loaded */
static struct part *unloaded; /* copies */

static void *keep_whole(void *memory)
{
	if (!memory)
		abort(); /* a table that left something out would be wrong */
	return memory;
}

static void add_part(struct part **list, struct inserted_loop *first, struct inserted_loop *end)
{
	struct part *p = keep_whole(malloc(sizeof(*p)));

	*p = (struct part){first, end, *list};
	*list = p;
}

/* The link to the part that begins there, or to NULL. */
static struct part **find_part(const struct inserted_loop *first)
{
	struct part **p = &parts;

	while (*p && (*p)->first != first)
		p = &(*p)->next;
	return p;
}

/* Each file of a part tells of it. */
void affinity_inserted_loops(struct inserted_loop *first, struct inserted_loop *end)
{
	log_lock();
	if (first != end && !*find_part(first))
		add_part(&parts, first, end);
	log_unlock();
}

static bool are_same(const struct part *p, const struct inserted_loop *first, size_t n)
{
	bool same = (size_t)(p->end - p->first) == n;

	for (size_t i = 0; same && i < n; i++)
		same = p->first[i].line == first[i].line &&
		       !strcmp(p->first[i].file, first[i].file) &&
		       !strcmp(p->first[i].function, first[i].function);
	return same;
}

static struct inserted_loop *copy_of(const struct inserted_loop *first, size_t n)
{
	struct inserted_loop *copy = keep_whole(malloc(n * sizeof(*copy)));

	memcpy(copy, first, n * sizeof(*copy));
	for (size_t i = 0; i < n; i++) {
		copy[i].file = keep_whole(strdup(first[i].file));
		copy[i].function = keep_whole(strdup(first[i].function));
	}
	return copy;
}

/* A library that is loaded again has the same loops. */
static void keep_copy(const struct inserted_loop *first, size_t n)
{
	struct part *p = unloaded;

	while (p && !are_same(p, first, n))
		p = p->next;
	if (!p) {
		struct inserted_loop *copy = copy_of(first, n);

		add_part(&unloaded, copy, copy + n);
		return;
	}
	for (size_t i = 0; i < n; i++)
		for (int b = 0; b < INSERTED_BUCKETS; b++)
			p->first[i].instances[b] += first[i].instances[b];
}

void affinity_inserted_unloaded(struct inserted_loop *first, struct inserted_loop *end)
{
	log_lock();
	struct part **link = find_part(first), *p = *link;

	if (p) {
		keep_copy(first, (size_t)(end - first));
		*link = p->next;
		free(p);
	}
	log_unlock();
}

static int below(int64_t estimate, int64_t n)
{
	if ((__int128)estimate * estimate <= n)
		return 0;
	return estimate <= n / 2 ? 1 : 2;
}

static int above(int64_t estimate, int64_t n)
{
	if (estimate <= (__int128)2 * n)
		return 4;
	return estimate <= (__int128)n * n ? 5 : 6;
}

void affinity_inserted_turns(struct inserted_loop *loop, int64_t estimate, int64_t n)
{
	int bucket = 3;

	if (estimate != n)
		bucket = estimate < n ? below(estimate, n) : above(estimate, n);
	atomic_fetch_add_explicit(&loop->instances[bucket], 1, memory_order_relaxed);
}

static void print_loop(const struct inserted_loop *l, FILE *out)
{
	static const char *const words[] = {"estimated", "exact"};

	fprintf(out, "%s:%" PRIu32 " %s depth %" PRIu32 " %s", l->file, l->line, l->function,
		l->depth, l->counted ? words[l->exact] : "unknown");
	for (int i = 0; i < INSERTED_BUCKETS; i++)
		fprintf(out, " %" PRIu64, l->instances[i]);
	fputc('\n', out);
}

struct sums {
	uint64_t loops, counted, exact, all, instances[INSERTED_BUCKETS];
};

static void sum(struct sums *s, const struct inserted_loop *l)
{
	s->loops++;
	s->counted += l->counted;
	s->exact += l->counted && l->exact;
	for (int i = 0; i < INSERTED_BUCKETS; i++) {
		s->instances[i] += l->instances[i];
		s->all += l->instances[i];
	}
}

static double percent_of_turns(uint64_t part, uint64_t all)
{
	return all ? 100 * (double)part / (double)all : 0;
}

static void print_sums(const struct sums *s, FILE *out)
{
	static const char *const buckets[] = {
		"[0,sqrt(N)]", "]sqrt(N),N/2]", "]N/2,N[", "N", "]N,2N]", "]2N,N^2]", ">N^2"};

	fprintf(out,
		"\nloops %" PRIu64 "\ninstrumentable %" PRIu64 " %.2f%%\nexact %" PRIu64
		" %.2f%%\n\nestimate of N turns: instances\n",
		s->loops, s->counted, percent_of_turns(s->counted, s->loops), s->exact,
		percent_of_turns(s->exact, s->loops));
	for (int i = 0; i < INSERTED_BUCKETS; i++)
		fprintf(out, "%-13s %12" PRIu64 " %6.2f%%\n", buckets[i], s->instances[i],
			percent_of_turns(s->instances[i], s->all));
}

static void print_parts(const struct part *p, struct sums *s, FILE *out)
{
	for (; p; p = p->next)
		for (const struct inserted_loop *l = p->first; l < p->end; l++) {
			print_loop(l, out);
			sum(s, l);
		}
}

__attribute__((destructor)) static void print(void)
{
	FILE *out = parts || unloaded ? log_open("AFFINITY_PASS_TURNS") : NULL;
	struct sums s = {0};

	if (!out)
		return;
	print_parts(unloaded, &s, out);
	print_parts(parts, &s, out);
	print_sums(&s, out);
	fflush(out);
}

static void clear_parts(struct part *p)
{
	for (; p; p = p->next)
		for (struct inserted_loop *l = p->first; l < p->end; l++)
			for (int b = 0; b < INSERTED_BUCKETS; b++)
				l->instances[b] = 0;
}

/* In a child of fork(): what it has is its parent's. */
static void clear_all(void)
{
	clear_parts(parts);
	clear_parts(unloaded);
}

__attribute__((constructor)) static void begin(void)
{
	pthread_atfork(NULL, NULL, clear_all);
}
