/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Locks and queues between threads: nothing is lost, and the order is that of the method. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "crew.h"
#include "system/locks.h"

/* A sample as the driver takes it; returns the units of all. */
static void call_reset(struct crew *c, int rank)
{
	struct stage *s = &c->of[rank];

	if (s->kernel->reset)
		c->wrong[rank] = s->kernel->reset(&s->worker, s->why, sizeof(s->why));
}

static uint64_t take_sample(struct crew *c, double told[][16])
{
	crew_all(c, call_reset);
	const uint64_t units = crew_run(c, 1);

	for (int i = 0; i < c->size; i++)
		c->of[i].kernel->tell(&c->of[i].worker, told[i]);
	return units;
}

/* ---- lock */

static const size_t pages[] = {65536, 0};

static void test_locks(void **state)
{
	static const char *const settings[] = {"by=ticket", "by=ticket wait=park", "by=mcs",
		"by=mcs wait=park", "by=cna threshold=3", "by=cna wait=park threshold=3",
		"by=cna domain=package section=1us", "by=pthread pause=1us", "by=adaptive",
		"by=rw reads=0.75", "by=mcs section_lines=3 pause_lines=2"};
	char all[128], why[256];
	double told[3][16];
	struct crew c;

	(void)state;
	for (size_t i = 0; i < LENGTH(settings); i++) {
		snprintf(all, sizeof(all), "rounds=100 %s", settings[i]);
		crew_begin(&c, 3, "lock", all, TYPE_CHAR, 1, pages);
		for (int k = 0; k < 3; k++)
			c.of[k].worker.place = (struct worker_place){k, 0, k / 2, k / 2};
		for (int sample = 0; sample < 2; sample++) {
			const uint64_t units = take_sample(&c, told);
			const double *t = told[0] + 1; /* after the rate */

			/* of rw every fourth of a thread writes, until there are 75 */
			if (strstr(all, "rw"))
				assert_true(units >= 75);
			else
				assert_int_equal(units, 300);
			assert_true(t[0] >= 1.0 / 3 && t[0] <= 1.0000001);
			assert_true(t[1] >= 0 && t[1] < 1);
			if (t[1] > 0) /* its changes are somewhere */
				assert_true(fabs(t[2] + t[3] + t[4] + t[5] + t[6] - 1) < 1e-9);
			assert_memory_equal(t, told[2] + 1, 2 * sizeof(double));
			assert_true(told[0][0] + told[1][0] + told[2][0] == (double)units);
		}
		for (int k = 0; k < 3; k++)
			assert_int_equal(
				c.of[k].kernel->system.prove(&c.of[k].worker, why, sizeof(why)),
				EVENTS_PROVEN);
		crew_end(&c);
	}
}

/* As if an acquisition were lost, or one more were made. */
static void test_lost_acquisition(void **state)
{
	double told[16];
	char why[256];
	struct crew c;

	(void)state;
	crew_begin(&c, 1, "lock", "rounds=100", TYPE_CHAR, 1, pages);
	crew_all(&c, call_reset);
	crew_run(&c, 1);
	*(uint64_t *)((char *)c.of[0].vectors->base + APART) -= 1;
	c.of[0].kernel->tell(&c.of[0].worker, told);
	assert_int_equal(c.of[0].kernel->system.prove(&c.of[0].worker, why, sizeof(why)),
		EVENTS_CONTRADICTED);
	assert_string_equal(why, "the count under the lock is 99 after 100 acquisitions: two held "
				 "it at the same time");
	crew_end(&c);
}

#define QUEUE 6

/* Threads that come one after another while the first has the lock, and the order in which they get
 * it. */
struct line_up {
	struct locks locks;
	int order[QUEUE], n;
};

struct customer {
	struct line_up *line;
	int rank;
};

static void *wait_in_line(void *arg)
{
	const struct customer *me = arg;
	struct line_up *l = me->line;

	locks_take(&l->locks, me->rank, false);
	l->order[l->n++] = me->rank;
	locks_give(&l->locks, me->rank);
	return NULL;
}

static bool has_come(const struct locks *l, int rank, uint32_t tickets)
{
	return l->by == BY_TICKET
		       ? __atomic_load_n(&l->words->tickets, __ATOMIC_ACQUIRE) != tickets
		       : __atomic_load_n(&l->words->tail, __ATOMIC_ACQUIRE) == &l->waiters[rank];
}

