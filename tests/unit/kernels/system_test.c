/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of the system: their counts are exact, and what they take for proof is. */
#include <math.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

#include "crew.h"
#include "now.h"
#include "system/callers.h"
#include "system/minor.h"
#include "system/wake.h"

/* A sample as the driver takes it; returns the units of all. */
static void call_reset(struct crew *c, int rank)
{
	struct stage *s = &c->of[rank];

	if (s->kernel->reset)
		c->wrong[rank] = s->kernel->reset(&s->worker, s->why, sizeof(s->why));
}

static uint64_t take_sample(struct crew *c, double told[][8])
{
	crew_all(c, call_reset);
	const uint64_t units = crew_run(c, 1);

	for (int i = 0; i < c->size; i++)
		c->of[i].kernel->tell(&c->of[i].worker, told[i]);
	return units;
}

static const size_t page[] = {4096, 0};

/* ---- wake */

static void test_wakes(void **state)
{
	static const char *const settings[] = {"by=futex rounds=20", "by=eventfd rounds=20",
		"by=pipe rounds=20", "by=condvar rounds=20", "by=yield rounds=20",
		"by=futex rounds=20 idle=0", "by=condvar rounds=20 idle=0",
		"by=pipe rounds=20 idle=0"};
	double told[2][8];
	struct crew c;

	(void)state;
	for (size_t i = 0; i < LENGTH(settings); i++) {
		crew_begin(&c, 2, "wake", settings[i], TYPE_CHAR, 1, page);
		for (int sample = 0; sample < 2; sample++) {
			/* both count the hand-overs of both, and their time is one */
			assert_int_equal(take_sample(&c, told), 2 * 2 * 20);
			assert_null(crew_verify(&c));
			const uint64_t took = c.of[0].kernel->system.took(&c.of[0].worker);

			assert_true(took > 0);
			assert_int_equal(took, c.of[1].kernel->system.took(&c.of[1].worker));
			for (int k = 0; k < 2 && strstr(settings[i], "yield") == NULL; k++)
				assert_true(told[k][0] >= 0 && told[k][0] <= 1);
			assert_true(told[0][2] >= 0 && told[1][2] >= 0);
		}
		crew_end(&c);
	}
}

/* What the threads stay awake, 5 rounds of twice 10 ms, and what they took are parts of all. */
static void test_pauses(void **state)
{
	double told[2][8];
	struct crew c;

	(void)state;
	crew_begin(&c, 2, "wake", "by=eventfd rounds=5 idle=10ms", TYPE_CHAR, 1, page);
	const uint64_t begin = now_ns();
	take_sample(&c, told);
	const uint64_t all = now_ns() - begin;
	assert_true(c.of[0].kernel->system.took(&c.of[0].worker) <= all - 100 * 1000000);
	crew_end(&c);
}

/* There one thread runs only while the other does not, whether or not it was asleep in time. */
static void test_wakes_on_one_cpu(void **state)
{
	static const char *const settings[] = {"by=futex rounds=100 idle=0",
		"by=condvar rounds=100 idle=0", "by=pipe rounds=100 idle=0"};
	cpu_set_t all, one;
	double told[2][8];
	struct crew c;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	for (size_t i = 0; i < LENGTH(settings); i++) {
		crew_begin(&c, 2, "wake", settings[i], TYPE_CHAR, 1, page);
		take_sample(&c, told);
		/* some systems count no switches */
		for (int k = 0; k < 2; k++)
			assert_true(told[k][0] >= 0.99 || told[k][0] + told[k][2] == 0);
		crew_end(&c);
	}
	assert_int_equal(sched_setaffinity(0, sizeof(all), &all), 0);
}

