/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fork() while other threads are in calls: the child is never left with their locks, and begins
 * with its own thread alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "fake.h"

enum { THREADS = 4, FORKS = 400, PAGES = 64 };

/* Seconds that a child may take: only one that waits for ever does. */
#define LIMIT 60

static struct spm *s;
static char *memory;
static atomic_bool over;

static int begin(void **state)
{
	struct spm_config config = fake_eager();
	char message[256];

	(void)state;
	config.pin = SPM_PIN_TREE;
	s = spm_init(&config, message, sizeof(message));
	memory = mmap(NULL, (size_t)PAGES << 16, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	over = false;
	return s && memory != MAP_FAILED ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	spm_end(s);
	return munmap(memory, (size_t)PAGES << 16);
}

static enum spm_answer call(size_t first, size_t last)
{
	const ptrdiff_t page = (ptrdiff_t)s->page_bytes;

	return spm_call(s, memory, (ptrdiff_t)first * page, (ptrdiff_t)last * page - 1, 1 << 30, 8);
}

static void release(size_t first, size_t last)
{
	const ptrdiff_t page = (ptrdiff_t)s->page_bytes;

	spm_release(s, memory, (ptrdiff_t)first * page, (ptrdiff_t)last * page - 1);
}

static void *use_locks(void *number)
{
	const size_t first = 4 * *(size_t *)number;

	while (!over) {
		call(first, first + 2);
		release(first, first + 1);
		spm_total(s);
	}
	return NULL;
}

/* What the first call of the child's thread finds, after those of the other threads. */
static int look(void)
{
	if (spm_total(s).calls || s->pins.entries)
		return 1;
	if (call(0, PAGES) == SPM_PINNED || spm_total(s).calls != 1 || s->pins.entries != 1)
		return 2;
	return spm_own_counts(s).thread != getpid();
}

static int status_of_child(int (*work)(void))
{
	int status = -1;
	pid_t child = fork();

	if (!child) {
		alarm(LIMIT);
		_exit(work());
	}
	assert_true(child > 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

static void no_child_waits_for_a_thread_that_it_has_not(void **state)
{
	static size_t numbers[THREADS];
	pthread_t threads[THREADS];
	int status = 0;

	(void)state;
	for (size_t i = 0; i < THREADS; i++) {
		numbers[i] = i;
		assert_int_equal(pthread_create(&threads[i], NULL, use_locks, &numbers[i]), 0);
	}
	for (int i = 0; i < FORKS && !status; i++)
		status = status_of_child(look);
	over = true;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(status, 0);
}

static int go_on(void)
{
	if (s->pins.entries != 1 || spm_own_counts(s).calls || call(2, 4) != SPM_DONE)
		return 1;
	release(0, 4);
	return s->pins.entries || spm_own_counts(s).calls != 1;
}

static void the_thread_that_forks_has_its_pins_in_the_child_and_counts_anew(void **state)
{
	(void)state;
	call(0, 2);
	assert_int_equal(status_of_child(go_on), 0);
	assert_int_equal(spm_own_counts(s).calls, 1);
	assert_int_equal(s->pins.entries, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			no_child_waits_for_a_thread_that_it_has_not, begin, end),
		cmocka_unit_test_setup_teardown(
			the_thread_that_forks_has_its_pins_in_the_child_and_counts_anew, begin,
			end),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("fork", tests, NULL, NULL);
}
