/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Verdicts on claims, from known samples of runs. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "analysis/claims.h"
#include "statistics/intervals.h"

enum { OPS = 2, RUNS = 4, PLACEMENTS = 3, SAMPLES = 3, ALL = PLACEMENTS * SAMPLES };

/* Runs d=0 to d=3 of one thread; the last one cannot be done here. */
struct stage {
	struct experiment x;
	struct run runs[RUNS];
	struct plan_job jobs[OPS];
	struct plan_op ops[OPS];
	struct plan_thread thread;
	struct op_result results[RUNS][OPS];
	struct sample samples[RUNS][OPS][ALL];
	struct thread_sample threads[RUNS][OPS][ALL];
	struct variable d;
	char *values[RUNS];
	size_t combinations[RUNS];
	struct line lines[8];
	struct topo topo;
};

static const struct kernel kernel = {.unit = "access"};

/* Costs of placements in us, by run and operation. */
static const double costs[RUNS][OPS][PLACEMENTS] = {
	{{100, 101, 102}, {300, 301, 303}},
	{{150, 151, 149}, {300, 302, 301}},
	{{100, 140, 190}, {900, 905, 903}},
};

static void build_samples(struct stage *s, int run, int op)
{
	for (int i = 0; i < ALL; i++) {
		struct thread_sample *t = &s->threads[run][op][i];

		t->end_ns = (uint64_t)llround(costs[run][op][i / SAMPLES] * 1e3);
		s->samples[run][op][i] =
			(struct sample){.threads = t, .placement = (size_t)(i / SAMPLES)};
	}
	s->results[run][op] = (struct op_result){.samples = s->samples[run][op], .count = ALL};
}

static void build_run(struct stage *s, int run)
{
	static char *const labels[] = {"d=0", "d=1", "d=2", "d=3"};
	struct run *t = &s->runs[run];

	t->label = labels[run];
	t->request = (struct request){.confidence = 0.95, .statistic = STATISTIC_MEDIAN};
	t->plan = (struct plan){.request = &t->request,
		.threads = &s->thread,
		.nthreads = 1,
		.ops = s->ops,
		.nops = OPS};
	if (run == RUNS - 1) {
		t->skipped = true;
		error_add(&t->errors, STATUS_PLACEMENT, NOWHERE, "there is one node");
		return;
	}
	for (int op = 0; op < OPS; op++)
		build_samples(s, run, op);
	t->samples = (struct samples){.plan = &t->plan, .ops = s->results[run]};
}

static int build(void **state)
{
	static char *const words[] = {"0", "1", "2", "3"}, *const names[] = {"load", "gups"};
	struct stage *s = calloc(1, sizeof(*s));

	for (int op = 0; op < OPS; op++) {
		s->jobs[op] =
			(struct plan_job){.kernel = &kernel, .name = names[op], .common.passes = 1};
		s->ops[op] = (struct plan_op){.label = names[op], .jobs = &s->jobs[op]};
	}
	for (int run = 0; run < RUNS; run++) {
		s->values[run] = words[run];
		s->combinations[run] = (size_t)run;
		build_run(s, run);
	}
	s->d = (struct variable){.name = "d", .values = {.word = s->values, .count = RUNS}};
	s->x = (struct experiment){.topo = &s->topo,
		.file.claims.list = s->lines,
		.sweep = {.variables = &s->d,
			.nvariables = 1,
			.combinations = s->combinations,
			.count = RUNS},
		.runs = s->runs,
		.nruns = RUNS};
	*state = s;
	return 0;
}

static int tear_down(void **state)
{
	struct stage *s = *state;

	errors_free(&s->runs[RUNS - 1].errors);
	free(s);
	return 0;
}

static void claim(struct stage *s, const char *text)
{
	s->lines[s->x.file.claims.count++] =
		(struct line){.key = "claim", .text = (char *)text, .at = {"t.args", 7}};
}

static struct claims judged(struct stage *s)
{
	struct errors e = {0};
	struct claims c;

	int failed = claims_read(&c, &s->x, &e);
	errors_print(&e, 0, stderr);
	assert_false(failed);
	claims_judge(&c, &s->x);
	return c;
}

static void refused(struct stage *s, const char *text, const char *message, const char *hint)
{
	struct errors e = {0};
	struct claims c;

	s->x.file.claims.count = 0;
	claim(s, text);
	assert_int_equal(claims_read(&c, &s->x, &e), -1);
	assert_int_equal(e.count, 1);
	assert_int_equal(e.list[0].status, STATUS_USAGE);
	assert_non_null(strstr(e.list[0].text, "t.args:7: claim: "));
	assert_non_null(strstr(e.list[0].text, message));
	if (hint)
		assert_non_null(strstr(e.list[0].hint, hint));
	claims_free(&c);
	errors_free(&e);
}

