/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What far huge pages save, from three runs: near in huge pages, near in small ones, and far; and
 * the verdict on a fourth, which is far until it is judged. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "analysis/huge_gain.h"
#include "analysis/needs.h"
#include "analysis/profiler.h"

enum { HUGE, SMALL, FAR, RUNS, JUDGED = RUNS };
enum { PAGES = 4096 };

static const struct kernel kernel = {.unit = "access"};
static struct plan_job job = {.kernel = &kernel};
static int ids[] = {0};
static struct plan_thread place = {.node = 1, .vector_ids = ids, .nvectors = 1};
static struct plan_op op = {.label = (char *)"load", .jobs = &job};
static struct thread_sample threads[RUNS];
static struct sample samples[RUNS];
static struct op_result results[RUNS];
static struct placement placements[RUNS][2];
static struct run runs[RUNS + 1];
static struct experiment x;

static void lie(int run, size_t on_near, size_t huge_pages)
{
	for (int i = 0; i < 2; i++)
		placements[run][i] = (struct placement){.pages.pages = PAGES,
			.pages.on_node = {PAGES - on_near, on_near},
			.sizes.proof = MEM_SIZES_BY_SMAPS,
			.sizes.kernel_page_bytes = mem_base_page(),
			.sizes.huge_bytes = huge_pages * mem_base_page()};
}

/* 10 s in huge pages, 15 s in small ones: S is a half. */
static int build(void **state)
{
	static const uint64_t seconds[RUNS] = {10, 15, 12};
	const struct place at = {"t.args", 1};
	struct errors e = {0};

	(void)state;
	x = (struct experiment){.runs = runs, .nruns = RUNS + 1};
	lines_add(&x.file.sweep, "sweep", "p = huge small rhp_frag rhp_frag_profiler", at);
	words_split(&x.file.baseline, "p=huge", " ");
	words_split(&x.file.small_pages, "p=small", " ");
	if (sweep_read(&x.sweep, &x.file, NULL, &e))
		return -1;
	for (int run = 0; run < RUNS; run++) {
		threads[run].end_ns = seconds[run] * 1000000000;
		samples[run].threads = &threads[run];
		results[run] = (struct op_result){.samples = &samples[run], .count = 1};
		runs[run].request.confidence = 0.95;
		runs[run].plan = (struct plan){.request = &runs[run].request,
			.nvectors = 1,
			.threads = &place,
			.nthreads = 1,
			.ops = &op,
			.nops = 1};
		runs[run].samples = (struct samples){.plan = &runs[run].plan, .ops = &results[run]};
		runs[run].prepared = (struct prepared){
			.plan = &runs[run].plan, .placements = placements[run], .made = 2};
	}
	runs[JUDGED].plan = runs[FAR].plan;
	runs[JUDGED].label = (char *)"judged";
	lie(HUGE, PAGES, PAGES);
	lie(SMALL, PAGES, 0);
	lie(FAR, PAGES / 4, PAGES);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	sweep_free(&x.sweep);
	request_file_free(&x.file);
	return 0;
}

static double gain(int run)
{
	return quantity_of(&x, (size_t)run, 0, 0, QUANTITY_HUGE_GAIN).value;
}

static void the_gain_is_of_the_part_that_is_far(void **state)
{
	(void)state;
	assert_float_equal(huge_gain_far(&runs[FAR], 0), 0.75, 1e-12);
	assert_float_equal(huge_gain_far(&runs[FAR], ALL_THREADS), 0.75, 1e-12);
	assert_float_equal(gain(FAR), 0.75 * 50, 1e-9);
	assert_float_equal(gain(HUGE), 0, 1e-9);
	assert_float_equal(gain(SMALL), 0, 1e-9);
	/* one placement far, the other near */
	placements[FAR][1] = placements[HUGE][1];
	assert_float_equal(gain(FAR), 0.375 * 50, 1e-9);
	lie(FAR, PAGES / 4, PAGES);
}

/* With samples that differ the gain has the ends of the ratio, of the part that is far. */
static void the_interval_is_of_the_part_that_is_far(void **state)
{
	static struct thread_sample times[RUNS][3];
	static struct sample several[RUNS][3];
	double base_s;

	(void)state;
	for (int run = 0; run < RUNS; run++) {
		for (uint64_t i = 0; i < 3; i++) {
			times[run][i].end_ns = threads[run].end_ns + (i - 1) * 100000000;
			several[run][i].threads = &times[run][i];
		}
		results[run] = (struct op_result){.samples = several[run], .count = 3};
	}
	const struct amount gained = quantity_of(&x, FAR, 0, 0, QUANTITY_HUGE_GAIN),
			    longer = amount_inverse(derive_gain(&x, SMALL, 0, 0, &base_s));

	assert_float_equal(gained.value, 0.75 * 50, 1e-9);
	assert_float_equal(gained.low, 75 * (longer.low - 1), 1e-9);
	assert_float_equal(gained.high, 75 * (longer.high - 1), 1e-9);
	assert_true(gained.low > 30 && gained.low < 37 && gained.high > 38 && gained.high < 45);
	for (int run = 0; run < RUNS; run++)
		results[run] = (struct op_result){.samples = &samples[run], .count = 1};
}

