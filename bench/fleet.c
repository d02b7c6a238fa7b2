/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What affinity-fleet takes to merge 10,000 generated results of 100 costs each: time, time of
 * CPUs, memory. Prints them, without a verdict. The results take 600 MB in TMPDIR.
 */
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/status.h"

/* 1250 nodes ran four experiments twice: 25 operations of 4 threads each. */
#define GENERATE                                                                \
	"awk -v nodes=1250 -v runs=2 -v into=%s -v operations=25 -v threads=4 " \
	"-v experiments='bandwidth caches latency width' -f tests/behaviour/fleet.awk"

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

/* A shell's command; 0: it ended well. */
static int run(char *command)
{
	const int status = system(command);

	free(command);
	return status;
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
	if (child < 0 || wait4(child, &status, 0, &use) != child || status)
		return -1;
	printf("\n10,000 results of 100 costs    s  CPU, s    MB\n");
	printf("affinity-fleet            %6.1f  %6.1f  %4ld\n",
		(double)(clock_ns() - begin) * 1e-9, seconds(use.ru_utime) + seconds(use.ru_stime),
		use.ru_maxrss / 1000);
	return 0;
}

int main(void)
{
	const char *temporary = getenv("TMPDIR");
	char *folder = alloc_format("%s/affinity-fleet-XXXXXX", temporary ? temporary : "/tmp");
	char *build = dirname(dirname(realpath("/proc/self/exe", NULL)));
	char *program = alloc_format("%s/affinity-fleet", build);

	if (access(program, X_OK)) /* the default build has it in the parent folder */
		program = alloc_format("%s/../affinity-fleet", build);
	if (!mkdtemp(folder)) {
		perror(folder);
		return STATUS_FAILED;
	}
	const int failed = run(alloc_format(GENERATE, folder)) || merge(program, folder);

	if (failed)
		fprintf(stderr, "fleet: results were not generated, or %s does not run\n", program);
	run(alloc_format("rm -r %s", folder));
	return failed ? STATUS_FAILED : STATUS_OK;
}
