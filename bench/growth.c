/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How plans grow with CPUs, and what reads results with these: CPU time for n, 2n and 4n, the
 * ratios of neighbours, and the memory for 4n. Linear is 2; from LIMIT on the row says so, without
 * a verdict. The results are generated, and take up to 100 MB in TMPDIR.
 */
#include <libgen.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/status.h"

#define LIMIT 2.3
#define SIZES 3

struct row {
	const char *what;
	size_t n;             /* the smallest size */
	const char *generate; /* $n, in a folder that is empty */
	const char *run;      /* $program: the path of affinity */
};

#define DOCUMENTS \
	"for seed in 1 2 3; do awk -v runs=$n -v seed=$seed -f \"$growth\" >$seed.json; done"
#define FLEET "awk -v into=. -f \"$fleet\" -v operations=2 "

/* As many threads as CPUs, in L3 of 8 cores: hwloc is slow where a place has many in it. */
#define PLAN(mapping)                                                                   \
	"printf 'kernels: null\\nthreads: %s\\nmapping: " mapping "\\n' $n >t.args && " \
	"echo \"pack:8 numa:8 l3:$((n / 1024)) core:8 pu:2\" >machine",                 \
		"HWLOC_SYNTHETIC=\"$(cat machine)\" \"$program\" --plan t.args"

static const struct row rows[] = {
	{"plan: compact", 2048, PLAN("compact")},
	{"plan: scatter", 2048, PLAN("scatter")},
	{"plan: roundrobin", 2048, PLAN("roundrobin")},
	{"compare: runs", 2000, DOCUMENTS, "\"$program\" --compare 1.json 2.json"},
	{"history: runs", 2000, DOCUMENTS, "\"$program\" --compare 1.json 2.json --history 3.json"},
	{"page: runs", 500, DOCUMENTS, "\"$program-report\" --out page.html 1.json"},
	{"page: results", 50, FLEET "-v nodes=1 -v runs=$n",
		"\"$program-report\" --out page.html ."},
	{"fleet: nodes", 100, FLEET "-v nodes=$n -v runs=2", "\"$program-fleet\" ."},
	{"fleet: results of a node", 20, FLEET "-v nodes=10 -v runs=$n", "\"$program-fleet\" ."},
	{"fleet: costs of a node", 50,
		"awk -v into=. -f \"$fleet\" -v nodes=100 -v runs=2 -v experiments=one -v "
		"operations=$n",
		"\"$program-fleet\" ."},
	{"fleet: dates", 20, FLEET "-v nodes=10 -v dates=$n", "\"$program-fleet\" --drift 1 ."},
};

struct spent {
	double seconds; /* of CPUs; below 0: it failed */
	long mb;        /* the most that one program had */
};

/* Of all that the shell runs. A verdict of the program is no failure. */
static struct spent run_shell(const char *command)
{
	struct rusage use;
	const pid_t child = fork();
	int status;

	if (!child) {
		signal(SIGINT, SIG_DFL);
		if (freopen("/dev/null", "w", stdout) && freopen("/dev/null", "w", stderr))
			execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	if (child < 0 || wait4(child, &status, 0, &use) != child || !WIFEXITED(status) ||
		WEXITSTATUS(status) > STATUS_FAILED)
		return (struct spent){-1, 0};
	return (struct spent){(double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
				      1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec),
		use.ru_maxrss / 1000};
}

static bool is_run(const char *command)
{
	return run_shell(command).seconds >= 0;
}

static struct spent measure(const struct row *r, size_t n)
{
	char *size = alloc_format("%zu", n);
	struct spent spent = {-1, 0};

	if (!setenv("n", size, 1) && is_run("rm -rf ./*") && is_run(r->generate))
		spent = run_shell(r->run);
	free(size);
	return spent;
}

static int print_row(const struct row *r)
{
	struct spent spent[SIZES];
	double most = 0;

	for (size_t i = 0; i < SIZES; i++) {
		spent[i] = measure(r, r->n << i);
		if (spent[i].seconds < 0)
			return -1;
		if (i)
			most = fmax(most, spent[i].seconds / spent[i - 1].seconds);
	}
	printf("%-26s %5zu  %7.2f %7.2f %7.2f  %5.2f %5.2f  %5ld%s\n", r->what, r->n,
		spent[0].seconds, spent[1].seconds, spent[2].seconds,
		spent[1].seconds / spent[0].seconds, spent[2].seconds / spent[1].seconds,
		spent[2].mb, most < LIMIT ? "" : "  more than linear");
	fflush(stdout);
	return 0;
}

/* affinity is in the folder of the build, that of the default build in its parent. */
static int find_program(void)
{
	char *own = realpath("/proc/self/exe", NULL), *root = realpath(".", NULL);
	const char *build = own ? dirname(dirname(own)) : ".";
	char *program = alloc_format("%s/affinity-fleet", build);
	char *path = alloc_format("%s%s/affinity", build, access(program, X_OK) ? "/.." : "");
	char *growth = alloc_format("%s/bench/growth.awk", root),
	     *fleet = alloc_format("%s/tests/behaviour/fleet.awk", root);
	const int failed = setenv("program", path, 1) || setenv("growth", growth, 1) ||
			   setenv("fleet", fleet, 1);

	free(own);
	free(root);
	free(program);
	free(path);
	free(growth);
	free(fleet);
	return failed;
}

int main(int argc, char **argv)
{
	const char *temporary = getenv("TMPDIR");
	char *folder = alloc_format("%s/affinity-growth-XXXXXX", temporary ? temporary : "/tmp");
	int failed;

	signal(SIGINT, SIG_IGN); /* it ends what runs, and the results are removed */
	failed = find_program() || !mkdtemp(folder) || chdir(folder);

	printf("\nCPU, s                         n        n      2n      4n  2n/n  4n/2n    MB\n");
	fflush(stdout);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows) && !failed; i++) {
		if (argc > 1 && !strstr(rows[i].what, argv[1]))
			continue;
		failed = print_row(&rows[i]);
		if (failed)
			fprintf(stderr, "growth: %s: results were not generated, or not read\n",
				rows[i].what);
	}
	failed |= chdir("/") || setenv("folder", folder, 1) || !is_run("rm -r \"$folder\"");
	free(folder);
	return failed ? STATUS_FAILED : STATUS_OK;
}
