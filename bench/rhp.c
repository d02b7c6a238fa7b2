/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What huge pages near and far cost: allocating and touching 1 GiB by the runtime compared with
 * mmap(), madvise() and touching by hand; and a small malloc() with and without the preloaded
 * library, for which the program starts itself under affinity-rhp. Prints times and ratios, without
 * a verdict.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/stats.h"
#include "rhp/rhp.h"

enum { TURNS = 11, SMALL_TURNS = 51, CALLS = 100000 };

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

/* In turn, so that both see the same machine. */
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

static void small(const char *what)
{
	static double ns[SMALL_TURNS];

	for (int i = 0; i < SMALL_TURNS; i++) {
		uint64_t t = clock_ns();

		for (int k = 0; k < CALLS; k++) {
			void *volatile p = malloc(64);

			free(p);
		}
		ns[i] = (double)(clock_ns() - t) / CALLS;
	}
	print(what, ns, SMALL_TURNS, "ns");
}

/* The programs lie where make is called. */
static void preloaded(char *self)
{
	fflush(stdout);
	if (!fork()) {
		execl("./affinity-rhp", "affinity-rhp", "--report", "/dev/null", "--", self,
			"preloaded", (char *)NULL);
		perror("./affinity-rhp");
		_exit(1);
	}
	wait(NULL);
}

int main(int argc, char **argv)
{
	if (argc > 1) {
		small("under affinity-rhp (target: at most 2 ns more)");
		return 0;
	}
	large();
	printf("malloc and free of 64 bytes:\n");
	small("as it is");
	preloaded(argv[0]);
	return 0;
}
