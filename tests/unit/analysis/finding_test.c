/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sentences made of parts: what is left out where a part is missing, words, figures, styles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "analysis/finding.h"
#include "base/buffer.h"

static struct finding_list found;

static int forget(void **state)
{
	(void)state;
	findings_free(&found);
	return 0;
}

/* The sentence as HTML; to be freed. */
static char *page_of(const struct finding *f)
{
	struct buffer text;
	FILE *out = buffer_open(&text);

	finding_say(f, SAY_HTML, out);
	return buffer_text(&text, out);
}

static void check(const struct finding *f, const char *plain, const char *html)
{
	char *sentence = finding_sentence(f), *page = page_of(f);

	assert_string_equal(sentence, plain);
	assert_string_equal(page, html);
	free(sentence);
	free(page);
}

static struct finding *extremes(void)
{
	struct finding *f = findings_add(&found, FINDING_EXTREMES);

	finding_text(f, "quantity", "Time per access");
	finding_figure(f, "least", (struct amount){1.5, 1.4, 1.6}, "ns");
	finding_figure(f, "most", (struct amount){3.1e-9, NAN, NAN}, "s");
	return f;
}

static void parts_that_are_missing_leave_no_trace(void **state)
{
	struct finding *f = extremes();

	(void)state;
	check(f, "Time per access: from 1.5 +- 0.1 ns to 3.100 ns.",
		"Time per access: from <strong>1.5</strong>&nbsp;<small>±0.1</small>&nbsp;ns to "
		"<strong>3.100</strong>&nbsp;ns");
	finding_text(f, "values", "%s", "");
	finding_text(f, "operation", NULL);
	finding_figure(f, "times", AMOUNT_NONE, "");
	assert_null(finding_part(f, "values"));
	assert_null(finding_part(f, "times"));
}

static void parts_are_said_where_they_are_there(void **state)
{
	struct finding *f = extremes();

	(void)state;
	finding_text(f, "operation", "a<b");
	finding_text(f, "least_at", "size 16384B");
	finding_figure(f, "times", (struct amount){2, NAN, NAN}, "");
	check(f, "Time per access of a<b: from 1.5 +- 0.1 ns (size 16 KiB) to 3.100 ns: 2.0 times.",
		"Time per access of a&lt;b: from <strong>1.5</strong>&nbsp;<small>±0.1</small>"
		"&nbsp;ns (size 16&nbsp;KiB) to <strong>3.100</strong>&nbsp;ns: "
		"<strong>2.0&nbsp;times</strong>");
}

static void lists_are_said_one_by_one(void **state)
{
	struct finding *f = findings_add(&found, FINDING_COSTS);

	(void)state;
	finding_text(f, "quantity", "Cost");
	struct finding_list *list = finding_add_list(f, "figures");

	for (int i = 1; i < 3; i++) {
		struct finding *one = findings_add(list, FINDING_FIGURE);

		finding_text(one, "name", "op%d", i);
		finding_figure(one, "figure", (struct amount){i, NAN, NAN}, "s");
	}
	check(f, "Cost: op1 1 s, op2 2 s.",
		"Cost: op1 <strong>1</strong>&nbsp;s, op2 <strong>2</strong>&nbsp;s");
}

static void words_follow_numbers(void **state)
{
	struct finding *f = findings_add(&found, FINDING_THREADS);

	(void)state;
	finding_text(f, "curve", "n 5 %%");
	finding_figure(f, "most", (struct amount){41.234, NAN, NAN}, "GB/s");
	finding_text(f, "threads", "8");
	finding_text(f, "fewest", "1");
	finding_figure(f, "part", (struct amount){90, NAN, NAN}, "%");
	check(f, "n 5 %: the most, 41.2 GB/s, with 8 threads; 1 thread reaches 90 % of it.",
		"n 5&nbsp;%: the most, 41.2 GB/s, with <strong>8 threads</strong>; 1 thread "
		"reaches "
		"90&nbsp;% of it");
}

static void every_kind_has_a_name_of_its_own_and_a_sentence(void **state)
{
	(void)state;
	for (enum finding_kind k = 0; k < FINDING_KINDS; k++) {
		free(finding_sentence(findings_add(&found, k)));
		for (enum finding_kind other = 0; other < k; other++)
			assert_string_not_equal(finding_kind_name(other), finding_kind_name(k));
	}
}

static void parts_of_another_type_do_no_harm(void **state)
{
	(void)state;
	for (enum finding_kind k = 0; k < FINDING_KINDS; k++)
		for (int type = 0; type < 3; type++) {
			static const char *const names[] = {"quantity", "least", "most", "times",
				"within", "count", "figures", "threads", "fewest", "near", "at",
				"open", "first", "base", "part", "enough"};
			struct finding *f = findings_add(&found, k);

			for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
				if (type == 0)
					finding_text(f, names[i], "x");
				else if (type == 1)
					finding_figure(f, names[i], (struct amount){1, 1, 1}, "s");
				else
					finding_add_list(f, names[i]);
			}
			free(finding_sentence(f));
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(parts_that_are_missing_leave_no_trace, forget),
		cmocka_unit_test_teardown(parts_are_said_where_they_are_there, forget),
		cmocka_unit_test_teardown(lists_are_said_one_by_one, forget),
		cmocka_unit_test_teardown(words_follow_numbers, forget),
		cmocka_unit_test_teardown(every_kind_has_a_name_of_its_own_and_a_sentence, forget),
		cmocka_unit_test_teardown(parts_of_another_type_do_no_harm, forget),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