static void test_wake_proofs(void **state)
{
	static const struct {
		struct wake_count of;
		enum event_proof verdict;
		const char *text;
	} cases[] = {
		{{.rounds = 1000, .slept = 990, .idle = 1}, EVENTS_PROVEN,
			"wake-ups: the thread slept before 99 % of its hand-overs"},
		{{.rounds = 1000, .slept = 1000, .one_cpu = true}, EVENTS_PROVEN,
			"wake-ups: the thread slept before 100 % of its hand-overs, by switches of "
			"both kinds: one CPU"},
		{{.rounds = 1000, .slept = 989, .idle = 1}, EVENTS_CONTRADICTED,
			"it slept before 98.9 % of its hand-overs, which are no wake-ups then; a "
			"longer idle lets it fall asleep"},
		{{.rounds = 1000, .slept = 989}, EVENTS_UNCOUNTABLE,
			"no wake-ups: without idle the thread slept before 98.9 % of its "
			"hand-overs"},
		{{.rounds = 1000, .idle = 1}, EVENTS_UNCOUNTABLE,
			"this system counts no voluntary switches of a thread"},
		{{.rounds = 1000, .yields = true}, EVENTS_UNCOUNTABLE,
			"no wake-ups: a thread that yields does not sleep"},
	};
	char text[256];

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		assert_int_equal(wake_judge(&cases[i].of, text, sizeof(text)), cases[i].verdict);
		assert_string_equal(text, cases[i].text);
	}
}

/* ---- fault, calls */

static void call_arrange(struct crew *c, int rank)
{
	struct stage *s = &c->of[rank];

	c->wrong[rank] = s->kernel->migration.arrange(&s->worker, s->why, sizeof(s->why));
}

static void test_counts_events(void **state)
{
	static const struct {
		const char *kernel, *settings;
		uint64_t units; /* of two threads with 64 pages */
	} cases[] = {{"fault", "by=write", 64}, {"fault", "by=read", 64},
		{"fault", "by=over_zero", 64}, {"fault", "by=cow", 64},
		{"fault", "by=populate", 64}, {"map", "pages=4", 16}, {"unmap", "pages=1", 64},
		{"unmap", "pages=8", 8}, {"protect", "pages=2", 32}, {"dontneed", "pages=4", 16},
		{"free", "pages=32", 2}, {"fork", "", 2}};
	const size_t size[] = {64 * (size_t)sysconf(_SC_PAGESIZE), 0};
	double told[2][8];
	char text[256];
	struct crew c;

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		crew_begin(&c, 2, cases[i].kernel, cases[i].settings, TYPE_CHAR, 1, size);
		for (int sample = 0; sample < 2; sample++) {
			crew_all(&c, call_reset);
			crew_all(&c, call_arrange);
			assert_null(c.wrong[0]);
			/* another round would find nothing left to do */
			assert_int_equal(crew_run(&c, 1 + (uint64_t)sample), cases[i].units);
			for (int k = 0; k < 2; k++)
				c.of[k].kernel->tell(&c.of[k].worker, told[k]);
		}
		/* in so few pages one fault of the C library would be too many */
		for (int k = 0; k < 2 && strcmp(cases[i].kernel, "fault") != 0; k++)
			assert_int_not_equal(
				c.of[k].kernel->system.prove(&c.of[k].worker, text, sizeof(text)),
				EVENTS_CONTRADICTED);
		for (int k = 0; k < 2 && !strcmp(cases[i].kernel, "fault"); k++)
			assert_true(told[k][0] >= 32);
		/* a fork is for all pages of the process */
		if (!strcmp(cases[i].kernel, "fork"))
			assert_true(isnan(told[0][0]));
		crew_all(&c, call_reset);
		crew_end(&c);
	}
}

/* Of all memory of the process: a part of a vector without a whole page is enough. */
static void test_forks_beside_little(void **state)
{
	const size_t size[] = {64, 0};
	struct crew c;

	(void)state;
	crew_begin(&c, 2, "fork", "", TYPE_CHAR, 1, size);
	crew_all(&c, call_reset);
	crew_all(&c, call_arrange);
	assert_int_equal(crew_run(&c, 1), 2);
	crew_all(&c, call_reset);
	crew_end(&c);
}

