/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels whose threads write the same line: their sums are correct whatever values the vector
 * held before, and errors are found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "contract/kernel.h"
#include "input/param.h"

#define MOST    4
#define ELEMENT 8
#define BYTES   8192
#define COUNTER 1 /* the word of a vector to which atomic operations add */

/* Threads on the same vectors, each with its own view of them, as the driver creates it. */
struct troop {
	const struct kernel *kernel;
	int n, nvectors;
	uint64_t *memory[2];
	struct vector views[MOST][2];
	struct worker workers[MOST];
	uint64_t args[8];
	uint64_t passes, units[MOST];
	const char *verdicts[MOST];
	char why[MOST][256];
};

static const struct kernel *kernel_named(const char *name)
{
	for (const struct kernel_id *k = kernel_map; k->id; k++)
		if (!strcmp(k->id, name))
			return k->kernel;
	fail_msg("no kernel %s", name);
	return NULL;
}

static void give_memory(struct troop *t)
{
	for (int v = 0; v < t->nvectors; v++) {
		if (posix_memalign((void **)&t->memory[v], 4096, BYTES))
			abort();
		for (size_t i = 0; i < BYTES / ELEMENT; i++)
			t->memory[v][i] = UINT64_MAX - 3 * i; /* values that another kernel left */
	}
}

static void muster(struct troop *t, const char *name, int n, int nvectors, const char *setting)
{
	struct errors e = {0};

	*t = (struct troop){
		.kernel = kernel_named(name), .n = n, .nvectors = nvectors, .passes = 1};
	give_memory(t);
	assert_true(t->kernel->args_size <= sizeof(t->args));
	param_defaults(t->kernel->params, t->args);
	if (setting) {
		char parameter[40] = "";

		memcpy(parameter, setting, strcspn(setting, "="));
		assert_int_equal(param_set(param_find(t->kernel->params, parameter), t->args,
					 strchr(setting, '=') + 1, NOWHERE, &e),
			0);
	}
	for (int i = 0; i < n; i++) {
		for (int v = 0; v < nvectors; v++)
			t->views[i][v] = (struct vector){.base = t->memory[v],
				.elements = BYTES / ELEMENT,
				.element_size = ELEMENT,
				.type = TYPE_LONG,
				.users = n,
				.rank = i,
				.team = n,
				.member = i,
				.target = -1};
		t->workers[i] = (struct worker){.id = i,
			.workers = n,
			.vectors = t->views[i],
			.nvectors = nvectors,
			.args = t->args};
	}
}

struct soldier {
	struct troop *troop;
	int i;
};

static void *run(void *arg)
{
	struct soldier *s = arg;
	struct troop *t = s->troop;

	t->units[s->i] = t->kernel->run(&t->workers[s->i], t->passes);
	return NULL;
}

static void set_up(struct troop *t)
{
	for (int i = 0; i < t->n; i++) {
		assert_null(t->kernel->check(&t->workers[i], t->why[i], sizeof(t->why[i])));
		if (t->kernel->setup)
			assert_null(t->kernel->setup(&t->workers[i]));
	}
}

static void sample(struct troop *t)
{
	pthread_t threads[MOST];
	struct soldier soldiers[MOST];

	for (int i = 0; i < t->n; i++) {
		soldiers[i] = (struct soldier){t, i};
		assert_int_equal(pthread_create(&threads[i], NULL, run, &soldiers[i]), 0);
	}
	for (int i = 0; i < t->n; i++)
		pthread_join(threads[i], NULL);
}

static void verify(struct troop *t)
{
	for (int i = 0; i < t->n; i++)
		t->verdicts[i] = t->kernel->verify(&t->workers[i], t->why[i], sizeof(t->why[i]));
}

static void all_well(struct troop *t)
{
	verify(t);
	for (int i = 0; i < t->n; i++)
		if (t->verdicts[i])
			fail_msg("thread %d: %s", i, t->verdicts[i]);
}

static void dismiss(struct troop *t)
{
	for (int i = 0; i < t->n; i++)
		if (t->kernel->teardown)
			t->kernel->teardown(&t->workers[i]);
	for (int v = 0; v < t->nvectors; v++)
		free(t->memory[v]);
}

