/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The handler of SIGSEGV that moves pages: whose faults it takes, and which it passes on. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

#include "crew.h"
#include "migration/protect.h"
#include "touch_stage.h"

static void scene_begin(struct scene *s)
{
	scene_map(s, MADV_NOHUGEPAGE);
	s->protect = protect_make(&s->pages);
	assert_non_null(s->protect);
}

static void scene_end(struct scene *s)
{
	protect_free(s->protect);
	scene_unmap(s);
}

static void test_touches(void **state)
{
	struct scene s;

	(void)state;
	scene_begin(&s);
	for (int sample = 0; sample < 2; sample++) {
		assert_int_equal(protect_arm(s.protect), 0);
		*(volatile char *)(s.base + 3 * MIB);
		assert_int_equal(protect_touched(s.protect), 1);
		*(volatile char *)(s.base + 3 * MIB + 4096) = 7; /* of the same unit */
		*(volatile char *)(s.base + 3 * MIB + 4096) = 0;
		assert_int_equal(protect_touched(s.protect), 1);
		*(volatile char *)s.base;
		*(volatile char *)(s.base + s.bytes - 1);
		assert_int_equal(protect_touched(s.protect), 3);
		assert_int_equal(protect_disarm(s.protect), 0);
		*(volatile char *)(s.base + 5 * MIB);
		assert_int_equal(protect_touched(s.protect), 3);
		assert_int_equal(protect_missed(s.protect), 0);
	}
	scene_end(&s);
}

static void test_races(void **state)
{
	struct scene s;

	(void)state;
	scene_begin(&s);
	for (int sample = 0; sample < 50; sample++) {
		assert_int_equal(protect_arm(s.protect), 0);
		scene_race(&s);
		assert_int_equal(protect_touched(s.protect) + protect_missed(s.protect), s.units);
		assert_int_equal(protect_disarm(s.protect), 0);
	}
	scene_end(&s);
}

static void test_others(void **state)
{
	struct scene s;

	(void)state;
	scene_handle(SIGSEGV);
	scene_begin(&s);
	assert_int_equal(protect_arm(s.protect), 0);
	char *beside = s.base + s.bytes;

	assert_int_equal(mprotect(beside, 4096, PROT_NONE), 0);
	scene_expect_former(beside);
	munmap(s.mapping, 4096);
	scene_expect_former(s.mapping);
	assert_int_equal(protect_disarm(s.protect), 0);
	assert_int_equal(mprotect(s.base, s.bytes, PROT_NONE), 0);
	scene_expect_former(s.base + 4096);
	scene_end(&s);
}

static void test_many(void **state)
{
	struct protect *made[100];
	struct scene s;
	int n = 0;

	(void)state;
	scene_begin(&s);
	while (n < 100 && (made[n] = protect_make(&s.pages)))
		n++;
	assert_int_equal(n, 63); /* and the scene's */
	while (n)
		protect_free(made[--n]);
	struct protect *again = protect_make(&s.pages);

	assert_non_null(again);
	protect_free(again);
	scene_end(&s);
}

/* Mappings until there can be no more. */
static size_t use_up(char *base, size_t most)
{
	size_t made = 0;

	while (made < most && !mprotect(base + made * 8192, 4096, PROT_READ))
		made++;
	return made;
}

static void test_mappings(void **state)
{
	FILE *f = fopen("/proc/sys/vm/max_map_count", "r");
	unsigned long most = 0;
	struct scene s;

	(void)state;
	if (f && fscanf(f, "%lu", &most) != 1)
		most = 0;
	if (f)
		fclose(f);
	if (!most || most > 200000 || sysconf(_SC_PAGESIZE) != 4096)
		skip();
	scene_begin(&s);
	char *base = mmap(
		NULL, most * 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	assert_ptr_not_equal(base, MAP_FAILED);
	assert_int_equal(protect_arm(s.protect), 0);
	const bool full = use_up(base, most) < most;

	*(volatile char *)(s.base + 5 * MIB); /* in the middle: two mappings more */
	void *wrong = scene_read(&s);

	munmap(base, most * 8192);
	assert_true(full);
	assert_null(wrong);
	assert_int_equal(protect_touched(s.protect) + protect_missed(s.protect), s.units);
	assert_true(protect_missed(s.protect) > 0);
	scene_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("the first touch of a unit opens it, in each sample", test_touches),
		TEST("threads that touch the same units find their content", test_races),
		TEST("faults elsewhere are the former handler's", test_others),
		TEST("vectors are entered and left, up to 64", test_many),
		TEST("where mappings run out all is opened, and told", test_mappings),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