/* Judges the fourth run by a far one of so many seconds: what it says of chance, or "". */
static struct judgement judged(uint64_t seconds, size_t count, const char *said)
{
	static struct thread_sample times[RUNS][3];
	static struct sample several[RUNS][3];
	const uint64_t all[RUNS] = {10, 15, seconds};
	struct judgement j;
	struct errors e = {0};

	for (int run = 0; run < RUNS; run++) {
		for (uint64_t i = 0; i < 3; i++) {
			times[run][i].end_ns = all[run] * 1000000000 + (3 - i) % 3 * 100000000;
			several[run][i].threads = &times[run][i];
		}
		results[run] = (struct op_result){.samples = several[run], .count = count};
	}
	assert_int_equal(profiler_judge(&x, JUDGED, &j, &e), 0);
	assert_int_equal(j.by, FAR);
	assert_false(j.of_stalls);
	assert_int_equal(e.count, *said ? 1 : 0);
	if (*said)
		assert_non_null(strstr(e.list[0].text, said));
	errors_free(&e);
	for (int run = 0; run < RUNS; run++)
		results[run] = (struct op_result){.samples = &samples[run], .count = 1};
	return j;
}

/* Far pages gain three quarters of a half, 37.5 %. */
static void they_move_back_where_they_cost_more(void **state)
{
	(void)state;
	struct judgement j = judged(12, 1, "lacks an interval: that they are kept may be chance");
	assert_float_equal(j.gain.value, 37.5, 1e-9);
	assert_float_equal(j.cost.value, 20, 1e-9);
	assert_false(j.moves_back);
	assert_false(judged(12, 3, "").moves_back);
	j = judged(14, 3,
		"is no farther apart than their intervals: that they are moved back may be chance");
	assert_true(j.moves_back && j.cost.value > 39 && j.cost.value < 41);
	assert_true(j.cost.low < j.cost.value && j.cost.value < j.cost.high);
	assert_true(judged(18, 3, "").moves_back);
}

static void small_far_pages_gain_nothing(void **state)
{
	(void)state;
	lie(FAR, 0, 0);
	assert_float_equal(gain(FAR), 0, 1e-9);
	/* three quarters are far and a half is huge: a quarter is both at least */
	lie(FAR, PAGES / 4, PAGES / 2);
	assert_float_equal(huge_gain_far(&runs[FAR], 0), 0.25, 1e-12);
	lie(FAR, PAGES / 4, PAGES);
}

static void nothing_has_no_sign(void **state)
{
	(void)state;
	threads[SMALL].end_ns = 8000000000;
	assert_false(signbit(gain(HUGE)));
	assert_float_equal(gain(FAR), 0.75 * -20, 1e-9);
	threads[SMALL].end_ns = 15000000000;
}

static void what_is_not_known_is_no_figure(void **state)
{
	(void)state;
	placements[FAR][0].sizes.proof = MEM_SIZES_BY_NOTHING;
	assert_true(isnan(gain(FAR)));
	lie(FAR, PAGES / 4, PAGES);
	place.node = -1;
	assert_true(isnan(gain(FAR)));
	place.node = 1;
	runs[SMALL].skipped = true;
	assert_true(isnan(gain(FAR)));
	runs[SMALL].skipped = false;
}

static void both_runs_name_the_same_variables(void **state)
{
	const struct view v = {.key = "table", .quantity = QUANTITY_HUGE_GAIN};
	struct words *small = &x.file.small_pages;
	struct errors e = {0};

	(void)state;
	assert_int_equal(needs_check(&v, &x, &e), 0);
	words_free(small);
	assert_int_equal(needs_check(&v, &x, &e), -1);
	words_split(small, "q=small", " ");
	assert_int_equal(needs_check(&v, &x, &e), -1);
	words_free(small);
	words_split(small, "p=small", " ");
	errors_free(&e);
}

int main(void)
{
	cmocka_set_message_output(CM_OUTPUT_TAP);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_gain_is_of_the_part_that_is_far),
		cmocka_unit_test(the_interval_is_of_the_part_that_is_far),
		cmocka_unit_test(they_move_back_where_they_cost_more),
		cmocka_unit_test(small_far_pages_gain_nothing),
		cmocka_unit_test(nothing_has_no_sign),
		cmocka_unit_test(what_is_not_known_is_no_figure),
		cmocka_unit_test(both_runs_name_the_same_variables),
	};

	return cmocka_run_group_tests(tests, build, tear_down);
}
