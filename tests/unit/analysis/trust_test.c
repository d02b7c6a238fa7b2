/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The marks of figures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "analysis/trust.h"

static void check(struct trust_samples of, struct amount figure, const char *expected)
{
	const struct trust t = trust_of(&of, figure);
	char *text = trust_text(&t);

	assert_string_equal(text, expected);
	free(text);
}

/* 100 +- so many percent */
static struct amount within(double percent)
{
	return (struct amount){100, 100 - percent, 100 + percent};
}

/* Each border is the last value that its word allows. */
static void the_worst_of_what_is_known_decides(void **state)
{
	static const struct {
		double percent;
		int64_t disturbed;
		const char *mark;
	} cases[] = {
		{3, 5, "firm"},
		{3.1, 0, "fair: interval +-3.1 %"},
		{10, 50, "fair: interval +-10 %; disturbed samples: 50 of 100"},
		{2, 6, "fair: disturbed samples: 6 of 100"},
		{10.6, 0, "weak: interval +-11 %"},
		{2, 51, "weak: disturbed samples: 51 of 100"},
		{471970977202, 0, "weak: interval of more than 1000 %"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		check((struct trust_samples){.taken = 100, .disturbed = cases[i].disturbed},
			within(cases[i].percent), cases[i].mark);
}

static void without_an_interval_a_figure_is_weak(void **state)
{
	(void)state;
	check((struct trust_samples){.taken = 10}, (struct amount){1, NAN, NAN},
		"weak: no interval");
	/* a share of which none was seen may have one */
	check((struct trust_samples){.taken = 10}, (struct amount){0, 0, 1},
		"weak: interval of more than 1000 %");
}

static void samples_that_must_be_measured_again_and_pages_elsewhere_are_weak(void **state)
{
	(void)state;
	check((struct trust_samples){.taken = 5, .disturbed = 1, .again = true}, within(1),
		"weak: disturbed samples: 1 of 5: measure again");
	check((struct trust_samples){.taken = 5, .lost = true}, within(1),
		"weak: the CPU was lost in many blocks of timed events: measure again");
	check((struct trust_samples){.taken = 5, .misplaced = 1}, within(1),
		"weak: pages that are not where they were asked for");
	check((struct trust_samples){.taken = 5, .unproven = 1}, within(1),
		"fair: where its pages are is not known");
}

static void a_figure_below_zero_has_its_own_width(void **state)
{
	(void)state;
	check((struct trust_samples){.taken = 5}, (struct amount){-100, -102, -98}, "firm");
	check((struct trust_samples){.taken = 5}, (struct amount){-100, -120, -80},
		"weak: interval +-20 %");
}

static void what_is_made_of_two_has_the_worse_of_each(void **state)
{
	const struct trust_samples calm = {.taken = 10, .lost = true},
				   busy = {.taken = 10, .disturbed = 9};
	struct trust wide = trust_of(&calm, within(30)), moved = trust_of(&busy, within(1));
	const struct trust both = trust_worse(&wide, &moved);
	char *text = trust_text(&both);

	(void)state;
	assert_string_equal(text, "weak: interval +-30 %; disturbed samples: 9 of 10; "
				  "the CPU was lost in many blocks of timed events: measure again");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_worst_of_what_is_known_decides),
		cmocka_unit_test(without_an_interval_a_figure_is_weak),
		cmocka_unit_test(samples_that_must_be_measured_again_and_pages_elsewhere_are_weak),
		cmocka_unit_test(a_figure_below_zero_has_its_own_width),
		cmocka_unit_test(what_is_made_of_two_has_the_worse_of_each),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