/* Another thread's memory may come to lie where pages were unmapped: it stays. */
static void test_keeps_others(void **state)
{
	const size_t bytes = 64 * (size_t)sysconf(_SC_PAGESIZE), size[] = {bytes, 0};
	const uint64_t pages = 64;
	char *others[16];
	struct crew c;

	(void)state;
	crew_begin(&c, 1, "unmap", "pages=1", TYPE_CHAR, 1, size);
	crew_all(&c, call_reset);
	crew_all(&c, call_arrange);
	assert_null(c.wrong[0]);
	assert_int_equal(crew_run(&c, 1), pages);
	/* the highest gaps that hold as much: one of them is the one that was left */
	for (size_t i = 0; i < LENGTH(others); i++) {
		others[i] = mmap(
			NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		assert_ptr_not_equal(others[i], MAP_FAILED);
		memset(others[i], 1, bytes);
	}
	crew_all(&c, call_reset);
	for (size_t i = 0; i < LENGTH(others); i++)
		assert_int_equal(msync(others[i], bytes, MS_ASYNC), 0);
	crew_end(&c);
	for (size_t i = 0; i < LENGTH(others); i++)
		munmap(others[i], bytes);
}

static void *call_later(void *unused)
{
	(void)unused;
	usleep(20000);
	callers_count(1, 50);
	callers_leave();
	return NULL;
}

/* It divides by the calls that it was there for, and knows nothing where there were none. */
static void test_bystander_misses(void **state)
{
	static const char *const settings[] = {"", "idle_beside=yes"};
	const size_t none[] = {0};
	double told[8];
	char text[256];
	pthread_t caller;
	struct crew c;

	(void)state;
	for (size_t i = 0; i < 2 * LENGTH(settings); i++) {
		crew_begin(&c, 1, "bystander", settings[i / 2], TYPE_CHAR, 1, none);
		struct worker *w = &c.of[0].worker;

		w->workers = 2;
		crew_all(&c, call_reset);
		crew_all(&c, call_arrange);
		callers_enter(1);
		callers_count(1, 100);
		if (i % 2)
			assert_int_equal(pthread_create(&caller, NULL, call_later, NULL), 0);
		else
			callers_leave();
		assert_true(crew_run(&c, 1) <= (i % 2 ? 50 : 0));
		if (i % 2)
			pthread_join(caller, NULL);
		c.of[0].kernel->tell(w, told);
		assert_true(isnan(told[1]) && (i % 2 || isnan(told[0])));
		assert_int_equal(
			c.of[0].kernel->system.prove(w, text, sizeof(text)), EVENTS_UNCOUNTABLE);
		assert_true(i % 2 || !strcmp(text, "it was beside 0 of 100 calls"));
		crew_end(&c);
	}
}

static void test_fault_proofs(void **state)
{
	static const struct {
		struct minor_count of;
		enum event_proof verdict;
		const char *text;
	} cases[] = {
		{{.expected = 1000, .counted = 1010, .ever = 1040}, EVENTS_PROVEN,
			"1010 page faults for 1000 first writes"},
		{{.expected = 1000, .counted = 1011, .ever = 1041}, EVENTS_CONTRADICTED,
			"1011 page faults for 1000 first writes"},
		{{.expected = 16384, .counted = 32, .ever = 62}, EVENTS_CONTRADICTED,
			"32 page faults for 16384 first writes"},
		{{.expected = 1000, .ever = 30}, EVENTS_CONTRADICTED,
			"0 page faults for 1000 first writes"},
		{{.expected = 1000, .counted = 1500, .ever = 1530, .balancing = true},
			EVENTS_UNCOUNTABLE,
			"1500 page faults for 1000 first writes, and automatic NUMA balancing has "
			"some: sudo sysctl kernel.numa_balancing=0"},
		{{.expected = 1000, .counted = 989, .ever = 2000, .balancing = true},
			EVENTS_CONTRADICTED, "989 page faults for 1000 first writes"},
		{{.expected = 1000}, EVENTS_UNCOUNTABLE,
			"this system counts no page faults of a thread"},
	};
	char text[256];

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		assert_int_equal(minor_judge(&cases[i].of, "first writes", text, sizeof(text)),
			cases[i].verdict);
		assert_string_equal(text, cases[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("each wakes the other as often as it says, and nothing is left over",
			test_wakes),
		TEST("what threads stay awake is no part of their time", test_pauses),
		TEST("on one CPU each hand-over is a switch", test_wakes_on_one_cpu),
		TEST("only who slept was woken", test_wake_proofs),
		TEST("pages are faulted in, and calls are made, as often as is said",
			test_counts_events),
		TEST("a fork needs no whole page", test_forks_beside_little),
		TEST("memory that came to lie where pages were unmapped stays", test_keeps_others),
		TEST("a bystander knows what it was there for", test_bystander_misses),
		TEST("as many faults as pages prove them", test_fault_proofs),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
