/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chase: its chains visit all places once, each in a cycle of its own; what it refuses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contract/event_times.h"
#include "kernel_stage.h"

#define MAX_PLACES 8192

/* Follows the address at every place of the vector, independently of the kernel: each place must be
 * met exactly once in cycles of `length`. Returns the number of cycles. */
static size_t count_cycles(const struct stage *s, size_t stride, size_t places, size_t length)
{
	static bool met[MAX_PLACES];
	size_t cycles = 0;

	assert_true(places <= MAX_PLACES);
	memset(met, 0, sizeof(met));
	for (size_t i = 0; i < places; i++) {
		size_t at = i, steps = 0;

		/* zero: a place outside all chains */
		if (met[i] || !*(void **)((char *)s->vectors[0].base + i * stride))
			continue;
		do {
			assert_false(met[at]);
			met[at] = true;
			char *next = *(char **)((char *)s->vectors[0].base + at * stride);
			size_t offset = (size_t)(next - (char *)s->vectors[0].base);
			assert_int_equal(offset % stride, 0);
			at = offset / stride;
			assert_true(at < places);
			steps++;
		} while (at != i);
		assert_int_equal(steps, length);
		cycles++;
	}
	return cycles;
}

static void try(size_t bytes, size_t stride, unsigned chains, const char *more)
{
	struct stage s;
	char settings[96];
	/* with places closer than 256 bytes, places that do not fill a block of 256 bytes are left
	 * out */
	const size_t all = bytes / stride,
		     ways = stride < 256 && all >= 16 * 256 / stride ? 256 / stride : 1;
	const size_t places = all / ways * ways, length = places / chains;

	snprintf(settings, sizeof(settings), "stride=%zuB chains=%u %s", stride, chains, more);
	stage_kernel(&s, "chase", settings);
	stage_vector(&s, TYPE_CHAR, 1, bytes);
	stage_setup(&s);
	assert_int_equal(count_cycles(&s, stride, places, length), chains);
	assert_int_equal(s.kernel->run(&s.worker, 1), length * chains);
	assert_null(stage_verify(&s));
	assert_int_equal(s.kernel->run(&s.worker, 3), 3 * length * chains);
	assert_null(stage_verify(&s));
	assert_int_equal(count_cycles(&s, stride, places, length), chains);
	stage_end(&s);
}

static void test_cycles(void **state)
{
	(void)state;
	for (unsigned chains = 1; chains <= 16; chains++) {
		try(64 * 1024, 64, chains, "pages=random");
		try(64 * 1024, 64, chains, "pages=local page=4KiB");
		try(512 * 1024, 64, chains, "pages=local");
		try(64 * 1000 + 7, 64, chains, "");
		try(3 * 4096, 128, chains, "pages=local page=4KiB");
		try(4096, 64, chains, "pages=local");
		try(63 * 64, 64, chains, "");
	}
	try(8192 * 8, 8, 1, "");
	try(128, 64, 1, "");
	try(4096 * 64, 4096, 1, "");
	try(64 * 8192, 64, 1, "pages=local page=8KiB");
}

/* Nearly all steps of a random order leave the page. In a local order all steps stay, except one
 * per page on each of the four ways. */
static void test_pages(void **state)
{
	const size_t pages = 64, lines = 64;

	(void)state;
	for (int local = 0; local <= 1; local++) {
		struct stage s;
		size_t leaves = 0;

		stage_kernel(&s, "chase", local ? "pages=local page=4KiB" : "pages=random");
		stage_vector(&s, TYPE_CHAR, 1, pages * 4096);
		stage_setup(&s);
		for (size_t i = 0; i < pages * lines; i++) {
			uintptr_t at = (uintptr_t)s.vectors[0].base + i * 64;

			leaves += at / 4096 != *(uintptr_t *)at / 4096;
		}
		if (local)
			assert_int_equal(leaves, 4 * pages);
		else
			assert_true(leaves > pages * lines * 9 / 10);
		stage_end(&s);
	}
}

/* Each way through the vector meets one of four lines that are fetched together. */
static void test_neighbours(void **state)
{
	const char *const settings[] = {"", "pages=local page=4KiB", "pages=local"};

	(void)state;
	for (size_t k = 0; k < LENGTH(settings); k++) {
		static unsigned way[MAX_PLACES];
		unsigned sum[4] = {0};
		struct stage s;

		stage_kernel(&s, "chase", settings[k]);
		stage_vector(&s, TYPE_CHAR, 1, (size_t)MAX_PLACES * 64);
		stage_setup(&s);
		char *base = s.vectors[0].base, *at = *(char **)s.worker.own; /* the first place */
		for (size_t i = 0; i < MAX_PLACES; i++, at = *(char **)at)
			way[(at - base) / 64] = (unsigned)(i / (MAX_PLACES / 4));
		for (size_t i = 0; i < MAX_PLACES; i += 4) {
			unsigned met = 0;

			for (size_t j = 0; j < 4; j++)
				met |= 1u << way[i + j];
			assert_int_equal(met, 15);
			sum[way[i]]++;
		}
		/* no way always takes the same one of the four */
		for (size_t j = 0; j < 4; j++)
			assert_true(sum[j] >= MAX_PLACES / 4 / 8 && sum[j] <= MAX_PLACES / 4 / 2);
		stage_end(&s);
	}
}