static void each_operation_is_a_test(void **state)
{
	struct stage *s = *state;

	claim(s, "cost d=1 > d=0");
	claim(s, "cost d=2 ~ d=0 within=10%");
	struct claims c = judged(s);
	static const struct {
		const char *label;
		enum claim_verdict verdict;
	} expected[] = {{"load", CLAIM_HOLDS}, {"gups", CLAIM_NOT_SHOWN}, {"load", CLAIM_NOT_SHOWN},
		{"gups", CLAIM_FAILS}};

	assert_int_equal(c.ntests, 4);
	assert_int_equal(c.asked, 4);
	for (size_t i = 0; i < 4; i++) {
		assert_string_equal(c.tests[i].label, expected[i].label);
		assert_null(c.tests[i].reason);
		assert_int_equal(c.tests[i].verdict, expected[i].verdict);
	}
	assert_float_equal(c.tests[0].of_left.value, 150e-6, 1e-7);
	assert_float_equal(c.tests[0].figure.value, 1.485, 1e-3);
	claims_free(&c);
}

/* With four tests the intervals are those of 98.75 %: of the same values as speedups have. */
static void intervals_are_simultaneous(void **state)
{
	struct stage *s = *state;

	claim(s, "cost d=1 > d=0");
	struct claims c = judged(s);
	struct amount two =
		interval_of_ratio(costs[1][0], PLACEMENTS, costs[0][0], PLACEMENTS, 0.975);

	assert_float_equal(c.each, 0.975, 1e-12);
	assert_float_equal(c.tests[0].figure.low, two.low, 1e-9);
	assert_float_equal(c.tests[0].figure.high, two.high, 1e-9);
	claims_free(&c);
	claim(s, "cost d=2 > d=0");
	c = judged(s);
	struct amount four =
		interval_of_ratio(costs[1][0], PLACEMENTS, costs[0][0], PLACEMENTS, 0.9875);

	assert_float_equal(c.each, 0.9875, 1e-12);
	assert_float_equal(c.tests[0].figure.low, four.low, 1e-9);
	claims_free(&c);
	/* the samples themselves keep the file's */
	assert_float_equal(s->runs[0].request.confidence, 0.95, 0);
}

static void a_run_that_is_skipped_cannot_be_asked(void **state)
{
	struct stage *s = *state;

	claim(s, "cost operation=gups d=1 > d=0");
	claim(s, "cost operation=gups d=3 > d=0");
	struct claims c = judged(s);

	assert_int_equal(c.ntests, 2);
	assert_int_equal(c.asked, 1); /* the family is what can be asked */
	assert_float_equal(c.each, 0.95, 1e-12);
	assert_int_equal(c.tests[1].verdict, CLAIM_NOT_ASKED);
	assert_non_null(strstr(c.tests[1].reason, "d=3 operation=gups is skipped: "));
	assert_non_null(strstr(c.tests[1].reason, "there is one node"));
	claims_free(&c);
}

static void operations_are_compared_placement_by_placement(void **state)
{
	struct stage *s = *state;

	claim(s, "cost d=2 operation=load < operation=gups by=2x");
	struct claims c = judged(s);
	double ratios[PLACEMENTS];

	for (int i = 0; i < PLACEMENTS; i++)
		ratios[i] = costs[2][0][i] / costs[2][1][i];
	struct amount paired = interval_of_values(ratios, PLACEMENTS, 0.95);

	assert_int_equal(c.ntests, 1);
	assert_string_equal(c.tests[0].label, "load, gups");
	assert_float_equal(c.tests[0].figure.high, paired.high, 1e-9);
	assert_int_equal(c.tests[0].verdict, CLAIM_HOLDS);
	claims_free(&c);
}

static void without_an_interval_nothing_is_shown(void **state)
{
	struct stage *s = *state;

	for (int run = 0; run < 2; run++)
		s->results[run][0].count = SAMPLES;
	claim(s, "cost operation=load d=1 > d=0");
	struct claims c = judged(s);

	assert_int_equal(c.tests[0].verdict, CLAIM_NOT_SHOWN);
	assert_non_null(strstr(c.tests[0].reason, "placements: 3"));
	assert_float_equal(c.tests[0].figure.value, 1.5, 1e-9);
	claims_free(&c);
}

static void disturbed_samples_show_nothing(void **state)
{
	struct stage *s = *state;

	for (int i = 0; i < ALL; i++)
		s->samples[1][0][i].disturbed = DISTURBED_PREEMPTED;
	claim(s, "cost d=1 > d=0");
	struct claims c = judged(s);

	assert_int_equal(c.tests[0].verdict, CLAIM_NOT_SHOWN);
	assert_non_null(strstr(c.tests[0].reason, "disturbed"));
	claims_free(&c);
}

static void a_trial_shows_nothing(void **state)
{
	struct stage *s = *state;

	s->x.file.quick = true;
	claim(s, "cost operation=load d=1 > d=0");
	claim(s, "cost operation=load d=1 > d=17"); /* a trial leaves values out */
	struct claims c = judged(s);

	assert_int_equal(c.tests[0].verdict, CLAIM_NOT_ASKED);
	assert_non_null(strstr(c.tests[0].reason, "trial"));
	assert_non_null(strstr(c.tests[1].reason, "leaves out d=17"));
	claims_free(&c);
}

