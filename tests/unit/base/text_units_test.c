/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers and units: what is read, what is refused, what is written for people. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

struct whole_case {
	const char *text;
	int result;
	uint64_t value;
};

struct real_case {
	const char *text;
	int result;
	double value;
};

/* Texts that no reader of numbers accepts; each of them also leaves the value unchanged. */
static const char *const no_numbers[] = {"", " ", "-", "+", ".", "-1x", "12abc", "1e400", "-1e400",
	"nan", "NAN", "inf", "-inf", "infinity", "0x10", "-0x1p3", " 5", "5 ", "5\n", "\t5",
	"1 000", "1,5", "--5", "+-5", "e5", "%", "ms", "MiB", "5..0", "1.2.3"};

static void check_whole(
	const struct whole_case *cases, size_t count, int (*read)(const char *, uint64_t *))
{
	uint64_t value;

	for (size_t i = 0; i < count; i++) {
		value = 4711;
		if (read(cases[i].text, &value) != cases[i].result)
			fail_msg("'%s' should give %d", cases[i].text, cases[i].result);
		if (value != (cases[i].result == 0 ? cases[i].value : 4711))
			fail_msg("'%s' gave %ju", cases[i].text, (uintmax_t)value);
	}
	for (size_t i = 0; i < LENGTH(no_numbers); i++) {
		value = 4711;
		if (read(no_numbers[i], &value) != -1 || value != 4711)
			fail_msg("'%s' gave %ju", no_numbers[i], (uintmax_t)value);
	}
}

static void check_real(
	const struct real_case *cases, size_t count, int (*read)(const char *, double *))
{
	double value;

	for (size_t i = 0; i < count; i++) {
		value = 4711;
		if (read(cases[i].text, &value) != cases[i].result)
			fail_msg("'%s' should give %d", cases[i].text, cases[i].result);
		if (value != (cases[i].result == 0 ? cases[i].value : 4711))
			fail_msg("'%s' gave %.17g", cases[i].text, value);
	}
	for (size_t i = 0; i < LENGTH(no_numbers); i++) {
		value = 4711;
		if (read(no_numbers[i], &value) != -1 || value != 4711)
			fail_msg("'%s' gave %.17g", no_numbers[i], value);
	}
}

static void test_count(void **state)
{
	static const struct whole_case cases[] = {
		{"0", 0, 0},
		{"7", 0, 7},
		{"007", 0, 7},
		{"18446744073709551615", 0, UINT64_MAX},
		{"18446744073709551616", -1, 0},
		{"18446744073709551620", -1, 0},
		{"99999999999999999999999", -1, 0},
		{"-1", -1, 0},
		{"+1", -1, 0},
		{"1.0", -1, 0},
		{"1e3", -1, 0},
		{"4K", -1, 0},
	};

	(void)state;
	check_whole(cases, LENGTH(cases), text_count);
}

static void test_real(void **state)
{
	static const struct real_case cases[] = {
		{"0", 0, 0},
		{"1.5", 0, 1.5},
		{"-1.5", 0, -1.5},
		{"+2", 0, 2},
		{".5", 0, 0.5},
		{"-.5", 0, -0.5},
		{"5.", 0, 5},
		{"1e3", 0, 1000},
		{"25E-2", 0, 0.25},
		{"1e", -1, 0},
		{"1e+", -1, 0},
		{"50%", -1, 0},
		{"1e309", -1, 0},
	};

	(void)state;
	check_real(cases, LENGTH(cases), text_real);
}

static void test_fraction(void **state)
{
	static const struct real_case cases[] = {
		{"0", 0, 0},
		{"1", 0, 1},
		{"0.5", 0, 0.5},
		{"50%", 0, 0.5},
		{"12.5%", 0, 0.125},
		{"100%", 0, 1},
		{"50%%", -1, 0},
		{"50 %", -1, 0},
		{"50%x", -1, 0},
	};

	(void)state;
	check_real(cases, LENGTH(cases), text_fraction);
}

static void test_duration(void **state)
{
	static const struct whole_case cases[] = {
		{"500ms", 0, 500000000},
		{"1.5s", 0, 1500000000},
		{"20us", 0, 20000},
		{"100ns", 0, 100},
		{"2min", 0, UINT64_C(120000000000)},
		{"500", 0, 500000000},
		{"0.5", 0, 500000},
		{"0", 0, 0},
		{"0.1s", 0, 100000000},
		{"4.350s", 0, UINT64_C(4350000000)},
		{"0.000001", 0, 1},
		{"0.0000001", -1, 0},
		{"1.5ns", -1, 0},
		{"18446744073709551615ns", 0, UINT64_MAX},
		{"18446744073709551616ns", -1, 0},
		{"18446744073.709551615s", 0, UINT64_MAX},
		{"18446744073.709551616s", -1, 0},
		{"307445735min", -1, 0},
		{"-5ms", -1, 0},
		{"+5ms", -1, 0},
		{"5 ms", -1, 0},
		{"5m", -1, 0},
		{"5MS", -1, 0},
		{"5.s", -1, 0},
		{".5s", -1, 0},
		{"1e3ms", -1, 0},
	};

	(void)state;
	check_whole(cases, LENGTH(cases), text_duration);
}

