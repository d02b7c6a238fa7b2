/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The values of vectors, read without knowledge of a machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "input/values.h"

static const struct place at = {"t", 7};

static void test_sizes(void **state)
{
	static const struct {
		const char *word;
		struct value_size size;
	} cases[] = {
		{"1000", {.kind = SIZE_ELEMENTS, .number = 1000}},
		{"200MiB", {.kind = SIZE_BYTES, .number = 200ull << 20}},
		{"4K", {.kind = SIZE_BYTES, .number = 4096}},
		{"64x4160B", {.kind = SIZE_BYTES, .number = 266240}},
		{"50%", {.kind = SIZE_SHARE, .part = 0.5}},
		{"8xL3", {.kind = SIZE_CACHES, .part = 8, .level = 3}},
		{"0.5xL1/core", {.kind = SIZE_CACHES, .part = 0.5, .level = 1, .per_core = true}},
		{"4xcaches/thread", {.kind = SIZE_CACHES, .part = 4, .per_thread = true}},
		{"8xLLC", {.kind = SIZE_CACHES, .part = 8, .last = true}},
		{"4xcaches", {.kind = SIZE_CACHES, .part = 4}},
		{"2xmemcache", {.kind = SIZE_CACHES, .part = 2, .side = true}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct errors e = {0};
		struct value_size s;

		assert_int_equal(values_size(&s, cases[i].word, at, &e), 0);
		assert_int_equal(s.kind, cases[i].size.kind);
		assert_int_equal(s.number, cases[i].size.number);
		assert_true(s.part == cases[i].size.part);
		assert_int_equal(s.level, cases[i].size.level);
		assert_int_equal(s.per_core, cases[i].size.per_core);
		assert_int_equal(s.per_thread, cases[i].size.per_thread);
		assert_int_equal(s.last, cases[i].size.last);
		assert_int_equal(s.side, cases[i].size.side);
		assert_int_equal(e.count, 0);
	}
}

static void test_bad_sizes(void **state)
{
	static const char *const cases[][2] = {
		{"8xL5", "t:7: sizePerVector: '8xL5' is not of the form 8xL3 (a positive number, "
			 "xL, 1 to 4), 8xLLC, 8xcaches, 8xL3/core or 8xL3/thread"},
		{"0xcaches", "t:7: sizePerVector: '0xcaches' is not of the form 8xL3 (a positive "
			     "number, "
			     "xL, 1 to 4), 8xLLC, 8xcaches, 8xL3/core or 8xL3/thread"},
		{"4xcaches/node", "t:7: sizePerVector: '4xcaches/node' is not of the form 8xL3 (a "
				  "positive number, "
				  "xL, 1 to 4), 8xLLC, 8xcaches, 8xL3/core or 8xL3/thread"},
		{"101%",
			"t:7: sizePerVector: '101%' is not a share of a node's memory, above 0 and "
			"up to 100%"},
		{"64x4160", "t:7: sizePerVector: '64x4160' is not a size"},
		{"8x16777216T", "t:7: sizePerVector: '8x16777216T' is not a size"},
		{"16x1048576T", "t:7: sizePerVector: '16x1048576T' exceeds the address space"},
		{"12parsecs", "t:7: sizePerVector: '12parsecs' is not a size"},
		{"99999999999999999999", "t:7: sizePerVector: 99999999999999999999 elements "
					 "exceed the address space"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct errors e = {0};
		struct value_size s;

		assert_int_equal(values_size(&s, cases[i][0], at, &e), -1);
		assert_int_equal(errors_status(&e), STATUS_USAGE);
		assert_string_equal(e.list[0].text, cases[i][1]);
		errors_free(&e);
	}
}

static void test_nodes(void **state)
{
	static const struct {
		const char *word;
		enum mem_policy policy;
		size_t count;
		const char *first;
	} cases[] = {
		{"far(X)", MEM_BIND, 1, "far(X)"},
		{"preferred:1", MEM_PREFERRED, 1, "1"},
		{"interleave", MEM_INTERLEAVE, 0, NULL},
		{"interleave:2,first", MEM_INTERLEAVE, 2, "2"},
		{"local", MEM_LOCAL, 0, NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct errors e = {0};
		struct value_nodes n;

		assert_int_equal(values_nodes(&n, cases[i].word, at, &e), 0);
		assert_int_equal(n.policy, cases[i].policy);
		assert_int_equal(n.nodes.count, cases[i].count);
		if (cases[i].first)
			assert_string_equal(n.nodes.word[0], cases[i].first);
		words_free(&n.nodes);
	}
}

static void test_first_touch(void **state)
{
	struct errors e = {0};
	struct value_init v;

	(void)state;
	for (int i = INIT_NODE; i < INIT_THREAD; i++) {
		assert_int_equal(values_init(&v, init_names[i], at, &e), 0);
		assert_int_equal(v.init, i);
	}
	assert_int_equal(values_init(&v, "thread:12", at, &e), 0);
	assert_int_equal(v.init, INIT_THREAD);
	assert_int_equal(v.thread, 12);
	assert_int_equal(values_init(&v, "thread", at, &e), -1);
	assert_string_equal(e.list[0].text, "t:7: initPerVector: unknown value 'thread'");
	errors_free(&e);
}

static void test_states_and_owners(void **state)
{
	struct errors e = {0};
	enum vector_state s;
	struct value_owners o;

	(void)state;
	for (int i = STATE_NONE; i <= STATE_I; i++) {
		assert_int_equal(values_state(&s, state_names[i], at, &e), 0);
		assert_int_equal(s, i);
	}
	assert_int_equal(values_owners(&o, "none", at, &e), 0);
	assert_int_equal(o.count, 0);
	assert_int_equal(values_owners(&o, "thread:1,cpu:4", at, &e), 0);
	assert_int_equal(o.count, 2);
	assert_false(o.owner[0].is_cpu);
	assert_int_equal(o.owner[0].number, 1);
	assert_true(o.owner[1].is_cpu);
	assert_int_equal(o.owner[1].number, 4);
	assert_int_equal(values_owners(&o, "cpu:1,cpu:2,cpu:3", at, &e), 0);
	assert_int_equal(o.count, 3);
	assert_int_equal(values_owners(&o, "thread:x", at, &e), -1);
	assert_string_equal(
		e.list[0].text, "t:7: ownerPerVector: 'x' is not the number of a thread");
	errors_free(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "a size is a count, bytes, a share or a multiple of caches",
			.test_func = test_sizes},
		{.name = "what is no size is refused with its line", .test_func = test_bad_sizes},
		{.name = "a place of a vector is a policy and its nodes", .test_func = test_nodes},
		{.name = "who touches first is a name or thread:K", .test_func = test_first_touch},
		{.name = "states and owners are read, and numbers that are none refused",
			.test_func = test_states_and_owners},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
