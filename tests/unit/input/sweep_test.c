/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of sweeps, their combinations, and the file with these values inserted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "input/sweep.h"

static struct topo topo;

static int load(void **state)
{
	struct errors e = {0};

	(void)state;
	setenv("HWLOC_SYNTHETIC", "numa:3 core:2 pu:2", 1);
	return topo_load(&topo, &e);
}

static int unload(void **state)
{
	(void)state;
	topo_free(&topo);
	return 0;
}

/* key1, value1, key2, value2, ..., NULL as an argument file. */
static struct args make_args(const char *const *pairs)
{
	struct args a = {.path = alloc_string("t", 1)};

	for (; *pairs; pairs += 2) {
		a.entries = alloc_grow(a.entries, a.count, sizeof(*a.entries));
		a.entries[a.count] = (struct entry){alloc_string(pairs[0], strlen(pairs[0])),
			alloc_string(pairs[1], strlen(pairs[1])), {a.path, (int)a.count + 1},
			false};
		a.count++;
	}
	a.from_file = a.count;
	return a;
}

static int read_sweep(struct sweep *s, const struct args *a, struct errors *e)
{
	struct request_file f;

	assert_int_equal(request_read_file(&f, a, e), 0);
	int failed = sweep_read(s, &f, &topo, e);
	request_file_free(&f);
	return failed;
}

static char *joined(const struct words *w)
{
	char *text = alloc_string("", 0);

	for (size_t i = 0; i < w->count; i++) {
		char *longer = alloc_format("%s%s%s", text, i ? " " : "", w->word[i]);
		free(text);
		text = longer;
	}
	return text;
}

