/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conditions compare values by their kind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "input/where.h"

/* Its node 0 has no CPUs, so that node 3 is the first. */
static struct topo_node nodes[] = {{.node = 0, .bytes = 1 << 30, .allowed = true},
	{.node = 3, .bytes = 1 << 30, .cpus = 1, .allowed_cpus = 1, .allowed = true}};
static const struct topo machine = {.nodes = nodes, .nnodes = 2, .source = "a machine of the test"};

static int holds(const char *text, const char *a, const char *b, struct errors *e)
{
	struct line line = {"where", (char *)text, {"t", 2}};
	struct variable variable = {.name = "v"};
	struct sweep s = {.variables = &variable, .nvariables = 1};

	assert_int_equal(where_read(&s, &line, e), 0);
	int result = where_holds(&s.conditions[0], a, b, &machine, e);

	s.variables = NULL;
	s.nvariables = 0;
	sweep_free(&s);
	return result;
}

static void test_kinds(void **state)
{
	static const struct {
		const char *a, *b;
		int order;
	} cases[] = {
		{"9", "10", -1},
		{"1.0", "1", 0},
		{"5%", "0.5", -1},
		{"50%", "0.5", 0},
		{"4096B", "20000B", -1},
		{"4KiB", "4096B", 0},
		{"1MiB", "20000B", 1},
		{"9kB", "9K", -1},
		{"900us", "1s", -1},
		{"20ms", "0.02s", 0},
		{"2min", "100s", 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *a = cases[i].a, *b = cases[i].b;
		struct errors e = {0};
		int order = cases[i].order;

		assert_int_equal(holds("v < w", a, b, &e), order < 0);
		assert_int_equal(holds("v <= w", a, b, &e), order <= 0);
		assert_int_equal(holds("v == w", a, b, &e), order == 0);
		assert_int_equal(holds("v != w", a, b, &e), order != 0);
		assert_int_equal(holds("v >= w", a, b, &e), order >= 0);
		assert_int_equal(holds("v > w", a, b, &e), order > 0);
		assert_int_equal(e.count, 0);
	}
}

static void test_names(void **state)
{
	struct errors e = {0};

	(void)state;
	assert_int_equal(holds("v == w", "read", "read", &e), 1);
	assert_int_equal(holds("v == w", "read", "write", &e), 0);
	assert_int_equal(holds("v != w", "read", "4KiB", &e), 1);
	assert_int_equal(holds("v != w", "1", "none", &e), 1);
	assert_int_equal(e.count, 0);
}

static void test_node_beside_number(void **state)
{
	struct errors e = {0};

	(void)state;
	assert_int_equal(holds("v != w", "0", "first", &e), 1);
	assert_int_equal(holds("v != w", "3", "first", &e), 0);
	assert_int_equal(holds("v == w", "first", "3", &e), 1);
	assert_int_equal(holds("v > w", "4", "first", &e), 1);
	assert_int_equal(holds("v == w", "first", "far(first)", &e), 0);
	assert_int_equal(e.count, 0);
}

static void test_unlike(void **state)
{
	static const char *const cases[][4] = {
		{"v < w", "4KiB", "5000",
			"t:2: where: 'v < w' compares '4KiB', a size, with '5000', a number"},
		{"v == w", "4096", "4KiB",
			"t:2: where: 'v == w' compares '4096', a number, with '4KiB', a size"},
		{"v > w", "1ms", "1",
			"t:2: where: 'v > w' compares '1ms', a time, with '1', a number"},
		{"v != w", "1ms", "1KiB",
			"t:2: where: 'v != w' compares '1ms', a time, with '1KiB', a size"},
		{"v < w", "char", "int",
			"t:2: where: 'v < w' compares 'char', a name, with 'int', a name"},
		{"v >= w", "all", "0",
			"t:2: where: 'v >= w' compares 'all', a name, with '0', a number"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct errors e = {0};

		assert_int_equal(holds(cases[i][0], cases[i][1], cases[i][2], &e), -1);
		assert_string_equal(e.list[0].text, cases[i][3]);
		assert_non_null(e.list[0].hint);
		assert_int_equal(errors_status(&e), STATUS_USAGE);
		errors_free(&e);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "numbers, sizes and times are compared by their value",
			.test_func = test_kinds},
		{.name = "a name equals only itself", .test_func = test_names},
		{.name = "beside a number a word for a node is its number",
			.test_func = test_node_beside_number},
		{.name = "values of different kinds, and names in an order, are refused",
			.test_func = test_unlike},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