static void test_atomics(void **state)
{
	static const char *const names[] = {"atomic_add", "atomic_cas"};
	struct troop t;

	(void)state;
	for (int k = 0; k < 2; k++)
		for (int n = 1; n <= MOST; n++) {
			muster(&t, names[k], n, 2, "rounds=3000");
			set_up(&t);
			for (t.passes = 1; t.passes <= 3; t.passes++) {
				uint64_t before = t.memory[1][COUNTER];

				sample(&t);
				all_well(&t);
				assert_int_equal(t.units[n - 1], 2 * 3000 * t.passes);
				assert_int_equal(t.memory[1][COUNTER] - before,
					(uint64_t)n * 3000 * t.passes);
			}
			dismiss(&t);
		}
}

/* The counter wraps at 2^64. */
static void test_atomics_wrap(void **state)
{
	struct troop t;

	(void)state;
	muster(&t, "atomic_add", 2, 1, "rounds=1000");
	t.memory[0][COUNTER] = UINT64_MAX - 500;
	set_up(&t);
	sample(&t);
	all_well(&t);
	assert_int_equal(t.memory[0][COUNTER], 1499);
	dismiss(&t);
}

static void test_atomics_lost(void **state)
{
	struct troop t;

	(void)state;
	muster(&t, "atomic_cas", 2, 1, "rounds=1000");
	set_up(&t);
	sample(&t);
	t.memory[0][COUNTER]--;
	verify(&t);
	assert_string_equal(t.verdicts[0], "the counter went up by 1999 in 2000 additions");
	assert_non_null(t.verdicts[1]);
	dismiss(&t);
}

/* Calls as in mode: time: repeated, one thread more often than the other. */
static void test_atomics_in_time(void **state)
{
	struct troop t;

	(void)state;
	muster(&t, "atomic_add", 2, 1, "rounds=1000");
	set_up(&t);
	sample(&t);
	for (int i = 0; i < 7; i++)
		t.kernel->run(&t.workers[i == 3], 2);
	all_well(&t);
	t.memory[0][COUNTER]--;
	verify(&t);
	assert_string_equal(t.verdicts[1], "the counter went up by 15999 in 16000 additions");
	dismiss(&t);
}

/* Another operation took turns with this one: the value that it left in the counter does not count
 * as a loss. */
static void test_atomics_in_turns(void **state)
{
	static const char *const others[] = {"false_sharing", "pingpong", "atomic_cas"};
	struct troop t, other;

	(void)state;
	for (int k = 0; k < 3; k++) {
		muster(&t, "atomic_add", 2, 1, "rounds=90000");
		muster(&other, others[k], 2, 1, "rounds=10");
		free(other.memory[0]);
		other.memory[0] = t.memory[0];
		for (int i = 0; i < 2; i++)
			other.views[i][0].base = t.memory[0];
		set_up(&t);
		set_up(&other);
		sample(&t);
		sample(&other);
		sample(&t);
		all_well(&t);
		other.nvectors = 0;
		dismiss(&other);
		dismiss(&t);
	}
}

/* With solo one of two threads adds alone, beside the value that the other one left. */
static void test_atomics_alone(void **state)
{
	struct troop t;

	(void)state;
	muster(&t, "atomic_add", 2, 1, "rounds=1000");
	set_up(&t);
	sample(&t);
	t.kernel->teardown(&t.workers[0]);
	t.workers[0].workers = 1;
	assert_null(t.kernel->setup(&t.workers[0]));
	t.kernel->run(&t.workers[0], 1);
	assert_null(t.kernel->verify(&t.workers[0], t.why[0], sizeof(t.why[0])));
	dismiss(&t);
}

