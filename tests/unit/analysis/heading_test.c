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
	const char *title, *counted, *words;
} titles[] = {
	{"ns_per_unit (ns)", "access", "time (ns per access)"},
	{"ns_per_unit (us), chase, thread 1, n=2", "load",
		"time (us per load), chase, thread 1, n=2"},
	{"ns_per_unit (ns)", NULL, "time (ns per unit)"},
	{"ns_per_unit", "access", "time"},
	{"cost (s), read", "access", "cost (s), read"},
	{"cost (seconds per unit)", "access", "cost (seconds per access)"},
	{"cost (ns per unit)", NULL, "cost (ns per unit)"},
	{"whole_time (s), a_b=c_d", "access", "whole time (s), a_b=c_d"},
	{"tokens_per_s (token/s)", NULL, "tokens (token/s)"},
	{"tokens_per_s", NULL, "tokens per s"},
	{"cache-misses (per unit)", "access", "cache-misses (per access)"},
	{"mem_load.l3_miss (per unit)", NULL, "mem_load.l3_miss (per unit)"},
	{"PAPI_L1_DCM (per unit)", "line", "PAPI_L1_DCM (per line)"},
	{"speedup", "access", "speedup"},
	{"", NULL, ""},
	{"(", NULL, "("},
	{"a (b", NULL, "a (b"},
};

static void quantities_are_words_and_events_stay(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(titles) / sizeof(*titles); i++) {
		char *words = heading_words(titles[i].title, titles[i].counted);

		assert_string_equal(titles[i].words, words);
		free(words);
	}
}

static void check_subject(const char *title, const char *counted, const char *expected)
{
	char *words = heading_subject(title, counted);

	assert_string_equal(expected, words);
	free(words);
}

static void subjects_are_without_units(void **state)
{
	(void)state;
	check_subject("ns_per_unit (ns)", "access", "time per access");
	check_subject("extra (ns), n=2", NULL, "extra time per unit");
	check_subject("whole_time (s)", "access", "whole time");
	check_subject("tokens_per_s (token/s)", NULL, "tokens");
	check_subject("PAPI_L1_DCM (per unit)", "line", "PAPI_L1_DCM");
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
		cmocka_unit_test(subjects_are_without_units),
		cmocka_unit_test(a_sentence_begins_with_a_large_letter_and_names_stay),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
