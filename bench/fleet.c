/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What affinity-fleet takes to merge 10,000 generated results of 100 costs each: time, time of
 * CPUs, memory. Prints them, without a verdict. The results take 600 MB in TMPDIR.
 */
#include <libgen.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/status.h"

/* Its value is not read by the shell again, whatever TMPDIR is called. */
#define FOLDER "AFFINITY_BENCH_FOLDER"
/* 1250 nodes ran four experiments twice: 25 operations of 4 threads each. */
#define GENERATE                                                                             \
	"awk -v nodes=1250 -v runs=2 -v into=\"$" FOLDER "\" -v operations=25 -v threads=4 " \
	"-v experiments='bandwidth caches latency width' -f tests/behaviour/fleet.awk"
#define REMOVE "rm -r \"$" FOLDER "\""

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static int merge(const char *program, const char *folder)
{
	const uint64_t begin = clock_ns();
	const pid_t child = fork();
	struct rusage use;
	int status;

	if (!child) {
		if (freopen("/dev/null", "w", stdout))
			execl(program, program, folder, (char *)NULL);
		_exit(127);
	}
	signal(SIGINT, SIG_IGN); /* it ends the child, and the results are removed */
	if (child < 0 || wait4(child, &status, 0, &use) != child || status)
		return -1;
	printf("\n10,000 results of 100 costs    s  CPU, s    MB\n");
	printf("affinity-fleet            %6.1f  %6.1f  %4ld\n",
		(double)(clock_ns() - begin) * 1e-9, seconds(use.ru_utime) + seconds(use.ru_stime),
		use.ru_maxrss / 1000);
	return 0;
}

/* affinity-fleet is in the folder of the build, that of the default build in its parent. To be
 * freed.
 */
static char *find_program(void)
{
	char *own = realpath("/proc/self/exe", NULL);
	const char *build = own ? dirname(dirname(own)) : ".";
	char *program = alloc_format("%s/affinity-fleet", build);

	if (access(program, X_OK)) {
		free(program);
		program = alloc_format("%s/../affinity-fleet", build);
	}
	free(own);
	return program;
}

int main(void)
{
	const char *temporary = getenv("TMPDIR");
	char *folder = alloc_format("%s/affinity-fleet-XXXXXX", temporary ? temporary : "/tmp");
	char *program = find_program();
	int failed = !mkdtemp(folder) || setenv(FOLDER, folder, 1);

	if (failed) {
		perror(folder);
	} else {
		failed = system(GENERATE) || merge(program, folder);
		if (failed)
			fprintf(stderr,
				"fleet: results were not generated (is there room for 600 MB in "
				"%s?), or %s does not run\n",
				folder, program);
		failed |= system(REMOVE) != 0;
	}
	free(program);
	free(folder);
	return failed ? STATUS_FAILED : STATUS_OK;
}
