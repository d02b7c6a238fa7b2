/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cost of starting a program under affinity-map: /bin/true alone, bound by the preloaded
 * library, and started by the whole command, in turn. Prints medians, without a verdict.
 */
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "affinity-map/launch.h"
#include "affinity-map/run.h"
#include "statistics/stats.h"

#define ROUNDS 200

static char *program[] = {"/bin/true", NULL};

extern char **environ;

static double alone(struct errors *e)
{
	struct launch p = {.path = program[0], .argv = program, .env = environ};
	int interrupted;

	return launch_all(&p, 1, &interrupted, e) ? 0 : p.wall_s;
}

static double bound(const char *library, int cpu, struct errors *e)
{
	struct map_app app = {.argv = program, .name = "true", .path = program[0], .threads = 1};
	int *cpus = &cpu, interrupted;
	const struct map_layout layout = {.method = MAPPING_COMPACT, .cpus = &cpus};
	struct map_sample sample = {0};

	if (map_run(&layout, &app, 1, library, NULL, &sample, &interrupted, e) ||
		!sample.processes) {
		fprintf(stderr, "launch: %s was not preloaded\n", library);
		exit(STATUS_FAILED);
	}
	return sample.wall_s;
}

static double command(char *map)
{
	char *argv[] = {map, "--mapping", "compact", "--out", "/dev/null", "--", program[0], NULL};
	uint64_t begin = clock_ns();
	pid_t child = fork();

	if (!child) {
		execv(map, argv);
		_exit(127);
	}
	int status;
	if (child < 0 || waitpid(child, &status, 0) != child || status) {
		fprintf(stderr, "launch: %s does not run\n", map);
		exit(STATUS_FAILED);
	}
	return (double)(clock_ns() - begin) * 1e-9;
}

static double median_ms(const double *samples)
{
	struct stats s;

	return stats_of(samples, ROUNDS, 0.95, &s) ? 0 : s.median * 1e3;
}

int main(int argc, char **argv)
{
	static double a[ROUNDS], b[ROUNDS], c[ROUNDS], library_ms[ROUNDS], all_ms[ROUNDS];
	struct errors e = {0};
	struct topo topo;
	char *self = argc ? realpath("/proc/self/exe", NULL) : argv[0];
	char *build = dirname(dirname(self));
	char *library = alloc_format("%s/affinity-map.so", build);
	char *map = alloc_format("%s/affinity-map", build);

	if (access(map, X_OK)) /* the default build has it in the parent folder */
		map = alloc_format("%s/../affinity-map", build);
	if (topo_load(&topo, &e))
		return STATUS_FAILED;
	int cpu = 0;
	while (cpu < topo.ncpus - 1 && !topo.cpus[cpu].allowed)
		cpu++;
	for (int i = 0; i < ROUNDS; i++) {
		a[i] = alone(&e);
		b[i] = bound(library, topo.cpus[cpu].cpu, &e);
		c[i] = command(map);
		library_ms[i] = b[i] - a[i];
		all_ms[i] = c[i] - a[i];
	}
	printf("\nstarting /bin/true, median of %d        ms    beyond its own start\n", ROUNDS);
	printf("alone                              %8.2f\n", median_ms(a));
	printf("bound, from the common start       %8.2f    %8.2f\n", median_ms(b),
		median_ms(library_ms));
	printf("the whole command                  %8.2f    %8.2f\n", median_ms(c),
		median_ms(all_ms));
	return STATUS_OK;
}