static void test_values(void **state)
{
	static const char *const cases[][2] = {
		{"d = 1 2 x", "1 2 x"},
		{"d=0..900:300", "0 300 600 900"},
		{"d = 0..10:4", "0 4 8"},
		{"d = 0..1:0.1", "0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1"},
		{"d = 1 2 4..64*4", "1 2 4 16 64"},
		{"d = 4..40*10", "4 40"},
		{"d = 5..5:1", "5"},
		{"d = 4KiB..64KiB*4", "4KiB 16KiB 64KiB"},
		{"d = 64B..192B:64B", "64B 128B 192B"},
		{"d = 4B..7B*1.1", "4B 5B 6B"}, /* 4 4.4 4.84 5.32 5.86 6.44 */
		{"d = nodes", "0 1 2"},
		{"d = cpunodes", "0 1 2"},
		{"d = cores", "0 1 2 3 4 5"},
		{"d = cpus", "0 1 2 3 4 5 6 7 8 9 10 11"},
		{"d = read write", "read write"},
		{"d = 1..4", "1 2 3 4"},
		{"d = 0..0 7", "0 7"},
		{"d = 1..cpus", "1 2 3 4 5 6 7 8 9 10 11 12"},
		{"d = 1..cpus*2", "1 2 4 8"},
		{"d = cpus..cpus", "12"},
		{"d = 1..cpus*2 cpus..cpus", "1 2 4 8 12"},
		{"d = 3 12 cpus..cpus", "3 12"},
		{"d = cores(first) 2..cpus(first)", "0 1 2 3 4"},
		{"d = 2..cores:2", "2 4 6"},
		{"d = 1..nodes", "1 2 3"},
		{"d = 1..cpunodes", "1 2 3"},
		{"d = 4MiB..50%*4 50%..50%", "4MiB 16MiB 64MiB 256MiB 512MiB"}, /* 1 GiB a node */
		{"d = 33%..33%", "320MiB"},
		{"d = 128MiB..50%*4 50%..50%", "128MiB 512MiB"},
		{"d = each node", "node(0) node(1) node(2)"},
		{"d = 7 each core in node(far(X)) 8", "7 node(0):core(0) node(0):core(1) 8"},
		{"d = 1..cores(node(Y))", "1 2"},
		{"d = cpus(node(X))", "4 5 6 7"},
		{"d = 1..count(node)", "1 2 3"},
		{"d = each", "each"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *pairs[] = {
			"sweep", cases[i][0], "let", "X=1 Y=near(X)", "let", "Z=$d", NULL};
		struct args a = make_args(pairs);
		struct errors e = {0};
		struct sweep s;

		assert_int_equal(read_sweep(&s, &a, &e), 0);
		char *text = joined(&s.variables[0].values);
		assert_string_equal(text, cases[i][1]);
		free(text);
		sweep_free(&s);
		args_free(&a);
	}
}

static void test_mistakes(void **state)
{
	static const char *const cases[][3] = {
		{"sweep", "d", "t:1: sweep: 'd' is not of the form NAME = VALUES"},
		{"sweep", "= 1 2", "t:1: sweep: '= 1 2' is not of the form NAME = VALUES"},
		{"sweep", "d =", "t:1: sweep: the variable has no values"},
		{"sweep", "d = 5..1:1",
			"t:1: sweep: '5..1:1' is empty: its first value is above its last"},
		{"sweep", "d = 1..5:0",
			"t:1: sweep: '1..5:0' never ends: the step must be above 0"},
		{"sweep", "d = 1..5*1",
			"t:1: sweep: '1..5*1' never ends: the factor must be above 1, the first "
			"value above 0"},
		{"sweep", "d = 0..5*2",
			"t:1: sweep: '0..5*2' never ends: the factor must be above 1, the first "
			"value above 0"},
		{"sweep", "d = 0.5..5", "t:1: sweep: '0.5..5' is not a range"},
		{"sweep", "d = 1..5.5", "t:1: sweep: '1..5.5' is not a range"},
		{"sweep", "d = 4KiB..8KiB", "t:1: sweep: '4KiB..8KiB' is not a range"},
		{"sweep", "d = 1KiB..cpus", "t:1: sweep: '1KiB..cpus' is not a range"},
		{"sweep", "d = cpus..9", "t:1: sweep: 'cpus..9' is not a range"},
		{"sweep", "d = 4KiB..9:1", "t:1: sweep: '4KiB..9:1' is not a range"},
		{"sweep", "d = 0..1e9:1", "t:1: sweep: '0..1e9:1' makes more than 10000 values"},
		{"where", "a != b",
			"t:1: where: neither side of 'a != b' is a variable of a sweep"},
		{"where", "a", "t:1: where: 'a' is not a condition such as a != b"},
		{"sweep", "a = 1 x 2 x", "t:1: sweep: 'a' has the value 'x' more than once"},
		{"sweep", "a = 3 1..5:1", "t:1: sweep: 'a' has the value '3' more than once"},
		{"sweep", "a = cpus..cpus 12", "t:1: sweep: 'a' has the value '12' more than once"},
		{"sweep", "a = 4MiB..50%", "t:1: sweep: '4MiB..50%' is not a range"},
		{"sweep", "a = 4MiB..101%*4", "t:1: sweep: '4MiB..101%*4' is not a range"},
		{"sweep", "a = 4..50%*4", "t:1: sweep: '4..50%*4' is not a range"},
		{"sweep", "a = 12 1..cpus", "t:1: sweep: 'a' has the value '12' more than once"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *pairs[] = {cases[i][0], cases[i][1], NULL};
		struct args a = make_args(pairs);
		struct errors e = {0};
		struct sweep s;

		assert_int_equal(read_sweep(&s, &a, &e), -1);
		assert_string_equal(e.list[0].text, cases[i][2]);
		assert_int_equal(errors_status(&e), STATUS_USAGE);
		errors_free(&e);
		sweep_free(&s);
		args_free(&a);
	}
}

static void test_more_than_the_machine_has(void **state)
{
	static const char *const cases[][2] = {
		{"a = 13..cpus", "t:1: sweep: '13..cpus' is empty: here it ends at 12"},
		{"a = 4GiB..50%*4", "t:1: sweep: '4GiB..50%*4' is empty: here it ends at 512 MiB"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *pairs[] = {"sweep", cases[i][0], NULL};
		struct args a = make_args(pairs);
		struct errors e = {0};
		struct sweep s;

		assert_int_equal(read_sweep(&s, &a, &e), -1);
		assert_string_equal(e.list[0].text, cases[i][1]);
		assert_int_equal(errors_status(&e), STATUS_PLACEMENT);
		errors_free(&e);
		sweep_free(&s);
		args_free(&a);
	}
}

static void expect_labels(const char *const *pairs, const char *const *labels, size_t n)
{
	struct args a = make_args(pairs);
	struct errors e = {0};
	struct sweep s;

	assert_int_equal(read_sweep(&s, &a, &e), 0);
	assert_int_equal(s.count, n);
	for (size_t i = 0; i < n; i++) {
		char *label = sweep_label(&s, i);
		assert_string_equal(label, labels[i]);
		free(label);
	}
	sweep_free(&s);
	args_free(&a);
}

static void test_combinations(void **state)
{
	static const char *const none[] = {"numIter", "3", NULL};
	static const char *const two[] = {"sweep", "a = 1 2", "sweep", "b = x y", NULL};
	static const char *const kept[] = {
		"sweep", "v = nodes", "sweep", "t = nodes", "where", "v < t", NULL};
	static const char *const both[] = {
		"sweep", "a = 9 10 1.0", "where", "$a >= 1, a != 9", "where", "a == 1", NULL};
	static const char *const sizes[] = {
		"sweep", "s = 4KiB..1MiB*16", "where", "s < 20000B", NULL};

	(void)state;
	expect_labels(none, (const char *[]){""}, 1);
	expect_labels(two, (const char *[]){"a=1 b=x", "a=1 b=y", "a=2 b=x", "a=2 b=y"}, 4);
	expect_labels(kept, (const char *[]){"v=0 t=1", "v=0 t=2", "v=1 t=2"}, 3);
	expect_labels(both, (const char *[]){"a=1.0"}, 1); /* as numbers: 9 < 10 and 1.0 is 1 */
	expect_labels(sizes, (const char *[]){"s=4KiB"}, 1);
}

/* The values, of the ten of a sweep, that a seed chooses, as bits; checks that they ascend. */
static unsigned chosen(const char *runs, const char *seed, size_t *count)
{
	const char *const pairs[] = {"sweep", "a = 0..9:1", "runs", runs, "seed", seed, NULL};
	struct args a = make_args(pairs);
	struct errors e = {0};
	struct sweep s;
	unsigned bits = 0;

	assert_int_equal(read_sweep(&s, &a, &e), 0);
	assert_int_equal(s.all, 10);
	assert_int_equal(s.seed != 0, s.count < 10);
	for (size_t i = 0; i < s.count; i++) {
		int value = atoi(sweep_value(&s, i, 0));

		assert_true(bits >> value == 0);
		bits |= 1u << value;
	}
	*count = s.count;
	sweep_free(&s);
	args_free(&a);
	return bits;
}

/* The seeds are fixed, so the result is the same every time. */
static void test_choice(void **state)
{
	int often[10] = {0};
	size_t count;

	(void)state;
	for (int seed = 1; seed <= 1000; seed++) {
		char text[8];

		snprintf(text, sizeof(text), "%d", seed);
		unsigned bits = chosen("3", text, &count);
		assert_int_equal(count, 3);
		assert_int_equal(chosen("3", text, &count), bits);
		for (int i = 0; i < 10; i++)
			often[i] += bits >> i & 1;
	}
	for (int i = 0; i < 10; i++) {
		assert_true(often[i] > 240); /* 300 +- 4 standard deviations of 14.5 */
		assert_true(often[i] < 360);
	}
	for (int i = 0; i < 3; i++) {
		static const char *const runs[] = {"0", "10", "11"};

		assert_int_equal(chosen(runs[i], "7", &count), 1023);
		assert_int_equal(count, 10);
	}
}

/* More combinations than may be run; only a few of them are run. */
static void test_choice_of_many(void **state)
{
	static const char *const pairs[] = {"sweep", "a = 1..1000:1", "sweep", "b = 1..1000:1",
		"where", "a < b", "runs", "50", NULL};
	struct args a = make_args(pairs);
	struct errors e = {0};
	struct sweep s;

	(void)state;
	assert_int_equal(read_sweep(&s, &a, &e), 0);
	assert_int_equal(s.count, 50);
	assert_int_equal(s.all, 499500);
	assert_true(s.seed != 0); /* taken from the clock */
	for (size_t i = 0; i < s.count; i++)
		assert_true(atoi(sweep_value(&s, i, 0)) < atoi(sweep_value(&s, i, 1)));
	sweep_free(&s);
	args_free(&a);
}

static void test_limits(void **state)
{
	static const char *const nothing[] = {"sweep", "a = 1 2", "where", "a > 5", NULL};
	static const char *const many[] = {"sweep", "a = 1..200:1", "sweep", "b = 1..200:1", NULL};
	static const char *const far_too_many[] = {
		"sweep", "a = 1..9999:1", "sweep", "b = 1..9999:1", "runs", "5", NULL};
	static const char *const twice[] = {"sweep", "a = 1", "sweep", "a = 2", NULL};
	static const struct {
		const char *const *pairs;
		const char *text;
	} cases[] = {
		{nothing, "t:2: where: none of the 2 runs fulfils it"},
		{many, "t:2: the sweeps make more than 10000 runs"},
		{far_too_many, "t:2: the sweeps make more than 4194304 runs"},
		{twice, "t:2: sweep: 'a' is swept twice"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct args a = make_args(cases[i].pairs);
		struct errors e = {0};
		struct sweep s;

		assert_int_equal(read_sweep(&s, &a, &e), -1);
		assert_string_equal(e.list[0].text, cases[i].text);
		errors_free(&e);
		sweep_free(&s);
		args_free(&a);
	}
}

static void test_apply(void **state)
{
	static const char *const pairs[] = {"sweep", "d = 5 7", "sweep", "n = 2 3", "sleep", "0 $d",
		"tamPerVector", "${n}MiB $n", "where", "d != 5", NULL};
	struct args a = make_args(pairs), out;
	struct errors e = {0};
	struct sweep s;

	(void)state;
	assert_int_equal(read_sweep(&s, &a, &e), 0);
	assert_int_equal(s.count, 2);
	assert_int_equal(sweep_apply(&s, 1, &a, &out, &e), 0);
	assert_string_equal(out.entries[2].value, "0 7");
	assert_string_equal(out.entries[3].value, "3MiB 3");
	assert_int_equal(out.entries[3].at.line, 4);
	args_free(&out);
	sweep_free(&s);
	args_free(&a);
}

static void test_undefined(void **state)
{
	static const char *const pairs[] = {
		"sweep", "d = 5", "sleep", "$e", "stride", "${d", "order", "$", NULL};
	struct args a = make_args(pairs), out;
	struct errors e = {0};
	struct sweep s;

	(void)state;
	assert_int_equal(read_sweep(&s, &a, &e), 0);
	assert_int_equal(sweep_apply(&s, 0, &a, &out, &e), -1);
	assert_int_equal(e.count, 3);
	assert_string_equal(e.list[0].text, "t:2: sleep: no sweep defines '$e'");
	errors_free(&e);
	args_free(&out);
	sweep_free(&s);
	args_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "values are lists, steps, factors, sizes and sets of the machine",
			.test_func = test_values},
		{.name = "a mistake in a sweep or condition says what is wrong",
			.test_func = test_mistakes},
		{.name = "a range past what the machine has",
			.test_func = test_more_than_the_machine_has},
		{.name = "sweeps multiply, the last quickest, and conditions drop combinations",
			.test_func = test_combinations},
		{.name = "no run, too many runs and a variable twice are refused",
			.test_func = test_limits},
		{.name = "some runs are chosen at random, all with the same chance, the same for a "
			 "seed",
			.test_func = test_choice},
		{.name = "out of many combinations few can be chosen",
			.test_func = test_choice_of_many},
		{.name = "values are put in where $name or ${name} stands",
			.test_func = test_apply},
		{.name = "a $name that no sweep defines is told with its line",
			.test_func = test_undefined},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, load, unload);
}
