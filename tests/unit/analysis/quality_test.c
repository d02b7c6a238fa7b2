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

/* Costs of 100 with intervals of 1 %, of a machine that is known to be quiet. */
static struct quality quiet(void)
{
	struct quality q = QUALITY_NONE;

	quality_add(&q, (struct amount){100, 99, 101});
	q.taken = 100;
	q.others = q.steal = 0;
	q.vectors = 1;
	return q;
}

static void check(struct quality q, enum quality_word word, const char *expected)
{
	quality_judge(&q);
	char *text = quality_text(&q);

	assert_int_equal(q.word, word);
	assert_string_equal(text, expected);
	free(text);
}

static void the_worst_of_what_is_known_decides(void **state)
{
	struct quality q = quiet();

	(void)state;
	check(q, QUALITY_FIRM, "quiet");
	q.disturbed = 5;
	check(q, QUALITY_FIRM, "quiet");
	q.disturbed = 20;
	check(q, QUALITY_FAIR, "fairly quiet");
	q.disturbed = 21;
	check(q, QUALITY_WEAK, "not for conclusions: disturbed samples: 21 of 100");
	q.others = 87;
	check(q, QUALITY_WEAK,
		"not for conclusions: disturbed samples: 21 of 100, other programs used 87 % of "
		"the "
		"CPUs");
}

/* Each border is the last value that it lets through. */
static void each_border_is_still_within(void **state)
{
	struct quality q = quiet();

	(void)state;
	q.widest = 3;
	q.others = 5;
	q.steal = 1;
	check(q, QUALITY_FIRM, "quiet");
	q.widest = 10;
	q.others = q.steal = 20;
	q.steal = 5;
	check(q, QUALITY_FAIR, "fairly quiet");
	/* what another reason makes weak does not name them */
	q.disturbed = 20;
	q.quick = true;
	check(q, QUALITY_WEAK, "not for conclusions: a quick trial");
}

static void what_is_not_recorded_is_not_firm(void **state)
{
	struct quality q = quiet();

	(void)state;
	q.others = NAN;
	check(q, QUALITY_FAIR, "fairly quiet");
	q = quiet();
	q.unproven = 1;
	check(q, QUALITY_FAIR, "fairly quiet");
	check(QUALITY_NONE, QUALITY_WEAK, "not for conclusions");
}

static void each_reason_is_named(void **state)
{
	struct quality q = quiet();

	(void)state;
	quality_add(&q, (struct amount){1, 0.8, 1.2});
	quality_add(&q, (struct amount){1, NAN, NAN});
	quality_add(&q, AMOUNT_NONE); /* not measured: no figure */
	assert_int_equal(q.without_interval, 1);
	q.simulated = q.quick = q.interrupted = q.throttled = true;
	q.misplaced = 1;
	q.steal = 7;
	check(q, QUALITY_WEAK,
		"not for conclusions: a simulated machine, a quick trial, interrupted, figures "
		"without an interval, intervals of up to 20 %, the hypervisor took 7 % of the "
		"CPUs, a CPU quota stopped threads, pages that are not where they were asked for");
}

/* On a busy machine they may span powers of ten, whose digits tell nothing. */
static void widths_end_at_a_thousand_per_cent(void **state)
{
	struct quality q = quiet();

	(void)state;
	q.widest = 1000;
	check(q, QUALITY_WEAK, "not for conclusions: intervals of up to 1000 %");
	q.widest = 471970977202;
	check(q, QUALITY_WEAK, "not for conclusions: intervals of more than 1000 %");
}

static void facts_are_read_as_they_are_written(void **state)
{
	(void)state;
	assert_true(quality_percent("86.92 %") == 86.92);
	assert_true(isnan(quality_percent("unknown")) && isnan(quality_percent(NULL)));
	assert_true(quality_throttled("0.2 s in 7 periods"));
	assert_false(quality_throttled("0 s") || quality_throttled(NULL));
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
static struct fact facts[] = {{"others_load_during_run", (char *)"0.1 %"},
	{"steal_during_run", (char *)"0 %"}, {"throttled_during_run", (char *)"0 s in 0 periods"}};
static const struct environment env = {facts, 3};

static int build(void **state)
{
	(void)state;
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
	assert_int_equal(q.word, QUALITY_FIRM);
	assert_int_equal(q.taken, SAMPLES - 1);
	assert_int_equal(q.disturbed, 0);
	assert_int_equal(q.vectors, VECTORS);
	assert_int_equal(q.misplaced, 0);
	assert_int_equal(q.unproven, 0);
	assert_true(q.others == 0.1 && q.steal == 0 && !q.throttled);
	assert_true(q.widest > 0 && q.widest < 1 && q.without_interval == 0);
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

	assert_true(!q.quick && q.taken == 0 && q.vectors == 0 && q.word == QUALITY_WEAK);
}

/* Threads that are as quick as ever, but do less, or not at the same time. */
static void a_bandwidth_is_judged_by_its_own_interval(void **state)
{
	static const struct kernel reads = {
		.unit = "access", .measures = ATTRIBUTE_READ_BANDWIDTH, .per_unit = {.bytes = 8}};

	(void)state;
	job.kernel = &reads;
	assert_int_equal(quality_of(&x, &env).word, QUALITY_FIRM);
	threads[2].units = 600;
	assert_int_equal(quality_of(&x, &env).word, QUALITY_WEAK);
	job.kernel = &kernel;
	assert_int_equal(quality_of(&x, &env).word, QUALITY_FIRM);
}

#define RUN(function) cmocka_unit_test_setup(function, build)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_worst_of_what_is_known_decides),
		cmocka_unit_test(each_border_is_still_within),
		cmocka_unit_test(what_is_not_recorded_is_not_firm),
		cmocka_unit_test(each_reason_is_named),
		cmocka_unit_test(widths_end_at_a_thousand_per_cent),
		cmocka_unit_test(facts_are_read_as_they_are_written),
		RUN(an_experiment_in_place_is_firm),
		RUN(pages_that_are_elsewhere_are_found),
		RUN(pages_that_left_or_are_absent_are_misplaced),
		RUN(runs_that_were_not_measured_say_nothing),
		RUN(a_bandwidth_is_judged_by_its_own_interval),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
