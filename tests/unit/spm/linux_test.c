/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runtime with this machine's kernel, whose pages may all be on one node. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "spm/runtime.h"

enum { PAGES = 64 };

static struct spm *s;
static char *memory;

static int begin(void **state)
{
	(void)state;
	memory = mmap(NULL, PAGES * (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return memory == MAP_FAILED ? -1 : 0;
}

static int end(void **state)
{
	(void)state;
	spm_end(s);
	s = NULL;
	munmap(memory, PAGES * (size_t)sysconf(_SC_PAGESIZE));
	return 0;
}

static void start(enum spm_mover mover)
{
	struct spm_config c;
	char message[256];

	spm_config_default(&c);
	c.reuse_threshold = 0;
	c.size_test = false;
	c.mover = mover;
	spm_end(s);
	s = spm_init(&c, message, sizeof(message));
	if (!s)
		fail_msg("%s", message);
}

static enum spm_answer call(size_t first, size_t pages)
{
	return spm_call(s, memory, (ptrdiff_t)(first * s->page_bytes),
		(ptrdiff_t)((first + pages) * s->page_bytes) - 1, 1000000, 1);
}

/* Containers often forbid mbind() and move_pages(). */
static bool forbidden(void)
{
	int status;
	void *page = (void *)((uintptr_t)memory);

	if (spm_linux.move(1, &page, NULL, &status) >= 0)
		return false;
	fprintf(stderr, "# skipped: move_pages: %s\n", strerror(errno));
	return true;
}

static const enum spm_mover movers[] = {SPM_MBIND, SPM_MOVE_PAGES};

static void test_written(void **state)
{
	(void)state;
	memset(memory, 1, PAGES * (size_t)sysconf(_SC_PAGESIZE));
	for (int i = 0; i < 2 && !forbidden(); i++) {
		struct spm_counts c;

		start(movers[i]);
		assert_int_equal(call(8, 40), SPM_DONE);
		c = spm_total(s);
		assert_int_equal(c.pages_asked, 40);
		assert_int_equal(c.moved + c.there, 40);
		assert_int_equal(call(8, 40), SPM_DONE);
		assert_int_equal(spm_total(s).moved, c.moved); /* now they are there */
	}
}

/* Never written, and only read: nothing to move, nothing refused. */
static void test_unwritten(void **state)
{
	(void)state;
	assert_int_equal(*(volatile char *)memory, 0);
	for (int i = 0; i < 2 && !forbidden(); i++) {
		start(movers[i]);
		assert_int_equal(call(0, PAGES), SPM_DONE);
		assert_int_equal(spm_total(s).there, PAGES);
	}
}

/* Not mapped, in part and all of it. */
static void test_unmapped(void **state)
{
	(void)state;
	memset(memory, 1, PAGES * (size_t)sysconf(_SC_PAGESIZE));
	munmap(memory + 10 * sysconf(_SC_PAGESIZE), 5 * (size_t)sysconf(_SC_PAGESIZE));
	for (int i = 0; i < 2 && !forbidden(); i++) {
		start(movers[i]);
		assert_int_equal(call(8, 40), SPM_DONE);
		assert_int_equal(spm_total(s).pages_asked, 40);
		assert_int_equal(spm_total(s).refused, 0);
		assert_int_equal(call(10, 5), SPM_DONE);
		assert_int_equal(spm_call(s, NULL, 0, 1 << 20, 1 << 30, 8), SPM_DONE);
	}
}

static void test_read_only(void **state)
{
	(void)state;
	memset(memory, 1, PAGES * (size_t)sysconf(_SC_PAGESIZE));
	mprotect(memory, PAGES * (size_t)sysconf(_SC_PAGESIZE), PROT_READ);
	for (int i = 0; i < 2 && !forbidden(); i++) {
		start(movers[i]);
		assert_int_equal(call(0, PAGES), SPM_DONE);
	}
}

/* All nodes and CPUs are this machine's, and a lock holds. */
static void test_lock(void **state)
{
	struct spm_config c;
	struct spm_cpus before, locked, after;
	char message[256];

	(void)state;
	spm_config_default(&c);
	c.size_test = false;
	c.lock = SPM_LOCK_NODE_CURRENT;
	s = spm_init(&c, message, sizeof(message));
	assert_non_null(s);
	assert_true(s->machine.nnodes >= 1);
	assert_int_equal(spm_linux.get_cpus(&before), 0);
	assert_int_equal(spm_lock(s), 0);
	assert_int_equal(spm_linux.get_cpus(&locked), 0);
	for (size_t cpu = 0; cpu < SPM_CPUS; cpu++)
		assert_true(!spm_cpus_has(&locked, cpu) || spm_cpus_has(&before, cpu));
	assert_int_equal(spm_unlock(s), 0);
	assert_int_equal(spm_linux.get_cpus(&after), 0);
	assert_memory_equal(&before, &after, sizeof(before));
}

#define TEST(text, function)                                                                   \
	{                                                                                      \
		.name = text, .test_func = function, .setup_func = begin, .teardown_func = end \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("written pages are on the caller's node afterwards", test_written),
		TEST("pages that were never written need no move", test_unwritten),
		TEST("ranges that are not mapped do no harm", test_unmapped),
		TEST("pages that may only be read can move", test_read_only),
		TEST("a lock uses only CPUs that the thread had", test_lock),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("linux", tests, NULL, NULL);
}
