/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Titles in words. */
#include "analysis/heading.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static const struct {
	struct heading h;
	const char *title, *words, *subject;
} titles[] = {
	{{QUANTITY_NS_PER_UNIT, "ns_per_unit", NULL, "ns", NULL, "access"}, "ns_per_unit (ns)",
		"time (ns per access)", "time per access"},
	{{QUANTITY_NS_PER_UNIT, "ns_per_unit", NULL, "us", "chase, thread 1, n=2", "load"},
		"ns_per_unit (us), chase, thread 1, n=2",
		"time (us per load), chase, thread 1, n=2", "time per load"},
	{{QUANTITY_NS_PER_UNIT, "ns_per_unit", NULL, "ns", "", NULL}, "ns_per_unit (ns)",
		"time (ns per unit)", "time per unit"},
	{{QUANTITY_EXTRA, "extra", NULL, "ns", "n=2", NULL}, "extra (ns), n=2",
		"extra time (ns per unit), n=2", "extra time per unit"},
	{{QUANTITY_COST, "cost", NULL, "s", "read", "access"}, "cost (s), read", "cost (s), read",
		"cost"},
	{{QUANTITY_COST, "cost", NULL, "seconds per unit", NULL, "access"},
		"cost (seconds per unit)", "cost (seconds per access)", "cost"},
	{{QUANTITY_COST, "cost", NULL, "ns per unit", NULL, NULL}, "cost (ns per unit)",
		"cost (ns per unit)", "cost"},
	{{QUANTITY_WHOLE_TIME, "whole_time", NULL, "s", "a_b=c_d", "access"},
		"whole_time (s), a_b=c_d", "whole time (s), a_b=c_d", "whole time"},
	{{QUANTITY_CROSSING, "crossing", "n_b", "B", "load", NULL}, "crossing along n_b (B), load",
		"crossing along n b (B), load", "crossing"},
	{{QUANTITY_SPEEDUP, "speedup", NULL, "", NULL, "access"}, "speedup", "speedup", "speedup"},
	{{QUANTITY_FIGURE, "tokens_per_s", NULL, "token/s", NULL, NULL}, "tokens_per_s (token/s)",
		"tokens (token/s)", "tokens"},
	{{QUANTITY_FIGURE, "tokens_per_s", NULL, "", NULL, NULL}, "tokens_per_s", "tokens per s",
		"tokens per s"},
	{{QUANTITY_COUNTER, "cache-misses", NULL, "per unit", NULL, "access"},
		"cache-misses (per unit)", "cache-misses (per access)", "cache-misses"},
	{{QUANTITY_COUNTER, "mem_load.l3_miss", NULL, "per unit", NULL, NULL},
		"mem_load.l3_miss (per unit)", "mem_load.l3_miss (per unit)", "mem_load.l3_miss"},
	{{QUANTITY_COUNTER, "PAPI_L1_DCM", NULL, "per unit", NULL, "line"},
		"PAPI_L1_DCM (per unit)", "PAPI_L1_DCM (per line)", "PAPI_L1_DCM"},
	{{QUANTITY_FIGURE, "", NULL, "", NULL, NULL}, "", "", ""},
};

static void quantities_are_words_and_events_stay(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(titles) / sizeof(*titles); i++) {
		char *title = heading_title(&titles[i].h), *words = heading_words(&titles[i].h),
		     *subject = heading_subject(&titles[i].h);

		assert_string_equal(titles[i].title, title);
		assert_string_equal(titles[i].words, words);
		assert_string_equal(titles[i].subject, subject);
		free(title);
		free(words);
		free(subject);
	}
}

static void what_follows_is_divided_by_commas(void **state)
{
	char *rest = NULL, *axis = heading_axis("data_node");

	(void)state;
	heading_add(&rest, "chase", 1);
	heading_add_value(&rest, "n", "2");
	assert_string_equal(rest, "chase, thread 1, n=2");
	assert_string_equal(axis, "data node");
	free(rest);
	free(axis);
}

static void check_begin(const char *text, const char *expected, bool begun)
{
	char copy[64];

	snprintf(copy, sizeof(copy), "%s", text);
	assert_int_equal(heading_begin(copy), begun);
	assert_string_equal(expected, copy);
}

static void a_sentence_begins_with_a_large_letter_and_names_stay(void **state)
{
	(void)state;
	check_begin("cost of read", "Cost of read", true);
	check_begin("whole.", "Whole.", true);
	check_begin("reads: two of them", "Reads: two of them", true);
	check_begin("PAPI_L1_DCM", "PAPI_L1_DCM", true);
	check_begin("", "", true);
	check_begin("mem_load.l3_miss of read", "mem_load.l3_miss of read", false);
	check_begin("cpu/cycles:u of read", "cpu/cycles:u of read", false);
	check_begin("nodePerThread says where", "nodePerThread says where", false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quantities_are_words_and_events_stay),
		cmocka_unit_test(what_follows_is_divided_by_commas),
		cmocka_unit_test(a_sentence_begins_with_a_large_letter_and_names_stay),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
