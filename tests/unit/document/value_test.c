/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Equal JSON values have equal hashes, and unlike ones do not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "document/value.h"

static uint64_t hash_of(const char *text)
{
	json_t *value = json_loads(text, JSON_DECODE_ANY, NULL);

	assert_non_null(value);
	uint64_t hash = value_hash(value);

	json_decref(value);
	return hash;
}

static void the_order_of_members_is_none(void **state)
{
	(void)state;
	assert_true(hash_of("{\"a\": 1, \"b\": [2.5, null]}") ==
		    hash_of("{\"b\": [2.5, null], \"a\": 1}"));
	assert_true(hash_of("-0.0") == hash_of("0.0"));
}

static void any_change_is_another_value(void **state)
{
	static const char *const values[] = {"null", "true", "false", "0", "0.0", "1", "1.0",
		"\"\"", "\"1\"", "[]", "{}", "[0]", "[[]]", "[1, 2]", "[2, 1]", "[1, 2, 2]",
		"{\"a\": 1}", "{\"a\": 2}", "{\"b\": 1}", "{\"a\": 1, \"b\": 1}",
		"{\"a\": {\"b\": 1}}", "1.0000000000000002", "12345678901234"};
	const size_t n = sizeof(values) / sizeof(*values);

	(void)state;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++)
			if ((hash_of(values[i]) == hash_of(values[k])) != (i == k))
				fail_msg("%s and %s", values[i], values[k]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_order_of_members_is_none),
		cmocka_unit_test(any_change_is_another_value),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
