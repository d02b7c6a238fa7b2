/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counters of another process: they include all that it starts, and nothing of our own process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "counters/counters.h"
#include "affinity-map/launch.h"

/* The start and the end of a thread or a process are less than a hundredth of this. */
#define ROUNDS 1000000

/* PAPI 7.1 has a preset for Cortex-A57 that names an event which its libpfm4 does not have. */
static const char *const names[] = {"PAPI_TOT_INS", "perf::INSTRUCTIONS"};
static const char *const *event = names;

static void *loop(void *rounds)
{
	for (volatile long i = *(long *)rounds; i > 0; i--)
		;
	return NULL;
}

/* The program that is counted: other_process_test work ROUNDS THREADS CHILDREN; each thread and
 * child does as much work as the program itself. */
static int work(char **argv)
{
	long rounds = atol(argv[2]), threads = atol(argv[3]), children = atol(argv[4]);
	pthread_t thread;

	loop(&rounds);
	for (long i = 0; i < threads; i++)
		if (pthread_create(&thread, NULL, loop, &rounds) || pthread_join(thread, NULL))
			return 1;
	for (long i = 0; i < children; i++)
		if (!fork()) {
			loop(&rounds);
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
	return 0;
}

static int held(void *arg, pid_t process)
{
	struct counters **c = arg;
	char why[256] = "";

	*c = counters_attach(process, event, 1, why, sizeof(why));
	if (!*c)
		fprintf(stderr, "# %s\n", why);
	return *c ? counters_start(*c) : -1;
}

static double count(char *rounds, char *threads, char *children)
{
	char name[] = "other_process_test", word[] = "work";
	char *argv[] = {name, word, rounds, threads, children, NULL}, *env[] = {NULL};
	struct counters *c = NULL;
	struct launch l = {.path = "/proc/self/exe",
		.argv = argv,
		.env = env,
		.held = held,
		.arg = (void *)&c};
	struct errors e = {0};
	int interrupted;
	double counted;

	assert_int_equal(launch_all(&l, 1, &interrupted, &e), 0);
	assert_non_null(c);
	assert_int_equal(l.status, 0);
	counters_stop(c, &counted);
	counters_free(c);
	errors_free(&e);
	return counted;
}

static void test_attached(void **state)
{
	char none[] = "0", two[] = "2", rounds[16], why[256];
	struct counters *own = NULL;
	int closed = counters_open(why, sizeof(why));

	(void)state;
	for (size_t i = 0; !closed && !own && i < sizeof(names) / sizeof(*names); i++) {
		event = &names[i];
		own = counters_make(event, 1, false, why, sizeof(why));
	}
	if (!own) {
		/* cmocka 1.1.5 prints its own skip() as "not ok" */
		fprintf(stderr, "# skipped: nothing is counted here: %s\n", why);
		return;
	}
	counters_free(own);
	snprintf(rounds, sizeof(rounds), "%d", ROUNDS);
	double start = count(none, none, none), one = count(rounds, none, none) - start;
	assert_true(one >= 2.0 * ROUNDS && one < 20.0 * ROUNDS);
	assert_float_equal((count(rounds, two, none) - start) / one, 3, 0.03);
	assert_float_equal((count(rounds, none, two) - start) / one, 3, 0.03);
	assert_float_equal((count(rounds, two, two) - start) / one, 5, 0.05);
	counters_close();
}

static int refuse(void *arg, pid_t process)
{
	*(pid_t *)arg = process;
	return -1;
}

static void test_refused(void **state)
{
	char path[] = "/nowhere/program", *argv[] = {path, NULL};
	pid_t process = 0;
	struct launch l = {
		.path = path, .argv = argv, .env = argv + 1, .held = refuse, .arg = &process};
	struct errors e = {0};
	int interrupted;

	(void)state;
	assert_int_equal(launch_all(&l, 1, &interrupted, &e), 0);
	assert_int_equal(process, l.process);
	assert_true(l.ended);
	assert_int_equal(l.error, 0);
	assert_true(WIFSIGNALED(l.status));
	errors_free(&e);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		{.name = "all threads and children of a process are counted",
			.test_func = test_attached},
		{.name = "a process that is not let go executes nothing",
			.test_func = test_refused},
	};

	if (argc == 5 && !strcmp(argv[1], "work"))
		return work(argv);
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