/* domains: of each thread, "abaabb"; expected: the order, "024135". */
static void serve_line(struct locks locks, const char *domains, const char *expected)
{
	static struct lock_words words;
	static struct lock_waiter waiters[QUEUE];
	struct line_up l = {.locks = locks};
	struct customer customers[QUEUE];
	pthread_t threads[QUEUE];

	l.locks.words = &words;
	l.locks.waiters = waiters;
	locks_init(&l.locks);
	for (int i = 0; i < QUEUE; i++)
		locks_join(&l.locks, i, domains[i]);
	locks_take(&l.locks, 0, false);
	l.order[l.n++] = 0;
	for (int i = 1; i < QUEUE; i++) {
		const uint32_t tickets = __atomic_load_n(&words.tickets, __ATOMIC_RELAXED);

		customers[i] = (struct customer){&l, i};
		assert_int_equal(pthread_create(&threads[i], NULL, wait_in_line, &customers[i]), 0);
		while (!has_come(&l.locks, i, tickets))
			sched_yield();
	}
	locks_give(&l.locks, 0);
	for (int i = 1; i < QUEUE; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < QUEUE; i++)
		if (l.order[i] != expected[i] - '0')
			fail_msg("method %d, threshold %d, %s: turn %d is thread %d's", locks.by,
				(int)locks.threshold, domains, i, l.order[i]);
}

static void test_orders(void **state)
{
	(void)state;
	for (int parks = 0; parks < 2; parks++) {
		serve_line((struct locks){BY_TICKET, .parks = parks}, "abaabb", "012345");
		serve_line((struct locks){BY_MCS, .parks = parks}, "abaabb", "012345");
		/* no turn of others before its own domain is served */
		serve_line(
			(struct locks){BY_CNA, .parks = parks, .threshold = 9}, "abaabb", "023145");
		serve_line(
			(struct locks){BY_CNA, .parks = parks, .threshold = 9}, "abbaba", "035124");
		/* after one, those that were passed over have theirs, before who came later */
		serve_line(
			(struct locks){BY_CNA, .parks = parks, .threshold = 1}, "ababab", "021345");
		serve_line(
			(struct locks){BY_CNA, .parks = parks, .threshold = 0}, "ababab", "012345");
	}
}

/* ---- queue */

static void test_queues(void **state)
{
	static const struct {
		int threads;
		const char *settings;
		uint64_t messages; /* of 40 batches of each producer */
	} cases[] = {
		{2, "by=spsc", 40},
		{2, "by=spsc batch=4 capacity=4 lines=3", 160},
		{2, "by=spsc reply=yes", 80},
		{2, "by=spsc reply=yes batch=2 lines=2", 160},
		{2, "by=mpsc capacity=2", 40},
		{3, "by=mpsc batch=3 capacity=8", 240},
		{4, "by=mpmc capacity=2", 80},
		{3, "by=mpmc batch=8 capacity=8 lines=2", 640},
	};
	char all[128], why[256];
	double told[4][16];
	struct crew c;

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		snprintf(all, sizeof(all), "rounds=40 %s", cases[i].settings);
		crew_begin(&c, cases[i].threads, "queue", all, TYPE_CHAR, 1, pages);
		for (int sample = 0; sample < 2; sample++) {
			double taken = 0;

			/* each is put and taken */
			assert_int_equal(take_sample(&c, told), 2 * cases[i].messages);
			for (int k = 0; k < c.size; k++)
				taken += told[k][0];
			assert_true(taken == (double)cases[i].messages);
			assert_true(told[0][1] >= 0 && told[0][2] >= 0);
			assert_true(isnan(told[0][3]) || (told[0][3] >= 0 && told[0][3] <= 1));
		}
		for (int k = 0; k < c.size; k++)
			assert_int_equal(
				c.of[k].kernel->system.prove(&c.of[k].worker, why, sizeof(why)),
				EVENTS_PROVEN);
		crew_end(&c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("locks count each acquisition, and who had it before", test_locks),
		TEST("an acquisition that is not in the count contradicts", test_lost_acquisition),
		TEST("messages are taken once, whole and in order, and counted", test_queues),
		TEST("queues serve in order, cna its own domain first, for so many turns",
			test_orders),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
