/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which calls are accepted, pinned, released and counted, for whom. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <time.h>

#include "calls.h"

static void test_invalid(void **state)
{
	(void)state;
	start();
	assert_int_equal(spm_call(s, fake_address(0, 0), 10, 9, 1000, 8), SPM_INVALID);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(spm_call(s, fake_address(0, 0), 0, 100000, -1, 8), SPM_INVALID);
	assert_int_equal(spm_call(s, fake_address(0, 0), 0, 100000, 1000, 0), SPM_INVALID);
	assert_int_equal(spm_call(s, (void *)4096, -8192, 0, 1000, 8), SPM_INVALID);
	assert_int_equal(spm_call(s, (void *)UINTPTR_MAX, 0, 100000, 1000, 8), SPM_INVALID);
	assert_int_equal(spm_total(s).invalid, 5);
	assert_int_equal(spm_total(s).calls, 5);
	assert_int_equal(fake.binds + fake.moves + fake.queries, 0);
	assert_int_equal(spm_release(s, fake_address(0, 0), 10, 9), -1);
	assert_int_equal(errno, EINVAL);
}

static void test_rejected(void **state)
{
	(void)state;
	spm_config_default(&config);
	start();
	assert_int_equal(s->config.cache_bytes, 8404992);
	assert_int_equal(spm_call(s, fake_address(0, 0), 0, 1000, 1 << 30, 8), SPM_TOO_SMALL);
	assert_int_equal(
		spm_call(s, fake_address(0, 0), 0, 4 << 20, 1000, 8), SPM_TOO_LITTLE_REUSE);
	assert_int_equal(spm_call(s, fake_address(0, 0), 0, 4 << 20, 1 << 30, 8), SPM_DONE);
	assert_int_equal(spm_total(s).too_small, 1);
	assert_int_equal(spm_total(s).too_little_reuse, 1);
	assert_int_equal(spm_total(s).accepted, 1);
	assert_counts(1024, 0, 0, 0);
}

/* Both ends of a range are its own: a byte more or less decides at the limits of both tests. */
static void test_limits(void **state)
{
	(void)state;
	config.size_test = true;
	config.cache_bytes = 8192;
	config.cache_factor = 1;
	start();
	assert_int_equal(spm_call(s, fake_address(0, 0), 0, 8191, 1 << 30, 8), SPM_TOO_SMALL);
	assert_int_equal(spm_call(s, fake_address(0, 0), 0, 8192, 1 << 30, 8), SPM_DONE);
	end(NULL);
	config.size_test = false;
	config.reuse_threshold = 2;
	start();
	assert_int_equal(spm_call(s, fake_address(0, 0), 0, 99, 200, 1), SPM_TOO_LITTLE_REUSE);
	assert_int_equal(spm_call(s, fake_address(0, 0), 0, 99, 201, 1), SPM_DONE);
}

/* What is counted is the time within the calls, which is less than that around them. */
static void test_time(void **state)
{
	struct timespec before, after;

	(void)state;
	start();
	clock_gettime(CLOCK_MONOTONIC, &before);
	call(0, 10);
	call(0, 20);
	clock_gettime(CLOCK_MONOTONIC, &after);
	assert_true(spm_total(s).ns > 0);
	assert_true((int64_t)spm_total(s).ns <=
		    (after.tv_sec - before.tv_sec) * 1000000000L + after.tv_nsec - before.tv_nsec);
}

static void test_estimate(void **state)
{
	(void)state;
	start();
	assert_int_equal(spm_executions(s, 16, 1), 16);
	end(NULL);
	config.estimate = SPM_ACTUAL;
	start();
	assert_int_equal(spm_executions(s, 16, 1), 1);
}

static void test_not_started(void **state)
{
	struct spm_counts c;

	(void)state;
	assert_int_equal(spm_call(NULL, fake_address(0, 0), 0, 10, 10, 1), SPM_INVALID);
	assert_int_equal(spm_release(NULL, fake_address(0, 0), 0, 10), 0);
	assert_int_equal(spm_lock(NULL), 0);
	assert_int_equal(spm_unlock(NULL), 0);
	assert_int_equal(spm_executions(NULL, 2, 1), 2);
	assert_int_equal(spm_counts(NULL, &c, 1), 0);
	assert_int_equal(spm_total(NULL).calls, 0);
	assert_null(spm_configuration(NULL));
	spm_print(NULL, stdout);
	spm_end(NULL);
}

/* ---- several threads, one after another */

struct visit {
	int node;
	size_t first, last;
	bool release;
	enum spm_answer answer;
};

static void *visit(void *arg)
{
	struct visit *v = arg;

	fake_runs_on = v->node;
	if (v->release)
		spm_release(s, fake_address(v->first, 0), 0,
			(ptrdiff_t)((v->last - v->first) * s->page_bytes) - 1);
	else
		v->answer = call(v->first, v->last);
	return NULL;
}

static enum spm_answer on_another_thread(int node, size_t first, size_t last)
{
	struct visit v = {node, first, last, false, SPM_INVALID};
	pthread_t t;

	assert_int_equal(pthread_create(&t, NULL, visit, &v), 0);
	pthread_join(t, NULL);
	return v.answer;
}

static void release(size_t first, size_t last)
{
	struct visit v = {1, first, last, true, SPM_INVALID};

	visit(&v);
}