static void a_value_of_another_machine_cannot_be_asked(void **state)
{
	struct stage *s = *state;

	s->d.of_machine = true;
	claim(s, "cost operation=load d=9 > d=0");
	struct claims c = judged(s);

	assert_int_equal(c.ntests, 1);
	assert_int_equal(c.tests[0].verdict, CLAIM_NOT_ASKED);
	assert_string_equal(c.tests[0].reason, "this machine has no d=9");
	claims_free(&c);
}

/* A file may claim what only some machines count, and be measured without counters on all. */
static void a_metric_that_is_not_counted_cannot_be_asked(void **state)
{
	struct stage *s = *state;

	claim(s, "walk_cycles operation=load d=1 > d=0");
	claim(s, "translation_overhead operation=load d=1 ~ d=0 within=5%");
	struct claims c = judged(s);

	assert_int_equal(c.asked, 0);
	assert_int_equal(c.tests[0].verdict, CLAIM_NOT_ASKED);
	assert_string_equal(c.tests[0].reason,
		"walk_cycles is not counted: --set counters=tlb counts it, where the processor "
		"can");
	assert_true(c.list[1].differs);
	claims_free(&c);
}

static void mistakes_are_refused(void **state)
{
	struct stage *s = *state;

	refused(s, "cost d=0 d=1", "compares nothing", "> < or ~");
	refused(s, "cost d=0 >", "compares nothing", NULL);
	refused(s, "cst d=0 > d=1", "unknown quantity 'cst'; did you mean 'cost'?", "busy");
	refused(s, "speedup d=0 > d=1", "speedup cannot be claimed", "cost, busy");
	refused(s, "crossing d=0 > d=1", "crossing cannot be claimed", NULL);
	refused(s, "d=0 > d=1", "'d=0' is not understood", NULL);
	refused(s, "cost d=0 > d=17", "the sweep's d is never '17'", "its values: 0 1 2 3");
	refused(s, "cost f=0 > d=1", "'f=0' is not understood", NULL);
	refused(s, "cost d=0 d=1 > d=2", "names 'd' more than once", NULL);
	refused(s, "cost > d=1", "only one side names 'd'", "on both sides");
	refused(s, "cost d=0 > thread=0 d=1", "only one side names a thread", NULL);
	refused(s, "cost d=0 > d=1 operation=load", "only one side names an operation", NULL);
	refused(s, "cost d=0 operation=lod > d=1", "operation 'lod'; did you mean 'load'?", NULL);
	refused(s, "cost d=0 > d=0", "are the same", NULL);
	refused(s, "cost d=0 > ns_per_unit d=1", "different units", NULL);
	refused(s, "page_walks d=0 > translation_overhead d=1", "different units", NULL);
	refused(s, "numa_overhead d=0 > d=1", "numa_overhead needs a baseline", NULL);
	refused(s, "walk_cycle d=0 > d=1", "unknown quantity 'walk_cycle'", "counters");
	refused(s, "cost d=0 ~ d=1", "how far apart", "within=5%");
	refused(s, "cost d=0 ~ d=1 by=5%", "'by=5%' is not understood", NULL);
	refused(s, "cost d=0 > d=1 within=5%", "'within=5%' is not understood", NULL);
	refused(s, "cost d=0 > d=1 by=2", "'by=2' is no margin", "by=2x");
	refused(s, "cost d=0 > d=1 by=-2%", "'by=-2%' is no margin", NULL);
	refused(s, "cost d=0 > d=1 by=0.5x", "'by=0.5x' is no margin", NULL);
	refused(s, "cost d=0 > d=1 by=nanx", "'by=nanx' is no margin", NULL);
	s->x.sweep.count = 1; /* where leaves out all but d=0 */
	refused(s, "cost d=1 > d=2", "compares no runs", "where leaves them out");
}

#define TEST(name, function)                           \
	{                                              \
		name, function, build, tear_down, NULL \
	}

int main(void)
{
	cmocka_set_message_output(CM_OUTPUT_TAP);
	const struct CMUnitTest tests[] = {
		TEST("each operation is a test", each_operation_is_a_test),
		TEST("all intervals together have the confidence of the file",
			intervals_are_simultaneous),
		TEST("a claim about a run that is skipped cannot be asked",
			a_run_that_is_skipped_cannot_be_asked),
		TEST("operations of a run are compared placement by placement",
			operations_are_compared_placement_by_placement),
		TEST("without an interval nothing is shown", without_an_interval_nothing_is_shown),
		TEST("disturbed samples show nothing", disturbed_samples_show_nothing),
		TEST("a trial shows nothing", a_trial_shows_nothing),
		TEST("a value that only other machines have cannot be asked",
			a_value_of_another_machine_cannot_be_asked),
		TEST("a metric that the file does not count cannot be asked, and says how",
			a_metric_that_is_not_counted_cannot_be_asked),
		TEST("mistakes are refused, each with what to write", mistakes_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
