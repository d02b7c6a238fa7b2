/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What tables and pictures show: each quantity of a thread and of all, in its unit. */
#include "analysis/view.h"

#include <string.h>

#include "derive_stage.h"

static const struct kernel copy = {
	.unit = "access", .per_unit = {.loads = 1, .stores = 1, .bytes = 8, .fills = 4}};
static struct run run;
static struct experiment x = {.runs = &run, .nruns = 1};

static int build(void **state)
{
	fill(state);
	jobs[0].kernel = jobs[1].kernel = &copy;
	jobs[0].times_caches = jobs[1].times_caches = 2;
	run = (struct run){.plan = plan, .samples = all, .request = request};
	return 0;
}

static struct amount of(int op, int thread, enum quantity q)
{
	return quantity_of(&x, 0, op, thread, q);
}

static void check(struct amount a, double value)
{
	assert_float_equal(a.value / value, 1, 1e-9);
	assert_true(a.low < a.value && a.value < a.high);
}

/* 1000 units in 1, 2 and 3 ms; 8 bytes each, and 4 that caches fetch for the store. */
static void a_thread_has_each_quantity_in_its_unit(void **state)
{
	(void)state;
	check(of(0, 0, QUANTITY_COST), 0.002);
	check(of(0, 0, QUANTITY_BUSY), 0.002);
	check(of(0, 0, QUANTITY_NS_PER_UNIT), 2000);
	assert_float_equal(of(0, 0, QUANTITY_RATE).value, 5e5, 1e-3);
	assert_float_equal(of(0, 0, QUANTITY_BANDWIDTH).value, 0.004, 1e-12);
	assert_float_equal(of(0, 0, QUANTITY_TRAFFIC).value, 0.006, 1e-12);
	/* thread 1 sleeps 1 ms before it works 3, 5 and 7 */
	check(of(0, 1, QUANTITY_COST), 0.006);
	check(of(0, 1, QUANTITY_BUSY), 0.005);
	check(of(0, 1, QUANTITY_NS_PER_UNIT), 5000);
}

/* t(2, 0.975) / sqrt(3) is the half of an interval, in standard deviations. */
static void intervals_are_those_of_the_samples(void **state)
{
	const double half = 4.302653 / sqrt(3);
	const struct amount each = of(0, 1, QUANTITY_NS_PER_UNIT),
			    bytes = of(0, 1, QUANTITY_BANDWIDTH);

	(void)state;
	assert_float_equal(each.low, 5000 - 2000 * half, 1e-2);
	assert_float_equal(each.high, 5000 + 2000 * half, 1e-2);
	assert_float_equal(bytes.low * each.high, 8, 1e-9);
	assert_float_equal(bytes.high * each.low, 8, 1e-9);
}

/* Both from the first beginning to the last end, 4, 6 and 8 ms for 2000 units. */
static void all_threads_have_theirs_together(void **state)
{
	(void)state;
	check(of(0, ALL_THREADS, QUANTITY_COST), 0.006);
	check(of(0, ALL_THREADS, QUANTITY_BUSY), 0.005);
	check(of(0, ALL_THREADS, QUANTITY_NS_PER_UNIT), 3500);
	check(of(0, ALL_THREADS, QUANTITY_RATE), 1e9 / 3000);
	check(of(0, ALL_THREADS, QUANTITY_BANDWIDTH), 8.0 / 3000);
	check(of(0, ALL_THREADS, QUANTITY_TRAFFIC), 12.0 / 3000);
}

static void with_a_window_a_cost_is_shown_in_nanoseconds(void **state)
{
	(void)state;
	fill_window();
	run.request = request;
	/* 36000, 18000 and 12000 units in 18 ms */
	check(of(0, 0, QUANTITY_COST), 1000);
	assert_float_equal(sample_cost(&samples[0][1], 0) * 1e9, 500, 1e-6);
}