static void test_bytes(void **state)
{
	static const struct whole_case cases[] = {
		{"0B", 0, 0},
		{"192B", 0, 192},
		{"4KiB", 0, 4096},
		{"4K", 0, 4096},
		{"2M", 0, 2097152},
		{"1G", 0, 1073741824},
		{"1T", 0, UINT64_C(1099511627776)},
		{"200MiB", 0, 209715200},
		{"1.5GiB", 0, 1610612736},
		{"1TiB", 0, UINT64_C(1099511627776)},
		{"1kB", 0, 1000},
		{"3MB", 0, 3000000},
		{"2GB", 0, 2000000000},
		{"1TB", 0, UINT64_C(1000000000000)},
		{"0.3kB", 0, 300},
		{"0.1KiB", -1, 0},
		{"1.5B", -1, 0},
		{"1.0B", 0, 1},
		{"18446744073709551615B", 0, UINT64_MAX},
		{"18446744073709551616B", -1, 0},
		{"16777215TiB", 0, UINT64_C(16777215) << 40},
		{"16777216TiB", -1, 0},
		{"99999999999TiB", -1, 0},
		{"-4KiB", -1, 0},
		{"4 KiB", -1, 0},
		{"4", -1, 0},
		{"4KB", -1, 0},
		{"4kib", -1, 0},
		{"4Ki", -1, 0},
		{"4PiB", -1, 0},
		{"4KiBx", -1, 0},
	};

	(void)state;
	check_whole(cases, LENGTH(cases), text_bytes);
}

static void test_percent(void **state)
{
	static const struct {
		double part;
		const char *text;
	} cases[] = {
		{0, "0 %"},
		{0.00042, "0.042 %"},
		{0.0426, "4.3 %"},
		{0.0996, "10 %"},
		{0.426, "43 %"},
		{0.996, "100 %"},
		{-1.5, "-150 %"},
		{12.34, "1234 %"},
		{NAN, "n/a"},
	};
	char buffer[32];

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++)
		assert_string_equal(
			text_percent(cases[i].part, buffer, sizeof(buffer)), cases[i].text);
}

static void test_flag(void **state)
{
	static const struct {
		const char *text;
		int result;
		bool value;
	} cases[] = {
		{"yes", 0, true},
		{"true", 0, true},
		{"on", 0, true},
		{"1", 0, true},
		{"no", 0, false},
		{"false", 0, false},
		{"off", 0, false},
		{"0", 0, false},
		{"", -1, false},
		{"y", -1, false},
		{"2", -1, false},
		{"yes ", -1, false},
		{"yesno", -1, false},
	};
	bool value;

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		value = !cases[i].value;
		if (text_flag(cases[i].text, &value) != cases[i].result)
			fail_msg("'%s' should give %d", cases[i].text, cases[i].result);
		assert_int_equal(value, cases[i].result == 0 ? cases[i].value : !cases[i].value);
	}
}

static void test_size(void **state)
{
	static const struct {
		uint64_t bytes;
		const char *text;
	} cases[] = {
		{0, "0 B"},
		{1, "1 B"},
		{192, "192 B"},
		{1023, "1023 B"},
		{1024, "1 KiB"},
		{1536, "1.5 KiB"},
		{4096, "4 KiB"},
		{1000000, "977 KiB"},
		{1023 << 10, "1023 KiB"},
		{(1 << 20) - 1, "1 MiB"},
		{1280 << 10, "1.25 MiB"},
		{36608 << 10, "36608 KiB"}, /* 35.75 MiB of cache are not 35.8 */
		{200 << 20, "200 MiB"},
		{1234 << 20, "1234 MiB"},
		{UINT64_C(1536) << 20, "1.5 GiB"},
		{UINT64_C(65536123) << 10, "62.5 GiB"},
		{UINT64_C(1) << 40, "1 TiB"},
		{UINT64_C(1) << 60, "1 EiB"},
		{(UINT64_C(1) << 60) + (UINT64_C(1) << 50), "1025 PiB"},
		{UINT64_MAX, "16 EiB"},
	};
	char buffer[32];

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		assert_ptr_equal(text_size(cases[i].bytes, buffer, sizeof(buffer)), buffer);
		assert_string_equal(buffer, cases[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "a count is digits only and fits 64 bits", .test_func = test_count},
		{.name = "a real is a finite decimal number", .test_func = test_real},
		{.name = "a fraction is a number or a percentage", .test_func = test_fraction},
		{.name = "a duration is exact nanoseconds, without unit milliseconds",
			.test_func = test_duration},
		{.name = "a size has a unit and is a whole number of bytes",
			.test_func = test_bytes},
		{.name = "a flag is one of eight words", .test_func = test_flag},
		{.name = "a percentage for people has two digits, and no exponent",
			.test_func = test_percent},
		{.name = "a size for people is exact where it can be short",
			.test_func = test_size},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("text_units", tests, NULL, NULL);
}
