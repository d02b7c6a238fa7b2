/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far figures can be trusted, in a word and its reasons. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "analysis/derive.h"
#include "analysis/quality.h"
#include "system/environment.h"

/* Of 100 samples so many are disturbed. */
static struct trust_samples disturbed(int64_t n)
{
	return (struct trust_samples){.taken = 100, .disturbed = n};
}

/* A cost of 100 with an interval of so many percent on each side. */
static void add(struct quality *q, double percent, int64_t n)
{
	const struct trust_samples of = disturbed(n);

	quality_add(q, &of, (struct amount){100, 100 - percent, 100 + percent}, AMOUNT_NONE);
	quality_add_samples(q, &of);
}

/* One that is within 1 %, of a machine that is known to be quiet. */
static struct quality quiet(void)
{
	struct quality q = QUALITY_NONE;

	add(&q, 1, 0);
	q.others = q.steal = 0;
	q.vectors = 1;
	return q;
}

static void check(struct quality q, enum trust_word word, const char *expected)
{
	quality_judge(&q);
	char *text = quality_text(&q);

	assert_int_equal(q.word, word);
	assert_string_equal(text, expected);
	free(text);
}

static void figures_are_counted_by_their_marks(void **state)
{
	struct quality q = quiet();

	(void)state;
	check(q, TRUST_FIRM, "quiet, 1 cost within 1.0 %");
	add(&q, 3, 5);
	check(q, TRUST_FIRM, "quiet, 2 costs within 3.0 %");
	add(&q, 4.75, 0);
	check(q, TRUST_FAIR, "fairly quiet, 3 costs within 4.8 %");
	add(&q, 11, 0);
	check(q, TRUST_FAIR,
		"fairly quiet, 3 of 4 costs within 4.8 %, 1 weak: marked (intervals of up to 11 "
		"%)");
	add(&q, 1, 51);
	add(&q, 30, 60);
	check(q, TRUST_FAIR,
		"fairly quiet, 3 of 6 costs within 4.8 %, 3 weak: marked (intervals of up to 30 "
		"%; disturbed samples: 111 of 200)");
	add(&q, 1, 100);
	check(q, TRUST_WEAK,
		"not for conclusions: 4 of 7 costs weak (intervals of up to 30 %; disturbed "
		"samples: 211 of 300)");
}

static void what_is_all_weak_has_its_reasons_alone(void **state)
{
	struct quality q = QUALITY_NONE;

	(void)state;
	q.others = 87;
	add(&q, 1, 51);
	check(q, TRUST_WEAK,
		"not for conclusions: other programs used 87 % of the CPUs; disturbed samples: 51 "
		"of 100");
}

/* A sentence of few figures is as good as the worst of them. */
static void one_that_is_weak_makes_a_sentence_weak(void **state)
{
	struct quality q = quiet();

	(void)state;
	add(&q, 11, 0);
	quality_judge_each(&q);
	assert_int_equal(q.word, TRUST_WEAK);
	q = quiet();
	quality_judge_each(&q);
	assert_int_equal(q.word, TRUST_FIRM);
}

/* Each border is the last value that it lets through. */
static void each_border_of_the_machine_is_still_within(void **state)
{
	struct quality q = quiet();

	(void)state;
	q.others = 5;
	q.steal = 1;
	check(q, TRUST_FIRM, "quiet, 1 cost within 1.0 %");
	q.others = 20;
	q.steal = 5;
	check(q, TRUST_FAIR, "fairly quiet, 1 cost within 1.0 %");
	q.others = 20.6;
	check(q, TRUST_WEAK, "not for conclusions: other programs used 21 % of the CPUs");
	q.others = 0;
	q.steal = 5.6;
	check(q, TRUST_WEAK, "not for conclusions: the hypervisor took 6 % of the CPUs");
	q.steal = 5;
	q.quick = true;
	check(q, TRUST_WEAK, "not for conclusions: a quick trial");
}

static void what_is_not_recorded_is_not_firm(void **state)
{
	struct quality q = quiet();

	(void)state;
	q.others = NAN;
	check(q, TRUST_FAIR, "fairly quiet, 1 cost within 1.0 %");
	check(QUALITY_NONE, TRUST_WEAK, "not for conclusions");
}

