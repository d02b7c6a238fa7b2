/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far figures can be trusted, in a word and its reasons. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "analysis/quality.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_worst_of_what_is_known_decides),
		cmocka_unit_test(what_is_not_recorded_is_not_firm),
		cmocka_unit_test(each_reason_is_named),
		cmocka_unit_test(widths_end_at_a_thousand_per_cent),
		cmocka_unit_test(facts_are_read_as_they_are_written),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
