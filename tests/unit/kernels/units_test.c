/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of execution units: what they compute, where they load and store, what they refuse.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "input/param.h"
#include "input/registry.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* Bytes around a vector that no kernel may access. */
#define GUARD      64
#define GUARD_BYTE 0xa5

/* A worker with vectors of chars, filled with zeros like the driver's. */
struct stage {
	struct worker worker;
	struct vector vectors[2];
	uint64_t args[16];
	char why[200];
};

static void stage_begin(struct stage *s, const struct kernel *k, size_t bytes, size_t more)
{
	const size_t sizes[] = {bytes, more};

	memset(s, 0, sizeof(*s));
	assert_true(k->args_size <= sizeof(s->args));
	param_defaults(k->params, s->args);
	s->worker = (struct worker){.workers = 1, .vectors = s->vectors, .args = s->args};
	for (int i = 0; i < 2 && sizes[i]; i++) {
		char *memory = aligned_alloc(64, (sizes[i] + 63) / 64 * 64 + 2 * GUARD);

		assert_non_null(memory);
		memset(memory, GUARD_BYTE, sizes[i] + 2 * GUARD);
		memset(memory + GUARD, 0, sizes[i]);
		s->vectors[i] = (struct vector){memory + GUARD, sizes[i], 1, TYPE_CHAR, .node = 0};
		s->worker.nvectors++;
	}
}

static void stage_end(struct stage *s, const struct kernel *k)
{
	if (k->teardown)
		k->teardown(&s->worker);
	for (int v = 0; v < s->worker.nvectors; v++) {
		unsigned char *memory = (unsigned char *)s->vectors[v].base - GUARD;

		for (size_t i = 0; i < GUARD; i++)
			if (memory[i] != GUARD_BYTE ||
				memory[GUARD + s->vectors[v].elements + i] != GUARD_BYTE)
				fail_msg("%s wrote outside its vector", registry_name(k));
		free(memory);
	}
}

/* Whether this file tests the kernel and the machine can run it. */
static bool is_unit(const struct kernel_id *id)
{
	static const char *const families[] = {"fp_", "int_", "dep_chain", "branch", "ctl_",
		"load_", "store_", "simd_", "ucomis_"};

	for (size_t i = 0; i < LENGTH(families); i++)
		if (!strncmp(id->id, families[i], strlen(families[i])))
			return !registry_lacks(id->kernel);
	return false;
}

static void test_results(void **state)
{
	int kernels = 0;

	(void)state;
	for (const struct kernel_id *id = kernel_map; id->id; id++) {
		const struct kernel *k = id->kernel;
		struct stage s;

		if (!is_unit(id))
			continue;
		stage_begin(&s, k, 65536, 0);
		assert_null(k->setup(&s.worker));
		if (k->choose)
			k->choose(&s.worker);
		uint64_t round = k->run(&s.worker, 1);

		if (round < 512 || round > 8192)
			fail_msg("%s: a round has %d units", id->id, (int)round);
		if (k->run(&s.worker, 7) != 7 * round)
			fail_msg("%s: seven rounds are not seven times one", id->id);
		if (k->verify && k->verify(&s.worker, s.why, sizeof(s.why)))
			fail_msg("%s: %s", id->id, s.why);
		stage_end(&s, k);
		kernels++;
	}
	assert_true(kernels > 20); /* without FMA and vectors */
}

/* A state bit that flips between two rounds stays wrong to the end, and verify() detects it. */
static void test_verify(void **state)
{
	static const char *const names[] = {"fp_add", "fp_mul", "fp_div", "int_add", "int_mul",
		"dep_chain1", "dep_chain6", "branch", "ctl_complex", "ctl_conditional",
		"ctl_small_bbl", "ctl_switch", "ucomis_clean", "ucomis_dirty"};

	(void)state;
	for (const struct kernel_id *id = kernel_map; id->id; id++) {
		const struct kernel *k = id->kernel;
		bool mine = strncmp(id->id, "simd_", 5) == 0 && !registry_lacks(k) &&
			    !strstr(id->id, "move") && /* all chains move through one register */
			    !strstr(id->id, "lzcnt");  /* ends at 27, whatever its first value is */
		struct stage s;

		for (size_t i = 0; i < LENGTH(names); i++)
			mine |= !strcmp(names[i], id->id);
		if (!mine)
			continue;
		stage_begin(&s, k, 0, 0);
		assert_null(k->setup(&s.worker));
		k->run(&s.worker, 1);
		assert_null(k->verify(&s.worker, s.why, sizeof(s.why)));
		((unsigned char *)s.worker.own)[2] ^= 0x10;
		k->run(&s.worker, 1);
		if (!k->verify(&s.worker, s.why, sizeof(s.why)))
			fail_msg("%s: a wrong result goes unnoticed", id->id);
		stage_end(&s, k);
	}
}

