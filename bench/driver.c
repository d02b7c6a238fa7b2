/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The overhead of the driver itself: reading the clock, an empty sample, the skew of the common
 * start, preparing a vector compared with doing so by hand, and all time of a run outside its
 * kernels. Prints times and ratios, without a verdict.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "system/environment.h"
#include "measure/experiment.h"
#include "memory/mem.h"
#include "plan/plan.h"
#include "placement/prepare.h"
#include "measure/series.h"
#include "measure/workers.h"
#include "statistics/stats.h"
#include "placement/team.h"
#include "placement/touch.h"

static const volatile sig_atomic_t never;

#define GIB (1ull << 30)

struct bench {
	struct topo topo;
	struct args args;
	struct request request;
	struct plan plan;
	struct errors errors;
};

static void stop_on_errors(struct errors *e)
{
	if (!e->failures)
		return;
	errors_print(e, 0, stderr);
	exit(errors_status(e));
}

/* Makes a plan from the text of an argument file. */
static void bench_init(struct bench *b, const char *text)
{
	char path[] = "/tmp/affinity-bench-XXXXXX";
	int fd = mkstemp(path);

	memset(b, 0, sizeof(*b));
	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text)) {
		perror(path);
		exit(STATUS_FAILED);
	}
	close(fd);
	topo_load(&b->topo, &b->errors);
	stop_on_errors(&b->errors);
	args_read(&b->args, path, &b->errors);
	unlink(path);
	request_read(&b->request, &b->args, &b->errors);
	plan_make(&b->plan, &b->request, &b->topo, b->args.path, &b->errors);
	stop_on_errors(&b->errors);
}

static void bench_free(struct bench *b)
{
	topo_bind(&b->topo, -1); /* unbinds, so that the next benchmark sees the same machine */
	plan_free(&b->plan);
	request_free(&b->request);
	args_free(&b->args);
	topo_free(&b->topo);
	errors_free(&b->errors);
}

static void print(const char *what, const double *samples, size_t n, const char *unit)
{
	struct stats s;

	stats_of(samples, n, 0.95, &s);
	printf("%-58s %10.3f %s median, %.3f .. %.3f of %zu\n", what, s.median, unit, s.min, s.max,
		n);
}

static void empty_samples(const char *what, const char *threads)
{
	enum { SAMPLES = 2000 };
	static double cost_us[SAMPLES], skew_ns[SAMPLES], late_ns[SAMPLES];
	struct sample s = {0};
	struct mem_rights rights = {0};
	const struct quota_groups quotas = {0};
	struct prepared r = {0};
	struct bench b;
	struct workers c;
	char *text = alloc_format("kernels: null\nnodePerThread: %s\n", threads);

	bench_init(&b, text);
	free(text);
	prepare(&r, &b.plan, &rights, &never, &b.errors);
	workers_init(&c, &r, &b.plan, &b.plan.ops[0], &quotas, &b.errors);
	for (int i = 0; i < SAMPLES; i++) {
		uint64_t t = clock_ns();
		workers_sample(&c, &s, &b.errors);
		cost_us[i] = (double)(clock_ns() - t) * 1e-3;
		skew_ns[i] = (double)s.skew_ns;
		late_ns[i] = (double)(s.threads[0].end_ns - s.start_ns);
	}
	stop_on_errors(&b.errors);
	printf("%s:\n", what);
	print("  one empty sample, wall time", cost_us, SAMPLES, "us");
	print("  cost that it reports for thread 0", late_ns, SAMPLES, "ns");
	if (b.plan.nthreads > 1)
		print("  start skew", skew_ns, SAMPLES, "ns");
	free(s.threads);
	workers_free(&c);
	prepare_free(&r);
	bench_free(&b);
}

struct bare {
	char *base;
	int n;
};

static void touch_part(void *arg, int i)
{
	struct bare *b = arg;
	size_t part = GIB / (size_t)b->n;
	char *from = b->base + (size_t)i * part;

	for (volatile char *c = from; c < from + part; c += mem_base_page())
		*c = 0;
}

/* No signal stops the code that is timed here. */

/* Uses mmap and the same number of touching threads, bound to the same CPUs, but sets no policy and
 * verifies nothing. */
