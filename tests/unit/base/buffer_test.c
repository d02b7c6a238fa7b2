/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stream into memory keeps everything or ends the process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buffer.h"

static void test_content(void **state)
{
	struct buffer b;
	FILE *out = buffer_open(&b);
	char expected[16];

	(void)state;
	for (int i = 0; i < 20000; i++)
		fprintf(out, "%05d\n", i);
	buffer_close(&b, out);
	assert_int_equal(b.size, 20000 * 6);
	for (int i = 0; i < 20000; i++) {
		snprintf(expected, sizeof(expected), "%05d\n", i);
		assert_memory_equal(b.data + (size_t)i * 6, expected, 6);
	}
	free(b.data);
}

static void test_empty(void **state)
{
	struct buffer b;

	(void)state;
	buffer_close(&b, buffer_open(&b));
	assert_int_equal(b.size, 0);
	assert_non_null(b.data);
	free(b.data);
}

/* Of every length up to where the room grows, in memory that is not zero. */
static void test_end(void **state)
{
	(void)state;
	mallopt(M_PERTURB, 0x55);
	for (int length = 1; length <= 4100; length++) {
		struct buffer b;
		FILE *out = buffer_open(&b);

		fprintf(out, "%*d", length, 1);
		buffer_close(&b, out);
		assert_int_equal(strlen(b.data), length);
		free(b.data);
	}
	mallopt(M_PERTURB, 0);
}

/* In a process that may have 16 MiB more. */
static void fill_memory(void)
{
	struct rlimit limit = {0};
	struct buffer b;
	FILE *out = buffer_open(&b);
	long pages = 0;
	FILE *statm = fopen("/proc/self/statm", "r");

	if (!statm || fscanf(statm, "%ld", &pages) != 1)
		_exit(77);
	limit.rlim_cur = limit.rlim_max = (rlim_t)(pages * sysconf(_SC_PAGESIZE)) + (16 << 20);
	if (!freopen("/dev/null", "w", stderr) || setrlimit(RLIMIT_AS, &limit))
		_exit(77);
	for (int i = 0; i < 10000000; i++)
		fputs("what is left out here would be missing\n", out);
	_exit(0);
}

static void test_exhausted(void **state)
{
	int status;
	pid_t child = fork();

	(void)state;
	if (child == 0)
		fill_memory();
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		fprintf(stderr, "# skipped: memory cannot be limited here\n");
	else
		assert_int_equal(WEXITSTATUS(status), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "what is written is in the buffer", .test_func = test_content},
		{.name = "nothing written is an empty text", .test_func = test_empty},
		{.name = "a text ends where it ends", .test_func = test_end},
		{.name = "without memory the process ends, and loses nothing in silence",
			.test_func = test_exhausted},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("buffer", tests, NULL, NULL);
}
