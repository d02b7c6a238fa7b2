/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages: their place, kind, hint and exit code; and the exit when memory runs out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"

static void test_place(void **state)
{
	static const struct {
		enum status status;
		struct place at;
		const char *text;
	} cases[] = {
		{STATUS_USAGE, {"a.args", 7}, "a.args:7: unknown key 'strid'"},
		{STATUS_USAGE, {"a.args", 0}, "a.args: unknown key 'strid'"},
		{STATUS_USAGE, {NULL, 0}, "affinity: unknown key 'strid'"},
		{STATUS_USAGE, {NULL, 7}, "affinity: unknown key 'strid'"},
		{STATUS_OK, {"a.args", 7}, "a.args:7: warning: unknown key 'strid'"},
		{STATUS_OK, {"a.args", 0}, "a.args: warning: unknown key 'strid'"},
		{STATUS_OK, {NULL, 0}, "affinity: warning: unknown key 'strid'"},
	};
	struct errors e = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_int_equal(
			error_add(&e, cases[i].status, cases[i].at, "unknown key '%s'", "strid"),
			-1);
		assert_string_equal(e.list[0].text, cases[i].text);
		assert_int_equal(e.list[0].status, cases[i].status);
		assert_null(e.list[0].hint);
		assert_int_equal(e.count, 1);
		assert_int_equal(e.failures, cases[i].status != STATUS_OK);
		errors_free(&e);
		assert_int_equal(e.count, 0);
		assert_null(e.list);
	}
}

static void test_unknown(void **state)
{
	struct place at = {"a.args", 3};
	struct errors e = {0};

	(void)state;
	assert_int_equal(error_unknown(&e, STATUS_USAGE, at, "a%s", "unknown key '%s'", "b%d"), -1);
	assert_string_equal(e.list[0].text, "a.args:3: unknown key 'b%d'; did you mean 'a%s'?");
	error_unknown(&e, STATUS_PLACEMENT, NOWHERE, NULL, "unknown key '%s'", "b%d");
	assert_string_equal(e.list[1].text, "affinity: unknown key 'b%d'");
	assert_int_equal(e.list[1].status, STATUS_PLACEMENT);
	errors_free(&e);
}

static void test_repeated(void **state)
{
	struct place at = {"a.args", 3};
	struct errors e = {0};

	(void)state;
	error_add(&e, STATUS_USAGE, at, "stride = 0");
	error_hint(&e, "the first hint");
	error_add(&e, STATUS_USAGE, NOWHERE, "another");
	assert_int_equal(error_add(&e, STATUS_USAGE, at, "stride = 0"), -1);
	error_hint(&e, "belongs to the message that was dropped");
	assert_int_equal(e.count, 2);
	assert_int_equal(e.failures, 2);
	assert_string_equal(e.list[0].hint, "the first hint");
	assert_null(e.list[1].hint);
	errors_free(&e);
}

static void test_sort(void **state)
{
	static const int lines[] = {9, 0, 2, 9, 0};
	static const char *const sorted[] = {
		"affinity: 1", "affinity: 4", "a:2: 2", "a:9: 0", "a:9: 3"};
	struct errors e = {0};

	(void)state;
	for (int i = 0; i < 5; i++)
		error_add(
			&e, STATUS_USAGE, (struct place){lines[i] ? "a" : NULL, lines[i]}, "%d", i);
	errors_sort(&e);
	for (int i = 0; i < 5; i++)
		assert_string_equal(e.list[i].text, sorted[i]);
	errors_free(&e);
}

static void test_percent_in_file(void **state)
{
	struct errors e = {0};

	(void)state;
	error_add(&e, STATUS_USAGE, (struct place){"100%s.args", 1}, "load '%s'", "50%d");
	assert_string_equal(e.list[0].text, "100%s.args:1: load '50%d'");
	errors_free(&e);
}

static void test_hint(void **state)
{
	struct errors e = {0};

	(void)state;
	error_add(&e, STATUS_USAGE, NOWHERE, "first");
	error_add(&e, STATUS_USAGE, NOWHERE, "second");
	assert_int_equal(error_hint(&e, "try %d", 1), -1);
	error_hint(&e, "try %d", 2);
	assert_null(e.list[0].hint);
	assert_string_equal(e.list[1].hint, "try 2");
	errors_free(&e);
}

static void test_status(void **state)
{
	static const struct {
		enum status added[3], expected;
	} cases[] = {
		{{STATUS_OK, STATUS_OK, STATUS_OK}, STATUS_OK},
		{{STATUS_OK, STATUS_COUNTERS, STATUS_OK}, STATUS_COUNTERS},
		{{STATUS_PLACEMENT, STATUS_COUNTERS, STATUS_OK}, STATUS_PLACEMENT},
		{{STATUS_FAILED, STATUS_PLACEMENT, STATUS_OK}, STATUS_FAILED},
		{{STATUS_PLACEMENT, STATUS_OK, STATUS_USAGE}, STATUS_USAGE},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct errors e = {0};

		assert_int_equal(errors_status(&e), STATUS_OK);
		for (int k = 0; k < 3; k++)
			error_add(&e, cases[i].added[k], NOWHERE, "text %d", k);
		assert_int_equal(errors_status(&e), cases[i].expected);
		errors_free(&e);
	}
}

static void test_print(void **state)
{
	struct errors e = {0};
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	(void)state;
	error_add(&e, STATUS_USAGE, NOWHERE, "printed before");
	error_add(&e, STATUS_USAGE, (struct place){"a.args", 9}, "stride = 0");
	error_hint(&e, "see --help");
	error_warn(&e, "only %d node", 1);
	errors_print(&e, 1, out);
	errors_print(&e, 3, out);
	fclose(out);
	assert_string_equal(text, "a.args:9: stride = 0\n"
				  "  hint: see --help\n"
				  "affinity: warning: only 1 node\n");
	free(text);
	errors_free(&e);
}

