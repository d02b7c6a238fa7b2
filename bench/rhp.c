/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What huge pages near and far cost: allocating and touching 1 GiB by the runtime compared with
 * mmap(), madvise() and touching by hand; a block beside many others; and a small malloc() with and
 * without the preloaded library, for which the program starts itself alone and under affinity-rhp.
 * Both in turns, so that both see the same machine. Prints medians and ranges, without a verdict.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "statistics/stats.h"
#include "rhp/rhp.h"
#include "system/program.h"

enum { TURNS = 11, SMALL_TURNS = 15, SERIES = 21, CALLS = 100000, BLOCKS = 50 };

#define GIB  ((size_t)1 << 30)
#define HUGE ((size_t)2 << 20)

static void print(const char *what, const double *samples, size_t n, const char *unit)
{
	struct stats s;

	stats_of(samples, n, 0.95, &s);
	printf("  %-56s %10.3f %s median, %.3f .. %.3f of %zu\n", what, s.median, unit, s.min,
		s.max, n);
}

static void touch(char *base)
{
	for (volatile char *c = base; c < base + GIB; c += 4096)
		*c = 1;
}

static double by_hand(void)
{
	uint64_t t = clock_ns();
	char *map =
		mmap(NULL, GIB + HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (map == MAP_FAILED)
		exit(1);
	char *base = map + (HUGE - (uintptr_t)map % HUGE) % HUGE;
	madvise(base, GIB, MADV_HUGEPAGE);
	touch(base);
	t = clock_ns() - t;
	munmap(map, GIB + HUGE);
	return (double)t * 1e-6;
}

static double by_runtime(struct rhp *r)
{
	uint64_t t = clock_ns();
	char *base = rhp_allocate(r, GIB);

	if (!base)
		exit(1);
	touch(base);
	t = clock_ns() - t;
	rhp_release(r, base);
	return (double)t * 1e-6;
}

static void large(void)
{
	struct rhp *r = rhp_init(NULL);
	double hand_ms[TURNS], runtime_ms[TURNS], ratio[TURNS];

	if (!r)
		exit(1);
	by_hand();
	for (int i = 0; i < TURNS; i++) {
		hand_ms[i] = by_hand();
		runtime_ms[i] = by_runtime(r);
		ratio[i] = runtime_ms[i] / hand_ms[i];
	}
	printf("1 GiB allocated and touched:\n");
	print("mmap, madvise, touch by hand", hand_ms, TURNS, "ms");
	print("rhp_allocate, touch", runtime_ms, TURNS, "ms");
	print("ratio (target: at most 1.05)", ratio, TURNS, "");
	rhp_end(r);
}

/* The quickest series: others may have the CPU in some. */
static double beside(struct rhp *r)
{
	double us = INFINITY;

	for (int i = 0; i < SERIES; i++) {
		uint64_t t = clock_ns();

		for (int k = 0; k < BLOCKS; k++)
			rhp_release(r, rhp_allocate(r, HUGE));
		us = fmin(us, (double)(clock_ns() - t) * 1e-3 / BLOCKS);
	}
	return us;
}

/* Blocks that are not written, so that they need no memory. */
static void growth(void)
{
	struct rhp *r = rhp_init(NULL);
	double before = 0;

	if (!r)
		exit(1);
	printf("a block of 2 MiB allocated and released beside n others:\n");
	for (int live = 0, n = 250; n <= 2000; n *= 2) {
		for (; live < n; live++)
			if (!rhp_allocate(r, HUGE))
				exit(1);
		const double us = beside(r);

		printf("  %4d %10.3f us", n, us);
		printf(before > 0 ? ", %.2f times that of half as many (target: below 2.3)\n"
				  : "\n",
			us / before);
		before = us;
	}
	rhp_end(r);
}

/* One turn: the median of several series, which other programs disturb. */
static double small(void)
{
	static double ns[SERIES];
	struct stats s;

	for (int i = 0; i < SERIES; i++) {
		uint64_t t = clock_ns();

		for (int k = 0; k < CALLS; k++) {
			void *volatile p = malloc(64);

			free(p);
		}
		ns[i] = (double)(clock_ns() - t) / CALLS;
	}
	stats_of(ns, SERIES, 0.95, &s);
	return s.median;
}

/* A turn in a process of its own, as a library can only be preloaded at a start. */
static double of_process(const char *const *argv)
{
	char *text = program_output((char *const *)(uintptr_t)argv);
	double ns;

	if (sscanf(text, "%lf", &ns) != 1) {
		fprintf(stderr, "bench/rhp: cannot run %s\n", argv[0]);
		exit(1);
	}
	free(text);
	return ns;
}

/* The programs lie where make is called. */
static void small_calls(const char *self)
{
	double alone[SMALL_TURNS], preloaded[SMALL_TURNS], more[SMALL_TURNS];

	for (int i = 0; i < SMALL_TURNS; i++) {
		alone[i] = of_process((const char *[]){self, "small", NULL});
		preloaded[i] = of_process((const char *[]){
			"./affinity-rhp", "--report", "/dev/null", "--", self, "small", NULL});
		more[i] = preloaded[i] - alone[i];
	}
	printf("malloc and free of 64 bytes:\n");
	print("as it is", alone, SMALL_TURNS, "ns");
	print("under affinity-rhp", preloaded, SMALL_TURNS, "ns");
	print("difference (target: at most 2)", more, SMALL_TURNS, "ns");
}

int main(int argc, char **argv)
{
	if (argc > 1) {
		printf("%.6f\n", small());
		return 0;
	}
	large();
	growth();
	small_calls(argv[0]);
	return 0;
}
