/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How good the estimates of loops' turns are: AFFINITY_PASS_TURNS names the file for a line of each
 * loop and two tables, which are tables 1 and 2 of Piccoli et al. (PACT 2014, section 4.1).
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "inserted/inserted.h"
#include "inserted/log.h"

/* The loops of the program and of each library that was compiled so. */
struct part {
	struct inserted_loop *first, *end;
	struct part *next;
};

static struct part *parts;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void add(struct inserted_loop *first, struct inserted_loop *end)
{
	struct part *p = parts;

	while (p && p->first != first)
		p = p->next;
	if (p)
		return; /* another file of the same part has told */
	p = malloc(sizeof(*p));
	if (!p)
		abort(); /* a table that left something out would be wrong */
	*p = (struct part){first, end, parts};
	parts = p;
}

void affinity_inserted_loops(struct inserted_loop *first, struct inserted_loop *end)
{
	pthread_mutex_lock(&mutex);
	if (first != end)
		add(first, end);
	pthread_mutex_unlock(&mutex);
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

static double percent(uint64_t part, uint64_t all)
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
		s->loops, s->counted, percent(s->counted, s->loops), s->exact,
		percent(s->exact, s->loops));
	for (int i = 0; i < INSERTED_BUCKETS; i++)
		fprintf(out, "%-13s %12" PRIu64 " %6.2f%%\n", buckets[i], s->instances[i],
			percent(s->instances[i], s->all));
}

__attribute__((destructor)) static void print(void)
{
	FILE *out = parts ? log_open("AFFINITY_PASS_TURNS") : NULL;
	struct sums s = {0};

	if (!out)
		return;
	for (const struct part *p = parts; p; p = p->next)
		for (const struct inserted_loop *l = p->first; l < p->end; l++) {
			print_loop(l, out);
			sum(&s, l);
		}
	print_sums(&s, out);
	fflush(out);
}
