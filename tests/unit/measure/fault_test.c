/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program survives and reports faults of a kernel, and detects rates that no core can reach. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "measure/fault.h"
#include "measure/plausible.h"

/* Pages of a vector, and one page before and one after it that nothing may access. */
struct guarded {
	char *map;
	size_t page;
	struct vector vector;
	struct worker worker;
};

static void guarded_begin(struct guarded *g)
{
	g->page = (size_t)sysconf(_SC_PAGESIZE);
	g->map = mmap(NULL, 3 * g->page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(g->map, MAP_FAILED);
	assert_int_equal(mprotect(g->map + g->page, g->page, PROT_READ | PROT_WRITE), 0);
	g->vector =
		(struct vector){.base = g->map + g->page, .elements = g->page, .element_size = 1};
	g->worker = (struct worker){.workers = 1, .vectors = &g->vector, .nvectors = 1};
}

/* The text of the fault that a store to `at` causes; "" if it causes none. */
static const char *store(const struct guarded *g, char *at, char *text, size_t n)
{
	static const int ids[] = {7};
	struct fault fault;

	text[0] = '\0';
	fault_arm(&fault);
	if (sigsetjmp(fault.at, 0) == 0)
		*(volatile char *)at = 1;
	else
		fault_text(&fault, &g->worker, ids, text, n);
	fault_disarm();
	return text;
}

static void check_texts(void)
{
	struct guarded g;
	char text[200], expected[200];

	guarded_begin(&g);
	char *base = g.vector.base, *end = base + g.page;

	assert_string_equal(store(&g, base, text, sizeof(text)), "");
	assert_string_equal(store(&g, end - 1, text, sizeof(text)), "");
	snprintf(expected, sizeof(expected),
		"SIGSEGV 1 byte after the end of vector 7, which has %zu bytes", g.page);
	assert_string_equal(store(&g, end, text, sizeof(text)), expected);
	snprintf(expected, sizeof(expected),
		"SIGSEGV 24 bytes after the end of vector 7, which has %zu bytes", g.page);
	assert_string_equal(store(&g, end + 23, text, sizeof(text)), expected);
	snprintf(expected, sizeof(expected),
		"SIGSEGV 1 byte before the beginning of vector 7, which has %zu bytes", g.page);
	assert_string_equal(store(&g, base - 1, text, sizeof(text)), expected);
	assert_string_equal(store(&g, (char *)(uintptr_t)16, text, sizeof(text)),
		"SIGSEGV at address 0x10, in none of its vectors");
	munmap(g.map, 3 * g.page);
}

static void *store_in_thread(void *arg)
{
	struct guarded *g = arg;
	static char text[200];

	return (void *)store(g, (char *)g->vector.base - 1, text, sizeof(text));
}

/* Faults repeat in any thread: the signal does not stay blocked. */
static void check_threads(void)
{
	struct guarded g;
	char text[200];

	guarded_begin(&g);
	for (int i = 0; i < 3; i++) {
		pthread_t thread;
		void *told;

		assert_int_equal(pthread_create(&thread, NULL, store_in_thread, &g), 0);
		pthread_join(thread, &told);
		assert_non_null(strstr(told, "1 byte before"));
		assert_non_null(strstr(
			store(&g, (char *)g.vector.base - 1, text, sizeof(text)), "1 byte before"));
	}
	munmap(g.map, 3 * g.page);
}

/* A single test: cmocka installs its own handlers of these signals at the beginning of each
 * test. */
static void test_faults(void **state)
{
	(void)state;
	check_texts();
	check_threads();
}

static bool waits_for_each_load(const struct worker *w)
{
	(void)w;
	return true;
}

/* hz: of the core before and after the sample; 0: not measured. */
struct rate {
	struct kernel kernel;
	uint64_t units, ns;
	double before_hz, after_hz;
	bool possible;
};

static struct thread_sample sample_of(const struct rate *r)
{
	struct thread_sample t = {.end_ns = r->ns,
		.units = r->units,
		.before = CLOCK_RATE_NONE,
		.after = CLOCK_RATE_NONE};

	if (r->before_hz > 0) {
		t.before.hz = r->before_hz;
		t.after.hz = r->after_hz;
	}
	return t;
}

static void test_rates(void **state)
{
	const struct kernel byte = {.unit = "byte", .per_unit = {.bytes = 1}},
			    triad = {.unit = "element", .per_unit = {.bytes = 24}},
			    load = {.unit = "load", .per_unit = {.loads = 1}},
			    chase = {.unit = "access", .accesses.latency = waits_for_each_load},
			    add = {.unit = "add"}, fp_add = {.unit = "add", .per_cycle = 4},
			    null = {.unit = "call", .nothing = true};
	const struct rate rates[] = {
		{byte, 2000000, 1000, 0, 0, true},
		{byte, 2001000, 1000, 0, 0, false},
		{triad, 83333, 1000, 0, 0, true},
		{triad, 83334, 1000, 0, 0, false},
		{load, 16 << 20, 30, 0, 0, false},
		{add, 3000, 1, 0, 0, false},
		{add, 1, 0, 0, 0, false},
		{add, 0, 0, 0, 0, true},
		{null, UINT64_MAX, 0, 0, 0, true},
		/* each waits for the one before: a cycle of the fastest clock there is */
		{chase, 6250, 1000, 0, 0, true},
		{chase, 6251, 1000, 0, 0, false},
		{fp_add, 25000, 1000, 0, 0, true},
		{fp_add, 25001, 1000, 0, 0, false},
		/* after a sleep the clock is low beside a sample in which it was high */
		{fp_add, 25000, 1000, 1e9, 1e9, true},
		/* nor is a clock believed that no core has */
		{fp_add, 25001, 1000, 9e9, 9e9, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rates) / sizeof(*rates); i++) {
		const struct thread_sample t = sample_of(&rates[i]);
		char why[200];

		if (!plausible_rate(&rates[i].kernel, NULL, &t, why, sizeof(why)) !=
			rates[i].possible)
			fail_msg("%zu: %d", i, rates[i].possible);
	}
}

static void test_rate_text(void **state)
{
	const struct kernel byte = {.unit = "byte", .per_unit = {.bytes = 1}},
			    add = {.unit = "add"};
	const struct thread_sample many = {.units = 2001000, .end_ns = 1000}, one = {.units = 1};
	char why[200];

	(void)state;
	assert_string_equal(plausible_rate(&byte, NULL, &many, why, sizeof(why)),
		"it says that it did 2001000 bytes in 1000 ns, which no core can; did the compiler "
		"remove the loop?");
	assert_string_equal(plausible_rate(&add, NULL, &one, why, sizeof(why)),
		"it says that it did 1 add in 0 ns, which no core can; did the compiler remove the "
		"loop?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{"a fault is told by the vector that it missed, again and again, in every thread",
			test_faults, NULL, NULL, NULL},
		{"a rate is refused that no core reaches, but of the kernel that "
		 "does nothing",
			test_rates, NULL, NULL, NULL},
		{"a rate that no core reaches is told with its units and its time", test_rate_text,
			NULL, NULL, NULL},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
