/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every item is worked on once, however few threads there are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sched.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <time.h>

#include "base/linux.h"
#include "affinity-frag/crew.h"

enum { ITEMS = 1000 };

struct tally {
	atomic_int times[ITEMS], at_once, most;
};

static void count(void *arg, int item)
{
	struct tally *t = arg;
	int now = atomic_fetch_add(&t->at_once, 1) + 1, most = t->most;

	while (most < now && !atomic_compare_exchange_weak(&t->most, &most, now))
		;
	nanosleep(&(struct timespec){0, 10000}, NULL);
	atomic_fetch_add(&t->times[item], 1);
	atomic_fetch_sub(&t->at_once, 1);
}

static void works(int items, int most)
{
	static struct tally t;

	t = (struct tally){0};
	crew_work(items, count, &t);
	for (int i = 0; i < ITEMS; i++)
		assert_int_equal(t.times[i], i < items);
	assert_true(t.most <= most);
}

/* No room for the stack of a thread: before the others, as the C library keeps stacks. */
static void test_no_threads(void **state)
{
	struct rlimit before, none;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
	none = (struct rlimit){1 << 20, before.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_AS, &none), 0);
	works(20, 1);
	assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
}

static void test_items(void **state)
{
	(void)state;
	works(ITEMS, CREW_MOST);
	works(3, 3);
	works(1, 1);
	works(0, 0);
}

static void test_one_cpu(void **state)
{
	unsigned long all[LINUX_MASK_WORDS] = {0}, one[LINUX_MASK_WORDS] = {0};

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(all), (cpu_set_t *)all), 0);
	CPU_SET_S((size_t)sched_getcpu(), sizeof(one), (cpu_set_t *)one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), (cpu_set_t *)one), 0);
	works(20, 1);
	sched_setaffinity(0, sizeof(all), (cpu_set_t *)all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_threads),
		cmocka_unit_test(test_items),
		cmocka_unit_test(test_one_cpu),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