static double bare_prepare(const struct bench *b)
{
	struct touchers who = touch_cpus(&b->plan, &b->plan.vectors[0]);
	struct bare bare = {.n = who.n};
	struct errors e = {0};

	uint64_t t = clock_ns();
	bare.base = mmap(NULL, GIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	team_run(&b->topo, who.cpus, bare.n, touch_part, &bare, &e);
	t = clock_ns() - t;
	munmap(bare.base, GIB);
	free(who.cpus);
	return (double)t * 1e-9;
}

static double our_prepare(struct bench *b)
{
	struct mem_rights rights = {0};
	struct prepared r = {0};
	uint64_t t = clock_ns();

	prepare(&r, &b->plan, &rights, &never, &b->errors);
	t = clock_ns() - t;
	stop_on_errors(&b->errors);
	prepare_free(&r);
	return (double)t * 1e-9;
}

static void preparing(void)
{
	enum { TURNS = 9 };
	double bare[TURNS], ours[TURNS], ratio[TURNS];
	struct bench b;

	bench_init(&b,
		"kernels: read\nnodePerThread: first\nnodePerVector: first\nsizePerVector: 1GiB\n"
		"vectorPerThread: 0\n");
	bare_prepare(&b); /* the first one to run finds fewer free pages */
	for (int i = 0; i < TURNS; i++) {
		/* Each goes first in turn, so that the pages that one freed do not always help the
		 * other. */
		if (i % 2)
			bare[i] = bare_prepare(&b);
		ours[i] = our_prepare(&b);
		if (i % 2 == 0)
			bare[i] = bare_prepare(&b);
		ratio[i] = ours[i] / bare[i];
	}
	printf("a vector of 1 GiB:\n");
	print("  mmap and parallel touch by hand", bare, TURNS, "s");
	print("  mapped, bound, touched, every page proven", ours, TURNS, "s");
	print("  ratio, each pair side by side", ratio, TURNS, "");
	bench_free(&b);
}

static double time_in_samples(const struct samples *r)
{
	double sum = 0;

	for (int op = 0; op < r->plan->nops; op++)
		for (size_t i = 0; i < r->ops[op].count; i++)
			sum += sample_cost(&r->ops[op].samples[i], 0);
	return sum;
}

/* Runs everything from the topology to the last check, as the program does, for ten samples of
 * about a tenth of a second. */
static double outside_of_one_run(double *sample_s)
{
	struct environment env;
	struct experiment x;
	struct bench b;
	uint64_t t = clock_ns();

	bench_init(&b, "kernels: read\nnodePerThread: first\nnodePerVector: first\n"
		       "sizePerVector: 1MiB\nvectorPerThread: 0\nstride: 1\npasses: 260\n"
		       "warmup: 0\nsamples: 10\nplacements: 1\n");
	experiment_plan(&x, &b.args, &b.topo, &b.errors);
	stop_on_errors(&b.errors);
	environment_read(&env, &b.topo);
	experiment_measure(&x, &never, NULL, NULL, &b.errors);
	stop_on_errors(&b.errors);
	double all = (double)(clock_ns() - t) * 1e-9, inside = time_in_samples(&x.runs[0].samples);
	*sample_s = inside / 10;
	environment_free(&env);
	experiment_free(&x);
	bench_free(&b);
	return (all - inside) / inside * 100;
}

static void outside_kernels(void)
{
	enum { TURNS = 5 };
	double share[TURNS], sample_s;

	for (int i = 0; i < TURNS; i++)
		share[i] = outside_of_one_run(&sample_s);
	printf("runs of 10 samples of about %.3f s:\n", sample_s);
	print("  time outside the kernels, of the time in them", share, TURNS, "%");
}

int main(void)
{
	struct clock_cost clock = clock_measure();

	printf("reading the clock: %.1f ns, smallest step %.0f ns\n", clock.read_ns, clock.step_ns);
	empty_samples("one thread", "first");
	if (sysconf(_SC_NPROCESSORS_ONLN) > 1)
		empty_samples("two threads of a node", "first first");
	preparing();
	outside_kernels();
	return 0;
}