/* Every page has an order of its own. */
static void test_orders(void **state)
{
	const size_t pages = 128;
	unsigned same = 0;
	struct stage s;

	(void)state;
	stage_kernel(&s, "chase", "pages=local page=4KiB");
	stage_vector(&s, TYPE_CHAR, 1, pages * 4096);
	stage_setup(&s);
	char *base = s.vectors[0].base;
	for (size_t i = 0; i + 4096 < pages * 4096; i += 64) {
		ptrdiff_t here = *(char **)(base + i) - (base + i);
		ptrdiff_t there = *(char **)(base + i + 4096) - (base + i + 4096);

		same += here == there;
	}
	assert_true(same < pages * 64 / 10);
	stage_end(&s);
}

/* No distance between neighbours is so frequent that a prefetcher could exploit it. */
static void test_no_pattern(void **state)
{
	static unsigned count[2 * MAX_PLACES];
	struct stage s;

	(void)state;
	memset(count, 0, sizeof(count));
	stage_kernel(&s, "chase", "");
	stage_vector(&s, TYPE_CHAR, 1, (size_t)MAX_PLACES * 64);
	stage_setup(&s);
	for (size_t i = 0; i < MAX_PLACES; i++) {
		char *at = (char *)s.vectors[0].base + i * 64;
		ptrdiff_t lines = (*(char **)at - at) / 64;

		if (++count[lines + MAX_PLACES] > MAX_PLACES / 100)
			fail_msg("a step of %td lines stands more than %d times", lines,
				MAX_PLACES / 100);
	}
	stage_end(&s);
}

static void test_verify(void **state)
{
	struct stage s;

	(void)state;
	stage_kernel(&s, "chase", "chains=2");
	stage_vector(&s, TYPE_CHAR, 1, 4096);
	stage_setup(&s);
	/* a cycle that misses a place */
	void **at = s.vectors[0].base;
	*at = **(void ***)at;
	s.kernel->run(&s.worker, 1);
	assert_non_null(stage_verify(&s));
	assert_non_null(strstr(s.why, "did not end where it began"));
	stage_end(&s);
}

/* One load of each group is timed, each place of the group as likely as the others, and the chain
 * goes on as without. */
static void test_events(void **state)
{
	static struct event_times e;
	struct stage s;

	(void)state;
	e = (struct event_times){.group = 8, .random = 99};
	stage_kernel(&s, "chase", "");
	stage_vector(&s, TYPE_CHAR, 1, (size_t)MAX_PLACES * 64);
	stage_setup(&s);
	s.worker.events = &e;
	events_init(&e);
	events_begin(&e);
	events_start(&e);
	assert_int_equal(s.kernel->events->run(&s.worker, 3), 3 * MAX_PLACES);
	assert_true(e.until < 16);
	events_end(&e);
	assert_int_equal(e.kept.n + e.apart.n, 3 * MAX_PLACES / 8);
	assert_int_equal(e.blocks, 3 * MAX_PLACES / 8 / EVENTS_BLOCK);
	assert_null(stage_verify(&s));
	/* a remainder of a group is done, too */
	assert_int_equal(s.kernel->run(&s.worker, 1), MAX_PLACES);
	assert_null(stage_verify(&s));
	stage_end(&s);

	unsigned drawn[8] = {0};

	for (int i = 0; i < 80000; i++) {
		const uint64_t last = e.drawn;

		events_draw(&e);
		assert_int_equal(e.until, 7 - last + e.drawn);
		drawn[e.drawn]++;
	}
	for (int i = 0; i < 8; i++)
		assert_true(drawn[i] > 9500 && drawn[i] < 10500);
}

static void test_refused(void **state)
{
	static const struct {
		const char *settings;
		size_t bytes;
		const char *why; /* NULL: accepted */
	} cases[] = {
		{"chains=16", 2048, NULL},
		{"chains=16", 2047,
			"chains = 16 cannot be met: the vector has 31 places, and a chain needs "
			"two; a larger sizePerVector, a smaller stride, or fewer chains"},
		{"chains=1", 127,
			"chains = 1 cannot be met: the vector has 1 place, and a chain needs two; "
			"a larger sizePerVector, or a smaller stride"},
		{"stride=12B", 4096, "stride = 12B is not a multiple of the 8 bytes of an address"},
		{"stride=12", 4096, "stride = 12B is not a multiple of the 8 bytes of an address"},
		{"pages=local stride=96B", 524288,
			"page = 262144B is not a multiple of stride = 96B; give page as a multiple "
			"of "
			"stride"},
		{"pages=local page=8KiB", 8191, NULL},
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		struct stage s;

		stage_kernel(&s, "chase", cases[i].settings);
		stage_vector(&s, TYPE_CHAR, 1, cases[i].bytes);
		stage_expect(&s, i, cases[i].why);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("the chains are cycles of one length through all places", test_cycles),
		TEST("pages are left at nearly every step, or only when all of their lines were "
		     "visited",
			test_pages),
		TEST("lines that are fetched together are met on different ways", test_neighbours),
		TEST("every page has an order of its own", test_orders),
		TEST("the steps have no pattern", test_no_pattern),
		TEST("verify() finds a cycle that is too short", test_verify),
		TEST("single loads are timed at random in each group", test_events),
		TEST("strides and chains that do not fit are refused", test_refused),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