/* Runs what() in a child whose standard error goes to text; returns the child's exit code. */
static int run_child(void (*what)(void), char *text, size_t n)
{
	int ends[2], status;
	ssize_t length;
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	fflush(NULL);
	child = fork();
	if (child == 0) {
		dup2(ends[1], STDERR_FILENO);
		what();
		_exit(99);
	}
	close(ends[1]);
	length = read(ends[0], text, n - 1);
	close(ends[0]);
	assert_true(length >= 0);
	text[length] = '\0';
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void ask_zeroed(void)
{
	alloc_zeroed(SIZE_MAX, 2);
}

static void ask_grow(void)
{
	alloc_grow(NULL, SIZE_MAX / 2 + 1, 1);
}

static void test_out_of_memory(void **state)
{
	void (*const cases[])(void) = {ask_zeroed, ask_grow};
	char text[200];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_int_equal(run_child(cases[i], text, sizeof(text)), STATUS_FAILED);
		assert_non_null(strstr(text, "affinity: out of memory\n  hint: "));
	}
}

static void test_alloc(void **state)
{
	int *list = NULL;
	char *text = alloc_string("abcdef", 3);
	char *none = alloc_zeroed(0, 8);

	(void)state;
	for (int i = 0; i < 1000; i++) {
		list = alloc_grow(list, (size_t)i, sizeof(*list));
		list[i] = i;
	}
	for (int i = 0; i < 1000; i++)
		assert_int_equal(list[i], i);
	assert_string_equal(text, "abc");
	assert_non_null(none);
	free(list);
	free(text);
	free(none);
}

static void test_append(void **state)
{
	char *text = NULL;

	(void)state;
	alloc_append(&text, ", ", "%d", 1);
	assert_string_equal(text, "1");
	alloc_append(&text, ", ", "of %s", text);
	assert_string_equal(text, "1, of 1");
	free(text);
}

static void test_failure(void **state)
{
	struct errors e = {0};

	(void)state;
	assert_null(errors_failure(&e));
	error_warn(&e, "hot");
	assert_null(errors_failure(&e));
	error_add(&e, STATUS_PLACEMENT, NOWHERE, "elsewhere");
	error_add(&e, STATUS_USAGE, NOWHERE, "wrong");
	assert_string_equal(errors_failure(&e), "affinity: elsewhere");
	errors_free(&e);
}

static void test_renamed(void **state)
{
	static const char *const cases[][2] = {
		{"aSize: 'x' is no aSize", "bytes: 'x' is no bytes"},
		{"aSizes and reaSize", "aSizes and reaSize"},
		{"$aSize", "$bytes"},
		{"dir/aSize/aSize.args", "dir/aSize/aSize.args"},
		{"", ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct errors e = {0};

		error_add(&e, STATUS_USAGE, (struct place){"aSize.args", 3}, "%s", cases[i][0]);
		error_hint(&e, "%s", cases[i][0]);
		errors_rename(&e, "aSize", "bytes");
		assert_memory_equal(e.list[0].text, "aSize.args:3: ", 14);
		assert_string_equal(e.list[0].text + 14, cases[i][1]);
		assert_string_equal(e.list[0].hint, cases[i][1]);
		errors_free(&e);
	}
}

/* A key may be a word of sentences, too. */
static void test_renamed_words(void **state)
{
	static const char *const cases[][2] = {
		{"samples: 0 is below 1", "numIter: 0 is below 1"},
		{"missing key 'samples'", "missing key 'numIter'"},
		{"--set samples=5 takes 5 samples", "--set numIter=5 takes 5 samples"},
		{"'samples' of 3 samples.", "'samples' of 3 samples."},
		{"samples = 0 is out of range", "numIter = 0 is out of range"},
		{"samples takes 1 .. 9 samples", "numIter takes 1 .. 9 samples"},
		{"resamples: 3", "resamples: 3"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct errors e = {0};

		error_add(&e, STATUS_USAGE, (struct place){"f", 3}, "%s", cases[i][0]);
		errors_rename(&e, "samples", "numIter");
		assert_string_equal(e.list[0].text + 5, cases[i][1]);
		errors_free(&e);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "a message begins with its place and its kind", .test_func = test_place},
		{.name = "a percent sign in a place or a value is only text",
			.test_func = test_percent_in_file},
		{.name = "a hint belongs to the newest message and replaces an older one",
			.test_func = test_hint},
		{.name = "an unknown word is told with the nearest known one, where one is near",
			.test_func = test_unknown},
		{.name = "the same message twice is one message, and keeps its hint",
			.test_func = test_repeated},
		{.name = "messages can be put into the order of the file's lines",
			.test_func = test_sort},
		{.name = "bad arguments decide the exit code, else the first failure does",
			.test_func = test_status},
		{.name = "the first failure is not a warning", .test_func = test_failure},
		{.name = "messages print one a line from the one asked for, hints below theirs",
			.test_func = test_print},
		{.name = "a word is renamed where it stands alone, in texts and hints",
			.test_func = test_renamed},
		{.name = "a key that is also a word is renamed where it is a key",
			.test_func = test_renamed_words},
		{.name = "without memory the process says so and exits with 1",
			.test_func = test_out_of_memory},
		{.name = "lists grow without losing an element and nothing is never NULL",
			.test_func = test_alloc},
		{.name = "a separator stands between what is appended, and not before it",
			.test_func = test_append},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("error", tests, NULL, NULL);
}
