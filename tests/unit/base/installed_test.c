/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What files of the project are called where they are installed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/installed.h"

#define AT "/opt/share/affinity/"

static void test_names(void **state)
{
	static const struct {
		const char *text, *installed;
	} cases[] = {
		{"", ""},
		{"args/ holds examples", AT "args/ holds examples"},
		{"affinity args/matrix/latency.args OUT",
			"affinity " AT "args/matrix/latency.args OUT"},
		{"args/a.args and args/b.args", AT "args/a.args and " AT "args/b.args"},
		{"'args/a.args'", "'" AT "args/a.args'"},
		{"my/args/a.args, ./args/a.args, margs/", "my/args/a.args, ./args/a.args, margs/"},
		{"scripts/ejec.sh runs every file", "affinity-ejec runs every file"},
		{"scripts/ejec.sh args/smt", "affinity-ejec " AT "args/smt"},
		{"(scripts/mix)", "(affinity-mix)"},
		{"scripts/report", "affinity-report"},
		{"scripts/mix. my/scripts/mix", "affinity-mix. my/scripts/mix"},
	};

	(void)state;
	assert_int_equal(chdir("/"), 0); /* no args/ here */
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *installed = installed_names(cases[i].text, AT);
		char *same = installed_names(cases[i].text, NULL);

		assert_string_equal(installed, cases[i].installed);
		assert_string_equal(same, cases[i].text);
		free(installed);
		free(same);
	}
}

static void test_own_file_stays(void **state)
{
	char folder[] = "/tmp/installed_test.XXXXXX";
	char *text;

	(void)state;
	assert_non_null(mkdtemp(folder));
	assert_int_equal(chdir(folder), 0);
	assert_int_equal(mkdir("args", 0700), 0);
	text = installed_names("args/ and args/other", AT);
	assert_string_equal(text, "args/ and " AT "args/other");
	free(text);
	assert_int_equal(rmdir("args"), 0);
	assert_int_equal(rmdir(folder), 0);
}

static void test_not_installed(void **state)
{
	(void)state;
	assert_null(installed_folder());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_own_file_stays),
		cmocka_unit_test(test_not_installed),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