/* Follows the list of load_dep from a vector's beginning: returns the number of nodes until it is
 * back there, and how many of them lie directly behind their predecessor. */
static size_t follow(const struct stage *s, size_t stride, size_t *next_door)
{
	char *first = s->vectors[0].base, *at = first;
	size_t nodes = 0;

	*next_door = 0;
	do {
		char *next;

		memcpy(&next, at, sizeof(next));
		*next_door += next == at + stride;
		at = next;
		nodes++;
	} while (at != first && nodes < 100000);
	return nodes;
}

static void test_list(void **state)
{
	static const struct {
		size_t bytes, more, stride, nodes;
		int order; /* random, sequential */
	} cases[] = {
		{65536, 0, 128, 512, 0},
		{65536, 0, 128, 512, 1},
		{65536, 32768, 128, 768, 0}, /* one list through both vectors */
		{1000, 0, 64, 16, 0},        /* the last node ends in the vector, not its stride */
		{136, 0, 128, 2, 0},
		{16, 0, 8, 2, 1},
	};
	const struct kernel *k = registry_find("load_dep");

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		struct stage s;
		size_t next_door;

		stage_begin(&s, k, cases[i].bytes, cases[i].more);
		for (const struct param *p = k->params; p->name; p++) {
			char *field = (char *)s.args + p->offset;

			if (!strcmp(p->name, "stride"))
				*(struct extent *)field = (struct extent){cases[i].stride, true};
			else
				*(int *)field = cases[i].order;
		}
		assert_null(k->check(&s.worker, s.why, sizeof(s.why)));
		assert_null(k->setup(&s.worker));
		/* as many steps as nodes until it is back: the list contains each node once */
		assert_int_equal(follow(&s, cases[i].stride, &next_door), cases[i].nodes);
		if (cases[i].order)
			assert_true(next_door >= cases[i].nodes - 2);
		else if (cases[i].nodes > 100)
			assert_true(next_door < 10);
		assert_true(k->run(&s.worker, 2) > 0);
		assert_int_equal(follow(&s, cases[i].stride, &next_door), cases[i].nodes);
		stage_end(&s, k);
	}
}

static void set_stride(struct stage *s, const struct kernel *k, size_t bytes)
{
	*(struct extent *)((char *)s->args + param_find(k->params, "stride")->offset) =
		(struct extent){bytes, true};
}

static void test_check(void **state)
{
	static const struct {
		const char *kernel;
		size_t bytes;
		uint64_t stride; /* bytes; 0: the default */
		const char *why;
	} cases[] = {
		{"load_dep", 65536, 100,
			"stride = 100 bytes is not a multiple of 8; write 104B: a bare number "
			"counts "
			"elements, here of 1 byte"},
		{"load_dep", 128, 128,
			"the vectors have room for 1 node of the list, which needs 2"},
		{"load_dep", 136, 128, NULL},
		{"load_ind", 3976, 0, NULL}, /* 31 strides and a word */
		{"load_ind", 3975, 0,
			"3975 bytes have 31 places at a stride of 128 bytes; it needs 32: a vector "
			"of 3976B, or a smaller stride"},
		{"load_ind", 256, 8, NULL},
		{"store_ind", 4, 8,
			"4 bytes have 0 places at a stride of 8 bytes; it needs 32: a vector of "
			"256B, or a smaller stride"},
		{"load_rand", 65536, 1,
			"stride = 1 bytes is not a multiple of 8; write 8B: a bare number counts "
			"elements, here of 1 byte"},
		{"store_rand", 3975, 0,
			"3975 bytes have 31 places at a stride of 128 bytes; it needs 32: a vector "
			"of 3976B, or a smaller stride"},
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		const struct kernel *k = registry_find(cases[i].kernel);
		struct stage s;

		stage_begin(&s, k, cases[i].bytes, 0);
		if (cases[i].stride)
			set_stride(&s, k, cases[i].stride);
		const char *why = k->check(&s.worker, s.why, sizeof(s.why));

		if (cases[i].why && why)
			assert_string_equal(why, cases[i].why);
		else if (cases[i].why || why)
			fail_msg("case %zu: %s", i, why ? why : "accepted");
		stage_end(&s, k);
	}
}

/* Number of words that hold the mark; all of them are at places, and no byte between two places is
 * written. */
