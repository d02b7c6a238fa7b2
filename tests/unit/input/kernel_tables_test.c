/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requirements on a kernel's tables, checked before anything is run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "input/registry.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static uint64_t run(struct worker *w, uint64_t passes)
{
	(void)w;
	return passes;
}

static uint64_t done(const struct worker *w)
{
	(void)w;
	return 0;
}

static const char *arrange(struct worker *w, char *why, size_t n)
{
	(void)w;
	(void)why;
	(void)n;
	return NULL;
}

static enum moves moves(const void *args)
{
	(void)args;
	return MOVES_NOTHING;
}

static const struct param good_params[] = {
	{.name = "n", .type = PARAM_COUNT, .fallback = "1", .min = 1, .max = 2, .help = "how many"},
	{0},
};

static struct kernel good(void)
{
	return (struct kernel){.summary = "does",
		.unit = "thing",
		.run = run,
		.params = good_params,
		.args_size = 8};
}

static void expect(const struct kernel_id *map, const char *text)
{
	struct errors e = {0};
	int failed = registry_check(map, &e);

	if (!text) {
		assert_int_equal(failed, 0);
		assert_int_equal(e.count, 0);
	} else {
		assert_int_equal(failed, -1);
		assert_string_equal(e.list[0].text, text);
		assert_int_equal(errors_status(&e), STATUS_FAILED);
	}
	errors_free(&e);
}

static void expect_kernel(struct kernel k, const char *text)
{
	const struct kernel_id map[] = {{"mine", &k}, {NULL, NULL}};

	expect(map, text);
}

static void test_kernels(void **state)
{
	struct kernel k;

	(void)state;
	expect(kernel_map, NULL);
	expect_kernel(good(), NULL);
	k = good(), k.run = NULL;
	expect_kernel(k, "affinity: kernel 'mine' has no .run");
	k = good(), k.summary = NULL;
	expect_kernel(k, "affinity: kernel 'mine' has no .summary");
	k = good(), k.unit = "";
	expect_kernel(k, "affinity: kernel 'mine' has no .unit");
	k = good(), k.args_size = 0;
	expect_kernel(k, "affinity: kernel 'mine' has .params, but no .args_size");
	k = good(), k.min_vectors = -1;
	expect_kernel(k, "affinity: kernel 'mine' has a negative .min_vectors");
	k = good(), k.done = done;
	expect_kernel(k, "affinity: kernel 'mine' has .done, but no .reset");
	k = good(), k.migration.arrange = arrange;
	expect_kernel(k, "affinity: kernel 'mine' has .migration.arrange, but no .reset");
	k = good(), k.migration.moves = moves;
	expect_kernel(
		k, "affinity: kernel 'mine' has .migration.moves, but no .reset or not .fixed");
	const struct kernel_id none[] = {{"mine", NULL}, {NULL, NULL}};
	expect(none, "affinity: kernel 'mine' has no struct kernel");
	k = good();
	const struct kernel_id twice[] = {{"my_own", &k}, {"my-own", &k}, {NULL, NULL}};
	expect(twice, "affinity: kernel 'my-own' stands twice in the function map");
}

static void test_params(void **state)
{
	static const struct {
		struct param param;
		const char *what;
	} cases[] = {
		{{.fallback = "1", .max = 2}, "has no .help"},
		{{.help = "x", .max = 2}, "has no .fallback"},
		{{.help = "x", .fallback = "a", .type = PARAM_CHOICE}, "has no .choices"},
		{{.help = "x", .fallback = "1", .min = 2, .max = 1}, "has a .min above its .max"},
		{{.help = "x", .fallback = "1", .max = 2, .offset = 8},
			"lies outside of .args_size"},
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		struct param params[2] = {cases[i].param};
		struct kernel k = good();
		char text[128];

		params[0].name = "n";
		k.params = params;
		snprintf(text, sizeof(text), "affinity: kernel 'mine': parameter 'n' %s",
			cases[i].what);
		expect_kernel(k, text);
	}
}

static void tell(const struct worker *w, double *values)
{
	(void)w;
	(void)values;
}

static void test_figures(void **state)
{
	const struct kernel_figure fine[] = {{"pages", "page", "x", FIGURE_SUM, NULL, false}, {0}},
				   mean[] = {{"pages", "page", "x", FIGURE_MEAN, NULL, false}, {0}},
				   unit[] = {{"pages", "", "x", FIGURE_SUM, NULL, false}, {0}},
				   no_unit[] = {{"pages", NULL, "x", FIGURE_SUM, NULL, false}, {0}},
				   no_help[] = {
					   {"pages", "page", NULL, FIGURE_SUM, NULL, false}, {0}};
	struct kernel k = good(), other = good();
	const struct kernel_id two[] = {{"mine", &k}, {"yours", &other}, {NULL, NULL}};

	(void)state;
	k.figures = fine;
	expect_kernel(k, "affinity: kernel 'mine' has .figures, but no .tell");
	k.tell = tell;
	expect_kernel(k, NULL);
	k.figures = NULL;
	expect_kernel(k, "affinity: kernel 'mine' has .tell, but no .figures");
	k.figures = no_unit;
	expect_kernel(k, "affinity: kernel 'mine': figure 'pages' has no .unit");
	k.figures = no_help;
	expect_kernel(k, "affinity: kernel 'mine': figure 'pages' has no .help");
	k.figures = other.figures = fine;
	other.tell = tell;
	expect(two, NULL);
	other.figures = mean;
	expect(two, "affinity: kernel 'yours': figure 'pages' has another unit or join than that "
		    "of 'mine'");
	other.figures = unit;
	expect(two, "affinity: kernel 'yours': figure 'pages' has another unit or join than that "
		    "of 'mine'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{"a kernel without a function, a summary, a unit or a name of its own is refused",
			test_kernels, NULL, NULL, NULL},
		{"a parameter without help, default or choices, or outside of its struct is "
		 "refused",
			test_params, NULL, NULL, NULL},
		{"a figure without unit or help, or unlike another kernel's of its name, is "
		 "refused",
			test_figures, NULL, NULL, NULL},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