static void each_reason_is_named(void **state)
{
	const struct trust_samples of = {.misplaced = 1};
	struct quality q = QUALITY_NONE;

	(void)state;
	quality_add(&q, &of, (struct amount){1, 0.8, 1.2}, AMOUNT_NONE);
	quality_add(&q, &of, (struct amount){1, NAN, NAN}, AMOUNT_NONE);
	quality_add(&q, &of, AMOUNT_NONE, AMOUNT_NONE); /* not measured: no figure */
	assert_int_equal(q.figures[TRUST_WEAK], 2);
	q.simulated = q.quick = q.interrupted = q.throttled = true;
	q.steal = 7;
	check(q, TRUST_WEAK,
		"not for conclusions: a simulated machine; a quick trial; interrupted; the "
		"hypervisor took 7 % of the CPUs; a CPU quota stopped threads; figures without an "
		"interval; intervals of up to 20 %; pages that are not where they were asked for");
}

/* On a busy machine they may span powers of ten, whose digits tell nothing. */
static void widths_end_at_a_thousand_per_cent(void **state)
{
	struct quality q = QUALITY_NONE;

	(void)state;
	add(&q, 1000, 0);
	check(q, TRUST_WEAK, "not for conclusions: intervals of up to 1000 %");
	add(&q, 471970977202, 0);
	check(q, TRUST_WEAK, "not for conclusions: intervals of more than 1000 %");
}

static void conditions_are_what_facts_say(void **state)
{
	struct environment env = {0};
	struct quality q = QUALITY_NONE;

	(void)state;
	quality_add_facts(&q, &env);
	assert_true(isnan(q.others) && isnan(q.steal) && !q.throttled);
	environment_add_number(&env, "others_load_during_run", 86.92);
	environment_add_number(&env, "steal_during_run", NAN);
	struct fact f = fact_begin("throttled_during_run");

	fact_add_number(&f, 0.2);
	fact_add_number(&f, 7);
	environment_take(&env, &f);
	quality_add_facts(&q, &env);
	assert_true(q.others == 86.92 && isnan(q.steal) && q.throttled);
	environment_free(&env);
}

/* ---- of an experiment: one thread, vectors on node 1, samples of 1 ms */

enum { PAGES = 64, VECTORS = 2, MADE = 2, SAMPLES = 4 };

static const struct kernel kernel = {.unit = "access"};
static struct plan_job job = {.kernel = &kernel};
static struct plan_thread place = {.node = 1};
static struct plan_op op = {.label = (char *)"load", .jobs = &job};
static struct plan_vector vectors[VECTORS];
static struct placement placements[MADE * VECTORS];
static struct thread_sample threads[SAMPLES];
static struct sample samples[SAMPLES];
static struct op_result result = {.samples = samples, .count = SAMPLES};
static struct run run;
static struct experiment x = {.runs = &run, .nruns = 1};
static struct prepared prepared = {.plan = &run.plan, .placements = placements, .made = MADE};
static struct environment env;

static int build(void **state)
{
	(void)state;
	environment_free(&env);
	environment_add_number(&env, "others_load_during_run", 0.1);
	environment_add_number(&env, "steal_during_run", 0);
	for (int v = 0; v < VECTORS; v++)
		vectors[v] = (struct plan_vector){.policy = MEM_BIND, .node = v};
	for (int i = 0; i < MADE * VECTORS; i++) {
		placements[i] = (struct placement){.pages.pages = PAGES};
		placements[i].pages.on_node[i % VECTORS] = PAGES;
	}
	for (uint64_t i = 0; i < SAMPLES; i++) {
		threads[i] = (struct thread_sample){.end_ns = 1000000 + i, .units = 1000};
		samples[i] = (struct sample){.threads = &threads[i], .warmup = i == 0};
	}
	run.request = (struct request){.confidence = 0.95};
	run.plan = (struct plan){.request = &run.request,
		.vectors = vectors,
		.nvectors = VECTORS,
		.threads = &place,
		.nthreads = 1,
		.ops = &op,
		.nops = 1};
	run.samples = (struct samples){.plan = &run.plan, .ops = &result, .prepared = &prepared};
	run.skipped = false;
	return 0;
}

