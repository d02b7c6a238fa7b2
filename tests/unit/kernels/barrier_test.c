/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Barriers hold every thread until all have come, whoever is late; reductions give the sum; trees
 * join the threads of a node first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "lines/barriers.h"
#include "crew.h"

#define MOST     9
#define MEETINGS 60

/* Threads that write to a word of their own before each meeting, and read those of the others
 * after it: without any other order between them than the barrier's. */
struct hall {
	struct barriers *b;
	uint32_t first; /* the number of the first meeting */
	uint32_t said[MOST];
	unsigned early[MOST]; /* words that a thread found too old or too new */
	uint64_t sums[MOST];
};

struct guest {
	struct hall *hall;
	int rank;
	pthread_t thread;
};

static void *meet_often(void *arg)
{
	struct guest *g = arg;
	struct hall *h = g->hall;
	uint32_t meeting = h->first;

	for (uint32_t i = 1; i <= MEETINGS; i++) {
		h->said[g->rank] = i;
		barriers_meet(h->b, g->rank, meeting++);
		for (uint32_t k = 0; k < h->b->threads; k++)
			h->early[g->rank] += h->said[k] != i;
		barriers_meet(h->b, g->rank, meeting++);
	}
	return NULL;
}

static void *sum_often(void *arg)
{
	struct guest *g = arg;
	struct hall *h = g->hall;

	for (uint32_t i = 0; i < MEETINGS; i++)
		h->sums[g->rank] += barriers_sum(
			h->b, g->rank, h->first + i, (uint64_t)(g->rank + 1) * (i + 1));
	return NULL;
}

struct method {
	enum barrier_method by;
	bool sleeps;
};

/* Threads 0, 2, 4 ... are of node 3, the others of node 0. */
static void gather(struct hall *h, struct vector *v, const struct method *m, int n)
{
	*v = (struct vector){.users = n};
	size_t bytes = barriers_bytes(m->by, (uint64_t)n) + APART;

	*h = (struct hall){.first = 1};
	v->base = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
	assert_non_null(v->base);
	memset(v->base, 0x5a, bytes); /* what another operation left */
	h->b = barriers_make(v, m->by, m->sleeps);
	assert_non_null(h->b);
	for (int i = 0; i < n; i++)
		barriers_join(h->b, i, i % 2 ? 0 : 3);
	barriers_reset(h->b);
	assert_int_equal(((unsigned char *)v->base)[bytes - APART], 0x5a);
}

static void send(struct hall *h, int n, void *(*work)(void *arg))
{
	struct guest guests[MOST];

	for (int i = 0; i < n; i++) {
		guests[i] = (struct guest){.hall = h, .rank = i};
		assert_int_equal(pthread_create(&guests[i].thread, NULL, work, &guests[i]), 0);
	}
	for (int i = 0; i < n; i++)
		pthread_join(guests[i].thread, NULL);
}

static void leave(struct hall *h, struct vector *v)
{
	barriers_free(h->b);
	free(v->base);
}

static void test_meetings(void **state)
{
	static const struct method methods[] = {{BY_CENTRAL, false}, {BY_CENTRAL, true},
		{BY_TREE, false}, {BY_TREE, true}, {BY_DISSEMINATION, false},
		{BY_DISSEMINATION, true}, {BY_DOUBLING, false}, {BY_DOUBLING, true},
		{BY_PTHREAD, false}};
	struct vector v;
	struct hall h;

	(void)state;
	for (size_t m = 0; m < LENGTH(methods); m++)
		for (int n = 1; n <= MOST; n++) {
			gather(&h, &v, &methods[m], n);
			send(&h, n, meet_often);
			for (int i = 0; i < n; i++)
				if (h.early[i])
					fail_msg("method %d, %d threads: thread %d went on too "
						 "early %u times",
						methods[m].by, n, i, h.early[i]);
			leave(&h, &v);
		}
}

static void test_sums(void **state)
{
	static const struct method methods[] = {{BY_CENTRAL, false}, {BY_CENTRAL, true},
		{BY_TREE, false}, {BY_TREE, true}, {BY_DOUBLING, false}, {BY_DOUBLING, true}};
	struct vector v;
	struct hall h;

	(void)state;
	for (size_t m = 0; m < LENGTH(methods); m++)
		for (int n = 1; n <= MOST; n++) {
			uint64_t all = (uint64_t)n * (uint64_t)(n + 1) / 2;

			gather(&h, &v, &methods[m], n);
			send(&h, n, sum_often);
			for (int i = 0; i < n; i++)
				assert_int_equal(h.sums[i], all * MEETINGS * (MEETINGS + 1) / 2);
			leave(&h, &v);
		}
}

