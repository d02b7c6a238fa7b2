/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words, near names, ranges and first lines: what is read, what is refused, what is written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../scratch.h"
#include "base/text.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static void test_nearest(void **state)
{
	static const char *const names[] = {
		"stride", "read", "write", "chase", "threads", "sleep", "n"};
	static const struct {
		const char *text, *nearest;
	} cases[] = {
		{"strid", "stride"},
		{"stride", "stride"},
		{"STRIDE", "stride"},
		{"tsride", "stride"}, /* two neighbours swapped count once */
		{"sdirte", NULL},
		{"thread", "threads"},
		{"raed", "read"},
		{"wriite", "write"},
		{"chsae", "chase"},
		{"slepe", "sleep"},
		{"r", NULL},
		{"re", NULL},
		{"rad", "read"},
		{"N", "n"},
		{"m", NULL},
		{"", NULL},
		{"bandwidth", NULL},
		{"st", NULL},
	};
	const char *nearest;

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		nearest = text_nearest(cases[i].text, names, LENGTH(names));
		if (!nearest != !cases[i].nearest ||
			(nearest && strcmp(nearest, cases[i].nearest) != 0))
			fail_msg("'%s' is near '%s'", cases[i].text, nearest ? nearest : "none");
	}
	assert_null(text_nearest("read", names, 0));
}

static void test_nearest_tie(void **state)
{
	static const char *const names[] = {"long", "load1", "load2", "load"};

	(void)state;
	assert_string_equal(text_nearest("load3", names, 4), "load1");
	assert_string_equal(text_nearest("load", names, 4), "load");
}

static void test_words(void **state)
{
	struct words w = {0};

	(void)state;
	words_split(&w, " ,a, bc ,,d", " ,");
	words_split(&w, "", ",");
	words_split(&w, ",,", ",");
	words_add(&w, "efgh", 2);
	assert_int_equal(w.count, 4);
	assert_string_equal(w.word[0], "a");
	assert_string_equal(w.word[1], "bc");
	assert_string_equal(w.word[2], "d");
	assert_string_equal(w.word[3], "ef");
	words_free(&w);
	assert_int_equal(w.count, 0);
	assert_null(w.word);
	words_free(&w);
}

static void test_trim(void **state)
{
	static const char *const cases[][2] = {{"", ""}, {" \t\n", ""}, {"a", "a"},
		{" a b\t\r\n", "a b"}, {"\xc3\xa4 ", "\xc3\xa4"}};
	char buffer[32];

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		strcpy(buffer, cases[i][0]);
		assert_string_equal(text_trim(buffer), cases[i][1]);
	}
}

static void test_ranges(void **state)
{
	static const struct {
		const char *set, *text; /* set: '1' marks a member */
	} cases[] = {
		{"", "none"},
		{"0000", "none"},
		{"1", "0"},
		{"1111", "0-3"},
		{"111100001", "0-3,8"},
		{"0110100011", "1-2,4,8-9"},
		{"10101", "0,2,4"},
	};
	bool set[16], back[16];
	char buffer[64];
	size_t count;

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		count = strlen(cases[i].set);
		for (size_t k = 0; k < count; k++)
			set[k] = cases[i].set[k] == '1';
		assert_string_equal(text_ranges(set, count, buffer, sizeof(buffer)), cases[i].text);
		if (strcmp(cases[i].text, "none") == 0)
			continue;
		assert_true(text_parse_ranges(buffer, back, count) > 0);
		assert_memory_equal(set, back, count * sizeof(*set));
	}
}

static void test_ranges_cut(void **state)
{
	static const bool set[] = {1, 1, 0, 1, 0, 1, 0, 1};
	static const char *const cases[] = {"", "n", "no", "...", "0...", "0-...", "0-1...",
		"0-1,...", "0-1,3...", "0-1,3,5,7"};
	char buffer[16];

	(void)state;
	for (size_t n = 4; n < 9; n++) {
		memset(buffer, 'x', sizeof(buffer));
		assert_string_equal(text_ranges(set, LENGTH(set), buffer, n), cases[n - 1]);
		assert_int_equal(buffer[n], 'x');
	}
	assert_string_equal(text_ranges(set, LENGTH(set), buffer, 10), cases[9]);
}

static void test_parse_ranges(void **state)
{
	static const struct {
		const char *text;
		int total;
		const char *set;
	} cases[] = {
		{"", 0, "0000000000"},
		{"0", 1, "1000000000"},
		{"0-3,8", 5, "1111000010"},
		{"8,0-3", 5, "1111000010"},
		{"1,1,0-2", 3, "1110000000"},
		{"9-9", 1, "0000000001"},
		{"8-11", 2, "0000000011"},
		{"10,64-127", 0, "0000000000"},
		{"0-18446744073709551615", 10, "1111111111"},
		{"3,18446744073709551616", 1, "0001000000"},
		{"3-1", -1, NULL},
		{"-1", -1, NULL},
		{"1-", -1, NULL},
		{"1,", -1, NULL},
		{",1", -1, NULL},
		{"1,,2", -1, NULL},
		{"1-2-3", -1, NULL},
		{"1 2", -1, NULL},
		{" 1", -1, NULL},
		{"1- 2", -1, NULL},
		{"0x1", -1, NULL},
		{"none", -1, NULL},
		{"12abc", -1, NULL},
	};
	bool set[10];

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		memset(set, 1, sizeof(set));
		if (text_parse_ranges(cases[i].text, set, LENGTH(set)) != cases[i].total)
			fail_msg("'%s' should give %d", cases[i].text, cases[i].total);
		for (size_t k = 0; cases[i].set && k < LENGTH(set); k++)
			assert_int_equal(set[k], cases[i].set[k] == '1');
	}
}