static size_t marked_places(const struct stage *s, size_t stride)
{
	const char *base = s->vectors[0].base;
	size_t marked = 0;

	for (size_t i = 0; i < s->vectors[0].elements; i++) {
		if (!base[i])
			continue;
		assert_int_equal(base[i], 'X');
		assert_true(i % stride < 8);
		marked++;
	}
	assert_int_equal(marked % 8, 0);
	return marked / 8;
}

/* Only whole turns of 32 places are stored, and no byte beyond; SMT-Bench's 128 bytes are the
 * default. */
static void test_stores(void **state)
{
	static const size_t strides[] = {0, 8, 64, 200};
	const struct kernel *ind = registry_find("store_ind"),
			    *random = registry_find("store_rand");

	(void)state;
	for (size_t i = 0; i < LENGTH(strides); i++)
		for (size_t bytes = 6300; bytes < 30000; bytes += 1190) {
			const size_t stride = strides[i] ? strides[i] : 128;
			const size_t places = (bytes - 8) / stride + 1;
			struct stage s;

			stage_begin(&s, ind, bytes, 0);
			if (strides[i])
				set_stride(&s, ind, stride);
			assert_null(ind->check(&s.worker, s.why, sizeof(s.why)));
			assert_null(ind->setup(&s.worker));
			ind->run(&s.worker, 2);
			assert_null(ind->verify(&s.worker, s.why, sizeof(s.why)));
			assert_int_equal(marked_places(&s, stride), places / 32 * 32);
			((char *)s.vectors[0].base)[stride + 4] = 0;
			assert_non_null(ind->verify(&s.worker, s.why, sizeof(s.why)));
			stage_end(&s, ind);

			stage_begin(&s, random, bytes, 0);
			if (strides[i])
				set_stride(&s, random, stride);
			assert_null(random->setup(&s.worker));
			random->run(&s.worker, 400);
			assert_null(random->verify(&s.worker, s.why, sizeof(s.why)));
			assert_int_equal(marked_places(&s, stride), places); /* each can be hit */
			stage_end(&s, random);
		}
}

/* Two samples begin at different places: the driver passes a fresh copy of the worker to each. */
static void test_goes_on(void **state)
{
	const struct kernel *k = registry_find("store_ind");
	struct stage s;
	size_t stored = 0;

	(void)state;
	stage_begin(&s, k, 4 << 20, 0);
	assert_null(k->setup(&s.worker));
	for (int i = 0; i < 4; i++) {
		struct worker copy = s.worker;

		k->run(&copy, 1);
	}
	for (size_t i = 0; i < 4 << 20; i++)
		stored += ((char *)s.vectors[0].base)[i] == 'X';
	assert_int_equal(stored, 4 * 4096 * 8);
	stage_end(&s, k);
}

static void test_idle(void **state)
{
	const struct kernel *sleeps = registry_find("idle_sleep"), *spins = registry_find("idle");
	struct worker w = {.workers = 1};
	uint64_t begin = clock_ns();

	(void)state;
	assert_string_equal(sleeps->unit, "millisecond");
	assert_int_equal(sleeps->run(&w, 12), 12);
	assert_true(clock_ns() - begin >= 12 * 1000000);
	assert_string_equal(spins->unit, "pause");
	assert_int_equal(spins->run(&w, 3), 3 * 256);
}

static void test_names(void **state)
{
	(void)state;
	assert_non_null(registry_find("fp_add"));
	assert_ptr_equal(registry_find("fp-add"), registry_find("fp_add"));
	assert_ptr_equal(registry_find("load-dep"), registry_find("load_dep"));
	assert_ptr_equal(
		registry_find("simd-add_f64-128-lat"), registry_find("simd_add_f64_128_lat"));
	assert_null(registry_find("fp-ad"));
	assert_null(registry_find("fp-add-"));
	assert_null(registry_find("fp add"));
	assert_string_equal(registry_nearest("fp-ad"), "fp_add");
	assert_true(registry_same("fp-add/x", 6, "fp_add"));
	assert_false(registry_same("fp-add/x", 7, "fp_add"));
}

#define TEST(title, function)                     \
	{                                         \
		title, function, NULL, NULL, NULL \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("rounds have a fixed number of units, and their results are right",
			test_results),
		TEST("verify() notices a wrong bit", test_verify),
		TEST("load_dep's list is one cycle of all nodes, at random or in sequence",
			test_list),
		TEST("vectors that are too small and strides that hold no pointer are refused",
			test_check),
		TEST("stores cover the vector and no byte beyond", test_stores),
		TEST("a sample goes on where the last one ended", test_goes_on),
		TEST("idle pauses so many times, idle_sleep sleeps a millisecond a round",
			test_idle),
		TEST("a hyphen in a kernel's name is an underscore", test_names),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
