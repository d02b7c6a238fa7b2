/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of counted samples with their intervals. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "analysis/counters.h"
#include "statistics/intervals.h"

/* One thread; a pass of two events, whose samples are of 10 units each. */
static char *const event_names[] = {"A", "B"};
static double counts[COUNTED_SAMPLES][2];
static size_t events_of_pass[] = {0, 1};
static const char *names_of_pass[] = {"A", "B"};
static struct counted_event events[] = {{.name = "A"}, {.name = "B"}};
static struct counting_pass pass = {.events = events_of_pass, .names = names_of_pass, .n = 2};
static struct counting counting = {.events = events, .nevents = 2, .passes = &pass, .npasses = 1};
static struct request request = {.confidence = 0.95};
static struct plan_thread place;
static struct plan plan = {
	.request = &request, .threads = &place, .nthreads = 1, .counting = &counting};
static struct thread_sample threads[COUNTED_SAMPLES];
static struct sample counted[COUNTED_SAMPLES];
static struct op_result result = {.counted = counted, .ncounted = COUNTED_SAMPLES};
static struct samples all = {.plan = &plan, .ops = &result};

static void count(size_t sample, double a, double b)
{
	counts[sample][0] = a;
	counts[sample][1] = b;
	threads[sample] = (struct thread_sample){.worked = 10};
	counted[sample] = (struct sample){
		.pass = &pass, .counts = counts[sample], .threads = &threads[sample]};
}

/* The metric of a formula of this kind; its text is to be freed by the process's end. */
static struct counted_metric metric_of(const struct metric *kind, const char *formula)
{
	struct counted_metric m = {.metric = kind, .name = event_names[0]};

	assert_int_equal(formula_read(&m.formula, formula), 0);
	return m;
}

static void a_count_has_the_interval_of_its_samples(void **state)
{
	const double values[] = {90, 100, 111};
	const struct amount expected = interval_of_values(values, 3, 0.95);
	struct counted_metric m = metric_of(NULL, "A");

	(void)state;
	for (size_t i = 0; i < COUNTED_SAMPLES; i++)
		count(i, values[i] * 10, 1);
	const struct amount a = derive_counter_amount(&all, 0, 0, &m);

	assert_float_equal(a.value, derive_counter_shown(&all, 0, 0, &m), 0);
	assert_float_equal(a.value, 301 / 3.0, 1e-9);
	assert_float_equal(a.low, expected.low, 1e-9);
	assert_float_equal(a.high, expected.high, 1e-9);
	formula_free(&m.formula);
}

/* t(2) = 4.3027 for 95 %. */
static void a_percentage_may_be_0(void **state)
{
	const struct metric percent = {.kind = METRIC_PERCENT};
	struct counted_metric m = metric_of(&percent, "100 * A / B");

	(void)state;
	for (size_t i = 0; i < COUNTED_SAMPLES; i++)
		count(i, (double)i, 100);
	const struct amount a = derive_counter_amount(&all, 0, 0, &m);

	assert_float_equal(a.value, 1, 1e-9);
	assert_float_equal(a.high, 1 + 4.3027 / sqrt(3), 1e-3);
	assert_float_equal(a.low, 1 - 4.3027 / sqrt(3), 1e-3);
	formula_free(&m.formula);
}

static void an_interrupted_pass_has_no_interval(void **state)
{
	struct counted_metric m = metric_of(NULL, "A");

	(void)state;
	count(0, 500, 1);
	result.ncounted = 1;
	const struct amount a = derive_counter_amount(&all, 0, 0, &m);

	result.ncounted = COUNTED_SAMPLES;
	assert_float_equal(a.value, 50, 1e-9);
	assert_true(isnan(a.low));
	assert_true(isnan(a.high));
	formula_free(&m.formula);
}

static void assert_figure(int thread, const struct counted_metric *m, double value, double per_unit)
{
	const struct counter_figure f = derive_counter(&all, 0, thread, m);

	assert_float_equal(f.value, value, 1e-9);
	if (isnan(per_unit))
		assert_true(isnan(f.per_unit));
	else
		assert_float_equal(f.per_unit, per_unit, 1e-9);
}

/* Two threads, and two passes in turn, in which they do different amounts of work. */
static void counts_are_those_of_their_thread_and_pass(void **state)
{
	static size_t of_a[] = {0}, of_b[] = {1};
	static double values[][2] = {{100, 600}, {5, 80}}; /* by pass and thread */
	struct counting_pass passes[] = {{.events = of_a, .names = &names_of_pass[0], .n = 1},
		{.events = of_b, .names = &names_of_pass[1], .n = 1}};
	static struct thread_sample worked[][2] = {
		{{.worked = 10}, {.worked = 20, .rounds = 4}}, {{.worked = 5}, {.worked = 40}}};
	static struct plan_thread places[2];
	struct sample samples[2 * COUNTED_SAMPLES];
	const struct metric ratio = {.kind = METRIC_RATIO};
	struct counted_metric a = metric_of(NULL, "A"), b = metric_of(NULL, "B"),
			      both = metric_of(&ratio, "A / B");
	bool silent[] = {true};

	(void)state;
	for (size_t i = 0; i < 2 * COUNTED_SAMPLES; i++)
		samples[i] = (struct sample){
			.pass = &passes[i % 2], .counts = values[i % 2], .threads = worked[i % 2]};
	result = (struct op_result){.counted = samples, .ncounted = 2 * COUNTED_SAMPLES};
	counting.passes = passes;
	counting.npasses = 2;
	plan.threads = places;
	plan.nthreads = 2;
	assert_figure(0, &a, 100, 10);
	assert_figure(1, &a, 150, 30); /* of a round; for each unit of all four */
	assert_figure(ALL_THREADS, &a, 250, 700 / 30.0);
	b.pass = 1;
	assert_figure(1, &b, 80, 2);
	both.pass = -1;
	assert_figure(1, &both, 15, NAN); /* 30 of a unit, and 2 */
	assert_figure(ALL_THREADS, &both, 700 / 30.0 / (85 / 45.0), NAN);
	/* a core whose counter stays 0 counts nothing */
	events[1].silent = silent;
	assert_true(isnan(derive_counter(&all, 0, 1, &b).value));
	events[1].silent = NULL;
	formula_free(&a.formula);
	formula_free(&b.formula);
	formula_free(&both.formula);
}

int main(void)
{
	cmocka_set_message_output(CM_OUTPUT_TAP);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_count_has_the_interval_of_its_samples),
		cmocka_unit_test(a_percentage_may_be_0),
		cmocka_unit_test(an_interrupted_pass_has_no_interval),
		cmocka_unit_test(counts_are_those_of_their_thread_and_pass),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
