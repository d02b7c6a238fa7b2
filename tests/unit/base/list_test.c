/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of lists: what each form stands for, and what is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "base/list.h"

/* A machine of places A to C with 1 to 3 parts each; numbers are no places, and Z is refused. */
static int parts_of(void *user, const char *value, struct words *out, struct errors *e)
{
	(void)user;
	if (*value == 'Z')
		return error_add(e, STATUS_PLACEMENT, NOWHERE, "k: there is no Z");
	const int parts = *value >= '0' && *value <= '9'   ? *value - '0'
			  : *value >= 'A' && *value <= 'C' ? *value - 'A' + 1
							   : 0;

	for (int i = 0; i < parts; i++)
		words_add(out, value, strlen(value));
	return parts;
}

/* Rules by their letter: r ranges, w a length of 4 that another key sets, t the machine above. */
static struct list_rules rules_of(const char *letters)
{
	return (struct list_rules){.key = "k",
		.want = strchr(letters, 'w') ? 4 : LIST_ANY,
		.ranges = strchr(letters, 'r') != NULL,
		.each = strchr(letters, 't') ? parts_of : NULL};
}

static char *joined(const struct words *w)
{
	char *all = alloc_string("", 0);

	for (size_t i = 0; i < w->count; i++) {
		char *longer = alloc_format("%s%s%s", all, i ? " " : "", w->word[i]);

		free(all);
		all = longer;
	}
	return all;
}