static void what_was_not_measured_has_none(void **state)
{
	(void)state;
	run.skipped = true;
	assert_true(isnan(of(0, 0, QUANTITY_COST).value));
	run.skipped = false;
	run.samples.ops = NULL;
	assert_true(isnan(of(0, ALL_THREADS, QUANTITY_RATE).value));
	assert_true(isnan(of(0, 0, QUANTITY_BEST_SHARE).value));
}

/* Is it one of the words of a list, divided by commas? */
static bool lists(const char *list, const char *word)
{
	const size_t n = strlen(word);

	for (const char *at = list; (at = strstr(at, word)); at++)
		if ((at == list || at[-1] == ' ') && (at[n] == ',' || !at[n]))
			return true;
	return false;
}

/* 60 % of the whole may be 50 or 70: what is left may be 30 or 50 of 40, which is wide. */
static void an_overhead_is_as_certain_as_what_it_leaves(void **state)
{
	const struct amount left = quantity_judged(QUANTITY_OVERHEAD, (struct amount){60, 50, 70});

	(void)state;
	assert_float_equal(left.value, 40, 0);
	assert_float_equal(left.low, 30, 0);
	assert_float_equal(left.high, 50, 0);
	check(quantity_judged(QUANTITY_COST, (struct amount){60, 50, 70}), 60);
}

static void every_name_is_known_and_in_the_hint_of_an_unknown_one(void **state)
{
	struct view v = {.key = "table"};
	struct errors e = {0};

	(void)state;
	assert_int_equal(view_read_quantity(&v, "zzzzzzzz", &x, &e), -1);
	for (enum quantity q = 0; q < QUANTITIES; q++) {
		assert_int_equal(quantity_find(quantities[q].name), q);
		assert_true(lists(e.list[0].hint, quantities[q].name));
	}
	errors_free(&e);
}

static void a_word_of_other_programs_is_answered_with_the_name(void **state)
{
	(void)state;
	for (enum quantity q = 0; q < QUANTITIES; q++)
		for (const char *const *word = quantities[q].synonyms; *word; word++) {
			struct view v = {.key = "plot"};
			struct errors e = {0};
			char meant[64];

			snprintf(meant, sizeof(meant), "did you mean '%s'?", quantities[q].name);
			assert_int_equal(view_read_quantity(&v, *word, &x, &e), -1);
			assert_non_null(strstr(e.list[0].text, meant));
			errors_free(&e);
		}
}

static void a_row_says_all_that_others_take_from_it(void **state)
{
	(void)state;
	for (enum quantity q = 0; q < QUANTITIES; q++) {
		const struct quantity_row *row = &quantities[q];

		assert_non_null(row->help);
		assert_true(!row->of == (row->along != NULL)); /* of one run, or of several */
		assert_true(!row->along || (row->ranges && row->follows && row->example));
		assert_true(!row->at_value || row->along);
		assert_true(!row->every || row->of);
		assert_true(!row->inverse || row->family);
		assert_false(row->claimable && row->ranges);
	}
}

#define BUILT(name, function)                     \
	{                                         \
		name, function, build, NULL, NULL \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BUILT("a thread has each quantity in its unit",
			a_thread_has_each_quantity_in_its_unit),
		BUILT("intervals are those of the samples", intervals_are_those_of_the_samples),
		BUILT("all threads have theirs together", all_threads_have_theirs_together),
		BUILT("with a window a cost is shown in nanoseconds",
			with_a_window_a_cost_is_shown_in_nanoseconds),
		BUILT("what was not measured has none", what_was_not_measured_has_none),
		BUILT("every name is known, and in the hint of an unknown one",
			every_name_is_known_and_in_the_hint_of_an_unknown_one),
		BUILT("a word of other programs is answered with the name",
			a_word_of_other_programs_is_answered_with_the_name),
		BUILT("an overhead is as certain as what it leaves",
			an_overhead_is_as_certain_as_what_it_leaves),
		BUILT("a row says all that others take from it",
			a_row_says_all_that_others_take_from_it),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
