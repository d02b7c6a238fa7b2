/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages that NUMA balancing watches, on a kernel that denies them until they are read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>
#include <sys/mman.h>

#include "contract/hidden_pages.h"

static int read_by_kernel(void *at, size_t bytes, int advice);

#define madvise read_by_kernel
#include "contract/hidden_pages.c"
#undef madvise

enum { PAGES = 1500, FEW = 7 };

static struct kernel_61 {
	char *memory;
	size_t page;
	bool read[PAGES]; /* since it was touched */
	int hidden_again; /* so many reads are in vain: the next scan came */
	int reads, asked;
	int policy;        /* in the last read; -1: none yet */
	bool touched_only; /* pages that were never touched are denied, others not */
} os;

static size_t number_of(const void *at)
{
	return (size_t)((const char *)at - os.memory) / os.page;
}

static int read_by_kernel(void *at, size_t bytes, int advice)
{
	assert_int_equal(bytes, os.page);
	assert_int_equal(advice, MADV_POPULATE_READ);
	assert_int_equal(syscall(SYS_get_mempolicy, &os.policy, NULL, 0UL, NULL, 0UL), 0);
	os.read[number_of(at)] = os.hidden_again-- <= 0;
	os.reads++;
	return 0;
}

/* Every second page was touched; the first FEW of these were never denied. */
static bool is_touched(size_t i)
{
	return i % 2 == 0;
}

static int deny(size_t n, void **pages, int *status)
{
	os.asked++;
	for (size_t i = 0; i < n; i++) {
		const size_t at = number_of(pages[i]);
		const bool seen = os.touched_only || at < FEW || os.read[at];

		status[i] = is_touched(at) && seen ? 3 : -ENOENT;
	}
	return 0;
}

static void *pages[PAGES];
static int status[PAGES];

static int begin(void **state)
{
	(void)state;
	os = (struct kernel_61){.page = (size_t)sysconf(_SC_PAGESIZE), .policy = -1};
	os.memory = mmap(
		NULL, PAGES * os.page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (os.memory == MAP_FAILED)
		return -1;
	madvise(os.memory, PAGES * os.page, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < PAGES; i++) {
		pages[i] = os.memory + i * os.page;
		if (is_touched(i))
			*(char *)pages[i] = 1;
	}
	return 0;
}

static int end(void **state)
{
	(void)state;
	return munmap(os.memory, PAGES * os.page);
}

/* Containers may forbid them. */
static void need_policies(void)
{
	int mode;

	if (syscall(SYS_get_mempolicy, &mode, NULL, 0UL, NULL, 0UL) ||
		syscall(SYS_set_mempolicy, MPOL_DEFAULT, NULL, 0UL))
		skip();
}

static void all_are_found(void)
{
	for (size_t i = 0; i < PAGES; i++)
		assert_int_equal(status[i], is_touched(number_of(pages[i])) ? 3 : -ENOENT);
}

static void denied_pages_are_read_and_found_and_absent_ones_left_alone(void **state)
{
	int mode = -1;

	(void)state;
	need_policies();
	assert_int_equal(hidden_pages_find(deny, PAGES, pages, status), 0);
	all_are_found();
	assert_int_equal(os.asked, 2);
	assert_int_equal(os.reads, (PAGES + 1) / 2 - (FEW + 1) / 2);
	/* with a policy none of them moves, and the thread has none afterwards */
	assert_true(os.policy == MPOL_PREFERRED || os.policy == MPOL_LOCAL);
	assert_int_equal(syscall(SYS_get_mempolicy, &mode, NULL, 0UL, NULL, 0UL), 0);
	assert_int_equal(mode, MPOL_DEFAULT);
}

static void pages_in_any_order_are_found(void **state)
{
	(void)state;
	need_policies();
	for (size_t i = 0; i < PAGES / 2; i++) {
		void *other = pages[PAGES - 1 - i];

		pages[PAGES - 1 - i] = pages[i];
		pages[i] = other;
	}
	assert_int_equal(hidden_pages_find(deny, PAGES, pages, status), 0);
	all_are_found();
}

static void where_none_is_hidden_nothing_is_read(void **state)
{
	(void)state;
	os.touched_only = true;
	assert_int_equal(hidden_pages_find(deny, PAGES, pages, status), 0);
	all_are_found();
	assert_int_equal(os.asked, 1);
	assert_int_equal(os.reads, 0);
}

static void pages_that_are_hidden_again_are_read_again_but_not_for_ever(void **state)
{
	(void)state;
	need_policies();
	os.hidden_again = 2;
	assert_int_equal(hidden_pages_find(deny, PAGES, pages, status), 0);
	all_are_found();
	assert_int_equal(os.asked, 3);
	memset(os.read, 0, sizeof(os.read));
	os.asked = 0;
	os.hidden_again = 1000000;
	assert_int_equal(hidden_pages_find(deny, PAGES, pages, status), 0);
	assert_int_equal(status[FEW + 1], -ENOENT);
	assert_int_equal(os.asked, 1 + TRIES);
}

static int refuse(size_t n, void **at, int *told)
{
	(void)n, (void)at, (void)told;
	errno = EPERM;
	return -1;
}

static void a_refusal_is_passed_on(void **state)
{
	(void)state;
	assert_int_equal(hidden_pages_find(refuse, PAGES, pages, status), -1);
	assert_int_equal(errno, EPERM);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(denied_pages_are_read_and_found_and_absent_ones_left_alone),
		TEST(pages_in_any_order_are_found),
		TEST(where_none_is_hidden_nothing_is_read),
		TEST(pages_that_are_hidden_again_are_read_again_but_not_for_ever),
		TEST(a_refusal_is_passed_on),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