/* Each thread adds once to its counter: the sums beside it are for reductions. */
static void test_central(void **state)
{
	static const struct method method = {BY_CENTRAL, false};
	struct vector v;
	struct hall h;

	(void)state;
	gather(&h, &v, &method, 3);
	uint64_t *words = v.base;

	words[1] = words[2] = 7;
	send(&h, 3, meet_often);
	assert_int_equal(words[0], 3 * 2 * MEETINGS);
	assert_int_equal(words[1], 7);
	assert_int_equal(words[2], 7);
	leave(&h, &v);
}

/* Every word says that meeting 2^32 - 1 was the last one. */
static void test_wrap(void **state)
{
	static const struct method methods[] = {{BY_TREE, false}, {BY_DISSEMINATION, false}};
	struct vector v;
	struct hall h;

	(void)state;
	for (size_t m = 0; m < LENGTH(methods); m++) {
		gather(&h, &v, &methods[m], 3);
		memset(v.base, 0xff, barriers_bytes(methods[m].by, 3));
		h.first = 0;
		send(&h, 3, meet_often);
		for (int i = 0; i < 3; i++)
			assert_int_equal(h.early[i], 0);
		leave(&h, &v);
	}
}

/* Threads below i in the tree, i included. */
static int below(const struct barriers *b, int i)
{
	const struct tree_place *p = &b->places[i];
	int n = 1;

	for (int k = 0; k < p->nchildren; k++) {
		assert_int_equal(b->places[p->children[k]].parent, i);
		n += below(b, p->children[k]);
	}
	return n;
}

/* Nodes of unlike size, in an order that a list of nodes of an argument file may have. */
static void test_tree(void **state)
{
	static const int nodes[] = {5, 1, 5, 1, 5, 0, 5, 5, 5, 5, 5, 1, 2, 3, 4};
	struct vector v = {.users = LENGTH(nodes)};
	struct barriers *b = barriers_make(&v, BY_TREE, false);
	int crossings = 0;

	(void)state;
	assert_non_null(b);
	for (int i = 0; i < v.users; i++)
		barriers_join(b, i, nodes[i]);
	assert_int_equal(b->places[0].parent, -1);
	assert_int_equal(below(b, 0), v.users);
	for (int i = 1; i < v.users; i++)
		crossings += nodes[b->places[i].parent] != nodes[i];
	assert_int_equal(crossings, 5);
	assert_int_equal(barriers_nodes(b), 6);
	barriers_free(b);
}

/* The sums of the kernel itself, and a wrong one. */
static void test_reduce(void **state)
{
	static const size_t elements[] = {8192, 0};
	static const char *const settings[] = {"by=central", "by=tree", "by=doubling wait=sleep"};
	struct crew c;

	(void)state;
	for (size_t i = 0; i < LENGTH(settings); i++) {
		crew_begin(&c, 3, "reduce", settings[i], TYPE_LONG, 8, elements);
		for (int k = 0; k < 3; k++)
			assert_null(c.of[k].kernel->reset(
				&c.of[k].worker, c.of[k].why, sizeof(c.of[k].why)));
		assert_int_equal(crew_run(&c, 2), 3 * 2 * 1000);
		assert_null(crew_verify(&c));
		for (int k = 0; k < 3; k++)
			c.of[k].kernel->reset(&c.of[k].worker, c.of[k].why, sizeof(c.of[k].why));
		c.of[1].vectors[0].rank = 0; /* gives what thread 0 gives */
		if (i == 0) {
			crew_run(&c, 1);
			assert_string_equal(
				crew_verify(&c), "1000 of the last 1000 sums are wrong");
		}
		crew_end(&c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "no thread of 1 to 9 goes on before all have come, whatever the method",
			.test_func = test_meetings},
		{.name = "each of 1 to 9 threads has the sum of all", .test_func = test_sums},
		{.name = "a central barrier is one addition of each thread",
			.test_func = test_central},
		{.name = "numbers of meetings may wrap around", .test_func = test_wrap},
		{.name = "a tree has every thread once, and crosses to each further node once",
			.test_func = test_tree},
		{.name = "reduce finds its own sums right, and a wrong one wrong",
			.test_func = test_reduce},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