static void test_first_line(void **state)
{
	static const struct {
		const char *content;
		int result;
		const char *line;
	} cases[] = {
		{"0-3\n", 0, "0-3"},
		{"0-3", 0, "0-3"},
		{"0-3\nnext\n", 0, "0-3"},
		{"\n", 0, ""},
		{"", 0, ""},
		{"1234567", 0, "1234567"},
		{"1234567\n", 0, "1234567"},
		{"12345678\n", -1, NULL},
	};
	char buffer[8];

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		const char *path = scratch_write(cases[i].content);

		errno = 0;
		assert_int_equal(text_first_line(path, buffer, sizeof(buffer)), cases[i].result);
		assert_int_equal(errno, cases[i].result == 0 ? 0 : ERANGE);
		if (cases[i].line)
			assert_string_equal(buffer, cases[i].line);
	}
	scratch_remove();
	assert_int_equal(text_first_line("there is no such file", buffer, sizeof(buffer)), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(text_first_line("/", buffer, sizeof(buffer)), -1);
	assert_int_equal(errno, EISDIR);
}

/* Of https://www.cl.cam.ac.uk/~mgk25/ucs/examples/UTF-8-test.txt the kinds that decoders got wrong.
 */
static void test_character(void **state)
{
	static const struct {
		const char *text;
		size_t bytes;
	} cases[] = {
		{"", 0},
		{"a", 1},
		{"\x7f", 1},
		{"\xc3\xbc...", 2},
		{"\xe2\x82\xac", 3},
		{"\xf0\x9f\x98\x80", 4},
		{"\xf4\x8f\xbf\xbf", 4},
		{"\x80", 0},
		{"\xff", 0},
		{"\xc3", 0}, /* cut off */
		{"\xc3\xc3", 0},
		{"\xe2\x82", 0},
		{"\xf0\x9f\x98", 0},
		{"\xc0\xaf", 0}, /* longer forms of / */
		{"\xe0\x80\xaf", 0},
		{"\xf0\x80\x80\xaf", 0},
		{"\xed\xa0\x80", 0},     /* a surrogate */
		{"\xf4\x90\x80\x80", 0}, /* above U+10FFFF */
		{"\xf8\x88\x80\x80\x80", 0},
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++)
		assert_int_equal(text_character(cases[i].text), cases[i].bytes);
}

static void test_quoted(void **state)
{
	static const struct {
		const char *word, *quoted;
	} cases[] = {
		{"args/a-b_1.args", "args/a-b_1.args"},
		{"OMP_NUM_THREADS=2", "OMP_NUM_THREADS=2"},
		{"", "''"},
		{"a b", "'a b'"},
		{"{0},{1}", "'{0},{1}'"},
		{"$d*", "'$d*'"},
		{"it's", "'it'\\''s'"},
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		char *text = NULL;
		size_t bytes = 0;
		FILE *out = open_memstream(&text, &bytes);

		text_print_quoted(cases[i].word, out);
		fclose(out);
		assert_string_equal(text, cases[i].quoted);
		free(text);
	}
}

static void test_shown(void **state)
{
	static const struct {
		const char *text, *shown;
	} cases[] = {
		{"", ""},
		{"two\nlines\r\n\tä €", "two\nlines\r\n\tä €"},
		{"\033[2J", "\\x1b[2J"},
		{"\001a\177\a", "\\x01a\\x7f\\x07"},
		{"over\rwritten", "over\\x0dwritten"},
		{"\xc2\x9b"
		 "2J",
			"\\xc2\\x9b2J"},
		{"\xc2\xa0", "\xc2\xa0"}, /* no-break space */
		{"\x9b"
		 "2J \xe4",
			"\\x9b2J \xe4"}, /* Latin-1 */
		{"\xe2\x82\x9b", "\xe2\x82\x9b"},
		{"\xc2", "\xc2"},
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		char *text = NULL;
		size_t bytes = 0;
		FILE *out = open_memstream(&text, &bytes);

		text_print_shown(cases[i].text, out);
		fclose(out);
		assert_string_equal(text, cases[i].shown);
		assert_int_equal(text_control(text) != NULL, 0);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "a mistyped name finds its neighbour, a foreign one none",
			.test_func = test_nearest},
		{.name = "of equally near names the first is found", .test_func = test_nearest_tie},
		{.name = "splitting drops empty words", .test_func = test_words},
		{.name = "trimming cuts white space from both ends only", .test_func = test_trim},
		{.name = "a set is written as ranges and read back", .test_func = test_ranges},
		{.name = "ranges that do not fit end in dots", .test_func = test_ranges_cut},
		{.name = "ranges with holes are read, others refused",
			.test_func = test_parse_ranges},
		{.name = "the first line of a file is whole or an error",
			.test_func = test_first_line},
		{.name = "a character of UTF-8 is told from other bytes",
			.test_func = test_character},
		{.name = "a shell reads what is printed as one word", .test_func = test_quoted},
		{.name = "what a terminal would obey is printed as text", .test_func = test_shown},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
