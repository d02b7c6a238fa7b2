/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Eight threads at once: moving, pinning and releasing ranges that overlap.
 * tests/project/races.bats runs this under ThreadSanitizer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/mman.h>

#include "fake.h"

enum { THREADS = 8, ROUNDS = 3000, PAGES = 512 };

static struct spm *s;
static struct spm_pins pins;

/* Written without atomics by the owner of the pin alone. */
static int written_by[PAGES];

static void run_threads(void *(*function)(void *))
{
	static int numbers[THREADS];
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++) {
		numbers[i] = i;
		assert_int_equal(pthread_create(&threads[i], NULL, function, &numbers[i]), 0);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

static struct spm_run random_run(unsigned *seed)
{
	uintptr_t first = (uintptr_t)rand_r(seed) % PAGES;
	uintptr_t end = first + 1 + (uintptr_t)rand_r(seed) % 64;

	return (struct spm_run){first, end < PAGES ? end : PAGES};
}

static int disputes;

static void *pin_and_write(void *number)
{
	unsigned seed = 1 + *(unsigned *)number;
	int me = *(int *)number;

	for (int i = 0; i < ROUNDS; i++) {
		struct spm_run run = spm_pins_take(&pins, random_run(&seed), number);

		for (uintptr_t p = run.first; p < run.end; p++)
			written_by[p] = me;
		if (i % 16 == 0)
			sched_yield();
		for (uintptr_t p = run.first; p < run.end; p++)
			if (written_by[p] != me)
				__atomic_fetch_add(&disputes, 1, __ATOMIC_RELAXED);
		if (run.first < run.end)
			spm_pins_release(&pins, run, number);
	}
	return NULL;
}

static void test_exclusive(void **state)
{
	(void)state;
	spm_pins_init(&pins);
	run_threads(pin_and_write);
	assert_int_equal(disputes, 0);
	assert_int_equal(pins.entries, 0);
	spm_pins_free(&pins);
}

static void *call_and_release(void *number)
{
	unsigned seed = 1 + *(unsigned *)number;

	fake_runs_on = *(int *)number % FAKE_NODES;
	for (int i = 0; i < ROUNDS; i++) {
		struct spm_run run = random_run(&seed);
		const char *array = fake_address(run.first, 0);
		long last = (long)((run.end - run.first) * s->page_bytes) - 1;

		if (i % 64 == 0)
			spm_lock(s);
		spm_call(s, array, 0, last, i % 4 ? 1000000 : 0, 8);
		spm_release(s, array, 0, last);
		if (i % 64 == 63)
			spm_unlock(s);
		if (i % 128 == 0)
			spm_total(s);
	}
	return NULL;
}

static void check_counts(void)
{
	struct spm_counts c = spm_total(s);

	assert_int_equal(c.calls, THREADS * ROUNDS);
	assert_int_equal(c.too_little_reuse, THREADS * ROUNDS / 4);
	assert_int_equal(c.calls, c.accepted + c.too_little_reuse);
	assert_int_equal(c.pages_asked, c.moved + c.there + c.pinned + c.refused);
	assert_true(c.moved > 0);
}

/* Programs may begin and end a thread for each loop. */
static void check_lists(void)
{
	size_t n = 0;

	for (const struct spm_thread *t = s->first; t; t = t->next, n++) {
		assert_null(t->lists.pages);
		assert_int_equal(t->lists.room, 0);
	}
	assert_int_equal(n, THREADS);
}

static void runtime(enum spm_mover mover, enum spm_pin pin)
{
	struct spm_config config = fake_eager();

	fake_reset(NULL);
	config.mover = mover;
	config.pin = pin;
	config.lock = SPM_LOCK_ONLY_IF_MIGRATED;
	s = fake_init(&config);
	run_threads(call_and_release);
	check_counts();
	check_lists();
	if (pin == SPM_PIN_TREE)
		assert_int_equal(s->pins.entries, 0);
	else
		assert_int_equal(spm_total(s).pinned, 0);
	spm_end(s);
}

static void test_runtime(void **state)
{
	(void)state;
	runtime(SPM_MBIND, SPM_PIN_TREE);
	runtime(SPM_MOVE_PAGES, SPM_PIN_TREE);
	runtime(SPM_MBIND, SPM_PIN_NONE);
	runtime(SPM_MOVE_PAGES, SPM_PIN_NONE);
}

/* ---- Linux's own calls, on nodes of this machine */

static unsigned char *memory;

static void *call_linux(void *number)
{
	unsigned seed = 1 + *(unsigned *)number;

	spm_lock(s);
	for (int i = 0; i < 200; i++) {
		struct spm_run run = random_run(&seed);
		long first = (long)(run.first * s->page_bytes);
		long last = (long)(run.end * s->page_bytes) - 1;

		spm_call(s, memory, first, last, 1000000000, 1);
		spm_release(s, memory, first, last);
	}
	spm_unlock(s);
	return NULL;
}

/* Moved or not, allowed or not: no byte changes, and every page is accounted for. */
static void linux_runtime(enum spm_mover mover)
{
	struct spm_config config = fake_eager();
	char message[256];
	struct spm_counts c;

	config.mover = mover;
	config.pin = SPM_PIN_TREE;
	config.lock = SPM_LOCK_NODE_RR;
	s = spm_init(&config, message, sizeof(message));
	if (!s)
		fail_msg("%s", message);
	memory = mmap(NULL, PAGES * s->page_bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(memory, MAP_FAILED);
	for (size_t i = 0; i < PAGES * s->page_bytes; i++)
		memory[i] = (unsigned char)(i * 7 + i / 4096);
	run_threads(call_linux);
	for (size_t i = 0; i < PAGES * s->page_bytes; i++)
		if (memory[i] != (unsigned char)(i * 7 + i / 4096))
			fail_msg("byte %zu has changed", i);
	c = spm_total(s);
	assert_int_equal(c.accepted, THREADS * 200);
	assert_int_equal(c.pages_asked, c.moved + c.there + c.pinned + c.refused);
	munmap(memory, PAGES * s->page_bytes);
	spm_end(s);
}

static void test_linux(void **state)
{
	(void)state;
	linux_runtime(SPM_MBIND);
	linux_runtime(SPM_MOVE_PAGES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_exclusive, fake_reset),
		cmocka_unit_test_setup(test_runtime, fake_reset),
		cmocka_unit_test_setup(test_linux, fake_reset),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("threads", tests, fake_machine, fake_free);
}