static void test_false_sharing(void **state)
{
	static const char *const distances[] = {
		"distance=8B", "distance=64B", "distance=3", "distance=512B"};
	static const size_t words[] = {1, 8, 3, 64};
	struct troop t;

	(void)state;
	for (int k = 0; k < 4; k++) {
		muster(&t, "false_sharing", MOST, 1, distances[k]);
		uint64_t between = t.memory[0][words[k] * MOST];
		set_up(&t);
		for (int turn = 0; turn < 2; turn++) {
			sample(&t);
			all_well(&t);
		}
		for (size_t i = 0; i < MOST; i++)
			assert_int_equal(t.memory[0][words[k] * i], 100000);
		assert_int_equal(t.memory[0][words[k] * MOST], between);
		t.memory[0][words[k]]++;
		verify(&t);
		assert_null(t.verdicts[0]);
		assert_string_equal(
			t.verdicts[1], "the thread's word is 100001 after 100000 additions");
		dismiss(&t);
	}
}

static void test_pingpong(void **state)
{
	static const char *const settings[] = {"by=store", "by=cas", "lines=7", "rounds=1"};
	struct troop t;

	(void)state;
	for (int k = 0; k < 4; k++) {
		muster(&t, "pingpong", 2, 2, settings[k]);
		set_up(&t);
		for (t.passes = 1; t.passes <= 3; t.passes++) {
			sample(&t);
			all_well(&t);
			assert_int_equal(t.units[0], 2 * 2 * (k == 3 ? 1u : 1000u) * t.passes);
			assert_int_equal(t.units[1], t.units[0]);
			/* another operation of the file may run in between */
			memset(t.memory[0], 'X', BYTES);
		}
		t.passes = 1;
		sample(&t);
		t.memory[1][k == 2 ? (1000 - 1) % 7 * 32 : 0]++;
		verify(&t);
		assert_non_null(t.verdicts[0]);
		assert_non_null(t.verdicts[1]);
		dismiss(&t);
	}
}

static void refused(struct troop *t, const char *part)
{
	const char *why = t->kernel->check(&t->workers[0], t->why[0], sizeof(t->why[0]));

	assert_non_null(why);
	if (!strstr(why, part))
		fail_msg("'%s' does not say '%s'", why, part);
	dismiss(t);
}

static void test_refused(void **state)
{
	struct troop t;

	(void)state;
	muster(&t, "pingpong", 1, 1, NULL);
	refused(&t, "two threads hand a line over, but a vector of thread 0 has 1");
	muster(&t, "pingpong", 3, 1, NULL);
	refused(&t, "two threads hand a line over, but a vector of thread 0 has 3");
	muster(&t, "pingpong", 2, 1, "lines=33");
	refused(&t, "a vector of 8192 bytes is too small: 8200 are needed for 2 threads");
	muster(&t, "false_sharing", 3, 1, "distance=4096B");
	refused(&t, "a vector of 8192 bytes is too small: 8200 are needed for 3 threads");
	muster(&t, "false_sharing", 2, 1, "distance=12B");
	refused(&t, "distance = 12 bytes is not a multiple of the 8 of a word");
	muster(&t, "atomic_add", 2, 1, NULL);
	t.views[0][0].elements = 95;
	refused(&t, "a vector of 760 bytes is too small: 768 are needed for 2 threads");
}

/* One of two threads alone, as with solo, would wait forever. */
static void test_alone(void **state)
{
	struct troop t;

	(void)state;
	muster(&t, "pingpong", 2, 1, NULL);
	t.workers[0].workers = 1;
	assert_non_null(t.kernel->setup(&t.workers[0]));
	t.n = 1;
	dismiss(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "one to four threads' atomic additions add up, whatever was there before",
			.test_func = test_atomics},
		{.name = "a counter that goes through 2^64 is right",
			.test_func = test_atomics_wrap},
		{.name = "a lost addition is found by every thread",
			.test_func = test_atomics_lost},
		{.name = "threads that add more often than others add up too",
			.test_func = test_atomics_in_time},
		{.name = "operations that take turns in a vector do not look like losses",
			.test_func = test_atomics_in_turns},
		{.name = "a thread that adds alone is not held to what another one added before",
			.test_func = test_atomics_alone},
		{.name = "false_sharing adds to words at its distance, and finds a wrong one",
			.test_func = test_false_sharing},
		{.name = "pingpong hands over every number, whatever comes between samples",
			.test_func = test_pingpong},
		{.name = "vectors that are too small, and too many or too few threads, are refused",
			.test_func = test_refused},
		{.name = "a thread without its partner is refused instead of waiting",
			.test_func = test_alone},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