static void an_experiment_in_place_is_firm(void **state)
{
	const struct quality q = quality_of(&x, &env);

	(void)state;
	assert_int_equal(q.word, TRUST_FIRM);
	assert_int_equal(q.taken, SAMPLES - 1);
	assert_int_equal(q.disturbed, 0);
	assert_int_equal(q.vectors, VECTORS);
	assert_int_equal(q.misplaced, 0);
	assert_int_equal(q.unproven, 0);
	assert_true(q.others == 0.1 && q.steal == 0 && !q.throttled);
	assert_int_equal(q.figures[TRUST_FIRM], 1);
	assert_true(q.widest > 0 && q.widest < 1);
}

static size_t misplaced(void)
{
	return quality_of(&x, &env).misplaced;
}

/* Node 0 is a node as any other, and each placement counts. */
static void pages_that_are_elsewhere_are_found(void **state)
{
	struct mem_found *first = &placements[0].pages,
			 *last = &placements[MADE * VECTORS - 1].pages;

	(void)state;
	first->on_node[0]--;
	first->on_node[3]++;
	assert_int_equal(misplaced(), 1);
	last->on_node[1]--;
	last->on_node[0]++;
	assert_int_equal(misplaced(), 2);
	/* a vector of several nodes, or of none that is certain, may lie there */
	vectors[0].policy = MEM_INTERLEAVE;
	assert_int_equal(misplaced(), 1);
	vectors[1].node = -1;
	assert_int_equal(misplaced(), 0);
}

static void pages_that_left_or_are_absent_are_misplaced(void **state)
{
	(void)state;
	placements[1].moved = 1;
	assert_int_equal(misplaced(), 1);
	placements[0].pages.absent = 1;
	assert_int_equal(misplaced(), 2);
	placements[1].moved = 0;
	placements[2].pages = (struct mem_found){0};
	placements[3].pages = (struct mem_found){0};
	const struct quality q = quality_of(&x, &env);

	assert_int_equal(q.misplaced, 1);
	assert_int_equal(q.unproven, 1); /* the one that is misplaced is not counted twice */
}

static void runs_that_were_not_measured_say_nothing(void **state)
{
	(void)state;
	samples[2].disturbed = DISTURBED_PREEMPTED;
	assert_int_equal(quality_of(&x, &env).disturbed, 1);
	run.request.quick = true;
	assert_true(quality_of(&x, &env).quick);
	run.skipped = true;
	const struct quality q = quality_of(&x, &env);

	assert_true(!q.quick && q.taken == 0 && q.vectors == 0 && q.word == TRUST_WEAK);
}

/* Threads that are as quick as ever, but do less, or not at the same time. */
static void a_bandwidth_is_judged_by_its_own_interval(void **state)
{
	static const struct kernel reads = {
		.unit = "access", .measures = ATTRIBUTE_READ_BANDWIDTH, .per_unit = {.bytes = 8}};

	(void)state;
	job.kernel = &reads;
	assert_int_equal(quality_of(&x, &env).word, TRUST_FIRM);
	threads[2].units = 600;
	assert_int_equal(quality_of(&x, &env).word, TRUST_WEAK);
	job.kernel = &kernel;
	assert_int_equal(quality_of(&x, &env).word, TRUST_FIRM);
}

#define RUN(function) cmocka_unit_test_setup(function, build)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_are_counted_by_their_marks),
		cmocka_unit_test(what_is_all_weak_has_its_reasons_alone),
		cmocka_unit_test(one_that_is_weak_makes_a_sentence_weak),
		cmocka_unit_test(each_border_of_the_machine_is_still_within),
		cmocka_unit_test(what_is_not_recorded_is_not_firm),
		cmocka_unit_test(each_reason_is_named),
		cmocka_unit_test(widths_end_at_a_thousand_per_cent),
		cmocka_unit_test(conditions_are_what_facts_say),
		RUN(an_experiment_in_place_is_firm),
		RUN(pages_that_are_elsewhere_are_found),
		RUN(pages_that_left_or_are_absent_are_misplaced),
		RUN(runs_that_were_not_measured_say_nothing),
		RUN(a_bandwidth_is_judged_by_its_own_interval),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