static void test_forms(void **state)
{
	static const struct {
		const char *rules, *list, *values;
	} cases[] = {
		{"", "", ""},
		{"", "a b", "a b"},
		{"", "a*3 b", "a a a b"},
		{"", "*", "*"},
		{"", "*3", "*3"},
		{"", "0-3", "0-3"},
		{"w", "a b*", "a b b b"},
		{"w", "a*5 b*", "a a a a a"},
		{"rw", "0-1*", "0 1 0 1"},
		{"r", "0-3", "0 1 2 3"},
		{"r", "2-2", "2"},
		{"r", "0-1*2", "0 1 0 1"},
		{"r", "-3 far-0 3", "-3 far-0 3"},
		{"r", "18446744073709551615-18446744073709551615", "18446744073709551615"},
		{"rt", "C* A", "C C C A"},
		{"rt", "1-3*", "1 2 2 3 3 3"},
		{"rt", "1-2*2", "1 2 1 2"},
		{"rt", "A*4", "A A A A"},
		{"t", "A(1)* B(0)*", "A(1) B(0) B(0)"},
		{"t", "A(1)*4", "A(1) A(1) A(1) A(1)"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct list_rules rules = rules_of(cases[i].rules);
		struct words in = {0}, out;
		struct errors e = {0};

		words_split(&in, cases[i].list, " ");
		assert_int_equal(list_expand(&in, &rules, &out, &e), 0);
		char *values = joined(&out);

		assert_string_equal(values, cases[i].values);
		assert_int_equal(e.count, 0);
		free(values);
		words_free(&in);
		words_free(&out);
	}
}

static void test_refused(void **state)
{
	static const struct {
		const char *rules, *list, *message;
		enum status status;
	} cases[] = {
		{"", "a*", "t:7: k: 'a*' has no count", STATUS_USAGE},
		{"w", "a* b", "t:7: k: 'a*' has no count", STATUS_USAGE},
		{"", "a*0", "t:7: k: 'a*0' is not of the form VALUE*COUNT", STATUS_USAGE},
		{"", "a*b", "t:7: k: 'a*b' is not of the form VALUE*COUNT", STATUS_USAGE},
		{"", "a*-1", "t:7: k: 'a*-1' is not of the form VALUE*COUNT", STATUS_USAGE},
		{"t", "a*)", "t:7: k: 'a*)' is not of the form VALUE*COUNT", STATUS_USAGE},
		{"", "a*65537", "t:7: k: 'a*65537' makes more than 65536 values", STATUS_USAGE},
		{"r", "0-65536", "t:7: k: '0-65536' makes more than 65536 values", STATUS_USAGE},
		{"r", "0-65535 1", "t:7: k: '1' makes more than 65536 values", STATUS_USAGE},
		{"r", "0-65535 1-2", "t:7: k: '1-2' makes more than 65536 values", STATUS_USAGE},
		{"r", "0-299*300", "t:7: k: '0-299' makes more than 65536 values", STATUS_USAGE},
		{"r", "3-0", "t:7: k: '3-0' is not a range such as 0-3", STATUS_USAGE},
		{"r", "0-", "t:7: k: '0-' is not a range such as 0-3", STATUS_USAGE},
		{"rt", "1-x*", "t:7: k: '1-x' is not a range such as 0-3", STATUS_USAGE},
		{"rt", "1-", "t:7: k: '1-' is not a range such as 0-3", STATUS_USAGE},
		{"t", ")*", "t:7: k: ')*' has no count", STATUS_USAGE},
		{"rt", "1-0*", "t:7: k: '1-0' is not a range such as 0-3", STATUS_USAGE},
		{"rt", "0-3*", "t:7: k: '0*' has no count", STATUS_USAGE},
		{"", "kind(a*b)", "t:7: k: 'kind(a*b)' is not of the form VALUE*COUNT",
			STATUS_USAGE},
		{"t", "Z*", "affinity: k: there is no Z", STATUS_PLACEMENT},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct list_rules rules = rules_of(cases[i].rules);
		struct words in = {0}, out;
		struct errors e = {0};

		words_split(&in, cases[i].list, " ");
		in.at = (struct place){"t", 7};
		assert_int_equal(list_expand(&in, &rules, &out, &e), -1);
		assert_int_equal(out.count, 0);
		assert_int_equal(e.count, 1);
		assert_string_equal(e.list[0].text, cases[i].message);
		assert_int_equal(e.list[0].status, cases[i].status);
		errors_free(&e);
		words_free(&in);
	}
}

static void test_calls(void **state)
{
	/* arguments NULL: no call */
	static const struct {
		const char *text, *name, *arguments;
	} cases[] = {
		{"kind(HBM)", "kind", "HBM"},
		{"kind(HBM,0)", "kind", "HBM 0"},
		{"kind(HBM,far(near(0)))", "kind", "HBM far(near(0))"},
		{"far(kind(a,b))", "far", "kind(a,b)"},
		{"L3(0)", "L3", "0"},
		{"kind()", "kind", ""},
		{"kind(,)", "kind", " "},
		{"a_1(-*)", "a_1", "-*"},
		{"", NULL, NULL},
		{"(", NULL, NULL},
		{")", NULL, NULL},
		{"()", NULL, NULL},
		{"(0)", NULL, NULL},
		{"3(x)", NULL, NULL},
		{"kind", NULL, NULL},
		{"kind(", NULL, NULL},
		{"kind)", NULL, NULL},
		{"kind(HBM", NULL, NULL},
		{"kind(HBM))", NULL, NULL},
		{"kind((HBM)", NULL, NULL},
		{"kind(HBM)x", NULL, NULL},
		{"kind(HBM)(0)", NULL, NULL},
		{"kind (HBM)", NULL, NULL},
		{"a-b(0)", NULL, NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct list_call c;

		assert_int_equal(list_call_read(&c, cases[i].text), cases[i].arguments != NULL);
		if (cases[i].arguments) {
			char *arguments = joined(&c.arguments);

			assert_string_equal(c.name, cases[i].name);
			assert_string_equal(arguments, cases[i].arguments);
			assert_true(list_calls(cases[i].text, cases[i].name));
			free(arguments);
		}
		assert_false(list_calls(cases[i].text, "other"));
		list_call_free(&c);
	}
}

static void test_split(void **state)
{
	static const char *const cases[][2] = {
		{"", ""},
		{",,", ""},
		{"0,2", "0 2"},
		{",0,,2,", "0 2"},
		{"kind(HBM,5),far(kind(A,0))", "kind(HBM,5) far(kind(A,0))"},
		{"a),b", "a) b"},
		{"a(b,c", "a(b,c"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct words w = {0};

		list_split(&w, cases[i][0]);
		char *parts = joined(&w);

		assert_string_equal(parts, cases[i][1]);
		free(parts);
		words_free(&w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_split),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
