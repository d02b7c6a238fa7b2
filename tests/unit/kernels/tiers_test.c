/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gups_tiers and chase_tiers: which share of their accesses is hot, their results, and what they
 * refuse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "kernel_stage.h"

enum { BLOCK = 256 };

static void begin(struct stage *s, const char *id, const char *settings, size_t hot, size_t cold)
{
	stage_kernel(s, id, settings);
	stage_vector(s, TYPE_LONG, 8, hot);
	stage_vector(s, TYPE_LONG, 8, cold);
}

/* Elements that were updated: all but the few that were so twice with the same bits. */
static size_t changed(const struct vector *v)
{
	size_t n = 0;

	for (size_t i = 0; i < v->elements; i++)
		n += ((const uint64_t *)v->base)[i] != i;
	return n;
}

static void test_gups_share(void **state)
{
	static const struct {
		const char *settings;
		size_t hot, cold, least[2], most[2];
	} cases[] = {
		/* of n places u updates leave exp(-u / n) */
		{"hot_share=0", 4000, 6000, {0, 4800}, {0, 4950}},
		{"hot_share=100%", 4000, 6000, {3630, 0}, {3720, 0}},
		{"hot_share=50%", 4000, 6000, {2800, 3300}, {2910, 3490}},
		{"", 1000, 100000, {999, 9400}, {1000, 9800}},
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		struct stage s;

		begin(&s, "gups_tiers", cases[i].settings, cases[i].hot, cases[i].cold);
		stage_setup(&s);
		assert_int_equal(s.kernel->run(&s.worker, 1), cases[i].hot + cases[i].cold);
		for (int k = 0; k < 2; k++) {
			assert_true(changed(&s.vectors[k]) >= cases[i].least[k]);
			assert_true(changed(&s.vectors[k]) <= cases[i].most[k]);
		}
		assert_null(stage_verify(&s));
		assert_int_equal(changed(&s.vectors[0]) + changed(&s.vectors[1]), 0);
		((uint64_t *)s.vectors[1].base)[7] ^= 1;
		assert_non_null(stage_verify(&s));
		stage_end(&s);
	}
}

/* Follows the addresses of a round: visits[k] of vector k, each place once. */
static void follow(struct stage *s, size_t places, size_t visits[2])
{
	void **const *own = s->worker.own, **first = own[0], **p = first;

	visits[0] = visits[1] = 0;
	for (size_t i = 0; i < places; i++) {
		void **next = *p;
		const char *base = s->vectors[0].base;
		const int k = !((char *)p >= base && (char *)p < base + s->vectors[0].elements * 8);

		visits[k]++;
		*p = NULL; /* a place that is visited again ends the way */
		assert_int_equal((uintptr_t)p % 64, 0);
		p = next;
		assert_non_null(p);
	}
	assert_ptr_equal(p, first);
}

static void test_chase_share(void **state)
{
	static const struct {
		const char *settings;
		size_t hot, cold, visits[2];
	} cases[] = {
		{"hot_share=0", 100, 50, {0, 200}},
		{"hot_share=1", 100, 50, {400, 0}},
		{"hot_share=50%", 100, 50, {200, 200}},
		{"hot_share=50%", 50, 1000, {200, 200}},
		{"", 90, 1000, {360, 40}},
		{"hot_share=75%", 3, 1, {12, 4}},
		{"hot_share=90%", 200000, 100000, {800000, 88888}},
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		const size_t places = cases[i].visits[0] + cases[i].visits[1];
		struct stage s;
		size_t visits[2];

		begin(&s, "chase_tiers", cases[i].settings, cases[i].hot * BLOCK / 8,
			cases[i].cold * BLOCK / 8);
		assert_null(stage_check(&s));
		stage_setup(&s);
		assert_int_equal(s.kernel->run(&s.worker, 2), 2 * places);
		assert_null(stage_verify(&s));
		follow(&s, places, visits);
		assert_int_equal(visits[0], cases[i].visits[0]);
		assert_int_equal(visits[1], cases[i].visits[1]);
		stage_end(&s);
	}
}

/* In the middle of a round verify() goes on to its end. */
static void test_chase_loads(void **state)
{
	struct stage s;

	(void)state;
	begin(&s, "chase_tiers", "hot_share=50% loads=7", 100 * BLOCK / 8, 100 * BLOCK / 8);
	stage_setup(&s);
	assert_int_equal(s.kernel->run(&s.worker, 3), 21);
	assert_null(stage_verify(&s));
	**(void ***)s.worker.own = *(void **)s.worker.own; /* it points to itself */
	assert_string_equal(stage_verify(&s), "the loads did not end where they began");
	stage_end(&s);
}

/* Hot and cold ones come mixed, and in an order that has no pattern. */
static void test_chase_mixes(void **state)
{
	enum { PLACES = 2000 };
	struct stage s;
	size_t turns = 0, nearer = 0;

	(void)state;
	begin(&s, "chase_tiers", "hot_share=50%", PLACES / 8 * BLOCK / 8, PLACES / 8 * BLOCK / 8);
	stage_setup(&s);
	const char *p = *(char **)s.worker.own, *base = s.vectors[0].base;

	for (size_t i = 0; i < PLACES; i++) {
		const char *next = *(char *const *)(const void *)p;
		const bool hot = p >= base && p < base + s.vectors[0].elements * 8,
			   next_hot = next >= base && next < base + s.vectors[0].elements * 8;

		turns += hot != next_hot;
		nearer += hot == next_hot && next > p && next - p < 1024;
		p = next;
	}
	assert_true(turns > PLACES * 45 / 100 && turns < PLACES * 55 / 100);
	assert_true(nearer < PLACES / 100);
	stage_end(&s);
}

static void test_refused(void **state)
{
	static const struct {
		const char *id;
		int nvectors;
		size_t words[3];
		const char *why;
	} cases[] = {
		{"gups_tiers", 3, {512, 512, 512},
			"it takes two vectors of each thread, a hot one and a cold one; not 3"},
		{"chase_tiers", 1, {512},
			"it takes two vectors of each thread, a hot one and a cold one; not 1"},
		{"chase_tiers", 2, {31, 512}, "its vectors must have 256 bytes at least"},
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		struct stage s;

		stage_kernel(&s, cases[i].id, "");
		for (int k = 0; k < cases[i].nvectors; k++)
			stage_vector(&s, TYPE_LONG, 8, cases[i].words[k]);
		assert_non_null(stage_check(&s));
		assert_string_equal(s.why, cases[i].why);
		stage_end(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("as many updates are of the hot vector as its share says, and two rounds "
		     "restore both",
			test_gups_share),
		TEST("as many loads are of the hot vector as its share says, and no place is "
		     "visited twice",
			test_chase_share),
		TEST("loads that end within a round are verified", test_chase_loads),
		TEST("hot and cold loads come mixed", test_chase_mixes),
		TEST("vectors that do not fit are refused", test_refused),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