static void test_no_pins(void **state)
{
	(void)state;
	FOR_EACH_MOVER(i)
	{
		assert_int_equal(call(10, 20), SPM_DONE);
		assert_int_equal(on_another_thread(2, 15, 25), SPM_DONE);
		assert_on(10, 15, 1);
		assert_on(15, 25, 2);
	}
}

static void test_pins(void **state)
{
	(void)state;
	config.pin = SPM_PIN_TREE;
	FOR_EACH_MOVER(i)
	{
		assert_int_equal(call(10, 20), SPM_DONE);
		assert_int_equal(on_another_thread(2, 30, 40), SPM_DONE);
		/* the first free run, 5 pages, and not the second */
		assert_int_equal(on_another_thread(3, 5, 25), SPM_PINNED);
		assert_on(5, 10, 3);
		assert_on(10, 20, 1);
		assert_on(20, 30, 0);
		assert_on(30, 40, 2);
		assert_counts(25, 0, 15, 0);
		/* nothing is left of this one */
		assert_int_equal(on_another_thread(3, 12, 18), SPM_PINNED);
		assert_counts(25, 0, 21, 0);
		/* only its owner can release it */
		assert_int_equal(spm_total(s).accepted, 4);
		release(5, 20);
		assert_int_equal(on_another_thread(4, 5, 10), SPM_PINNED);
		assert_int_equal(on_another_thread(4, 10, 20), SPM_DONE);
		assert_on(10, 20, 4);
	}
}

/* The page that both slices touch belongs to the second, so that the first cannot unpin it. */
static void test_release_of_slices(void **state)
{
	size_t half;

	(void)state;
	config.pin = SPM_PIN_TREE;
	start();
	half = 8 * s->page_bytes + 100;
	spm_call(s, fake_address(10, 0), 0, (long)half - 1, 1000000, 1);
	assert_on(10, 18, 1);
	assert_on(18, 19, 0);
	assert_int_equal(on_another_thread(2, 18, 26), SPM_DONE);
	spm_release(s, fake_address(10, 0), 0, (long)half - 1);
	assert_int_equal(on_another_thread(3, 18, 19), SPM_PINNED);
	assert_int_equal(on_another_thread(3, 10, 18), SPM_DONE);
}

/* Pages that a full node refused are free for a thread of another node. */
static void test_pins_of_refused(void **state)
{
	(void)state;
	config.pin = SPM_PIN_TREE;
	FOR_EACH_MOVER(i)
	{
		fake.room[1] = 0;
		assert_int_equal(call(10, 20), SPM_REFUSED);
		assert_int_equal(on_another_thread(2, 10, 20), SPM_DONE);
		assert_on(10, 20, 2);
	}
}

static void test_counts_of_threads(void **state)
{
	struct spm_counts c[3];

	(void)state;
	start();
	call(10, 20);
	on_another_thread(2, 10, 14);
	on_another_thread(3, 0, 1);
	assert_int_equal(spm_counts(s, c, 2), 3);
	assert_int_equal(spm_counts(s, c, 3), 3);
	assert_int_equal(c[0].moved, 10);
	assert_int_equal(c[1].moved, 4);
	assert_int_equal(c[2].moved, 1);
	assert_int_equal(c[0].thread, gettid());
	assert_int_not_equal(c[1].thread, c[0].thread);
	assert_int_equal(spm_own_counts(s).moved, 10);
	assert_int_equal(spm_own_counts(NULL).moved, 0);
	assert_int_equal(spm_total(s).moved, 15);
}

/* Two runtimes know nothing of each other's pins and counts. */
static void test_two(void **state)
{
	struct spm *other;

	(void)state;
	config.pin = SPM_PIN_TREE;
	other = fake_init(&config);
	start();
	call(10, 20);
	assert_int_equal(spm_call(other, fake_address(10, 0), 0, 40959, 100, 8), SPM_DONE);
	assert_int_equal(spm_total(other).calls, 1);
	assert_int_equal(spm_total(other).there, 10);
	spm_end(other);
	assert_int_equal(spm_total(s).calls, 1);
}

static void test_print(void **state)
{
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	(void)state;
	start();
	fake.room[1] = 3;
	call(10, 20);
	spm_print(s, f);
	fclose(f);
	assert_non_null(strstr(text, "# reuse_threshold: 0\n"));
	assert_non_null(strstr(text, "# cache_factor: 0.2\n"));
	assert_non_null(strstr(text, "# mover: mbind\n"));
	assert_non_null(strstr(text, " 1 0 0 0 1 10 3 0 0 7 "));
	assert_non_null(strstr(text, " ENOMEM\n"));
	free(text);
}

#define TEST(text, function)                                                                   \
	{                                                                                      \
		.name = text, .test_func = function, .setup_func = begin, .teardown_func = end \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("calls that make no sense are counted and do nothing", test_invalid),
		TEST("rejected calls are counted by reason", test_rejected),
		TEST("both ends of a range count in the tests", test_limits),
		TEST("the time counted is within that around the calls", test_time),
		TEST("executions are the compiler's or the actual ones", test_estimate),
		TEST("without a runtime every call does nothing", test_not_started),
		TEST("without pins the last one moves", test_no_pins),
		TEST("with pins the second one gets the first free run", test_pins),
		TEST("a slice releases no page of its neighbour", test_release_of_slices),
		TEST("pages that could not move are not pinned", test_pins_of_refused),
		TEST("each thread has its counts", test_counts_of_threads),
		TEST("two runtimes are independent", test_two),
		TEST("the printed counts have the configuration and the reason", test_print),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("calls", tests, fake_machine, fake_free);
}
