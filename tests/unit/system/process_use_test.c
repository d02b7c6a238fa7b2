/* SPDX-License-Identifier: GPL-3.0-or-later */
/* User time and bytes written of another process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>
#include <unistd.h>

#include "base/proc.h"
#include "system/process_use.h"

static int use_of(const char *stat, const char *io, struct process_use *use)
{
	FILE *s = fmemopen((void *)(uintptr_t)stat, strlen(stat), "r"),
	     *i = fmemopen((void *)(uintptr_t)io, strlen(io), "r");
	int failed;

	assert_non_null(s);
	assert_non_null(i);
	failed = process_use_read(s, i, use);
	fclose(s);
	fclose(i);
	return failed;
}

static void a_name_may_contain_anything(void **state)
{
	struct process_use use;
	double ticks = (double)sysconf(_SC_CLK_TCK);

	(void)state;
	assert_int_equal(use_of("71 (a ) b) S 1 71 71 0 -1 4194560 11 22 33 44 1234 99 5 6 20 0\n",
				 "rchar: 5\nwchar: 123456789012\nsyscr: 7\n", &use),
		0);
	assert_true(use.user_s == 1234 / ticks);
	assert_true(use.written_bytes == 123456789012.0);
}

static void fields_are_those_of_their_numbers(void **state)
{
	static const char line[] =
		"71 (k (x) y) Z 3 4 5 0 -1 2097152 7 0 0 0 12 13 0 0 20 0 1 0 6234250 2998272 381 "
		"18446744073709551615 94393450852352 94393450875097 140730403474672 0 0 0 0 0 0 0 "
		"0 0 17 6 0 0\n";
	FILE *in = fmemopen((void *)(uintptr_t)line, strlen(line), "r");
	struct proc_stat s;

	(void)state;
	assert_int_equal(proc_stat_read(in, &s), 0);
	fclose(in);
	assert_string_equal(s.name, "k (x) y");
	assert_int_equal(s.state, 'Z');
	assert_int_equal(s.parent, 3);
	assert_int_equal(s.group, 4);
	assert_int_equal(s.flags, 2097152);
	assert_int_equal(s.user, 12);
	assert_int_equal(s.system, 13);
	assert_int_equal(s.cpu, 6);
}

static void what_is_not_of_the_form_is_refused(void **state)
{
	struct process_use use;

	(void)state;
	assert_int_equal(use_of("71 (a", "wchar: 1\n", &use), -1);
	assert_int_equal(use_of("71 (a) S 1 71", "wchar: 1\n", &use), -1);
	assert_int_equal(use_of("71 (a) S 1 2 3 0 -1 4 1 2 3 4 5 6\n", "rchar: 1\n", &use), -1);
	assert_int_equal(process_use_take(0x7fffffff, &use), -1);
}

static void this_process_is_read(void **state)
{
	struct process_use use;

	(void)state;
	if (access("/proc/self/io", R_OK))
		skip();
	assert_int_equal(process_use_take(getpid(), &use), 0);
	assert_true(use.user_s >= 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_may_contain_anything),
		cmocka_unit_test(fields_are_those_of_their_numbers),
		cmocka_unit_test(what_is_not_of_the_form_is_refused),
		cmocka_unit_test(this_process_is_read),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
