/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a meeting of OpenMP's threads costs, by the method that the EPCC OpenMP micro-benchmarks
 * describe (J. M. Bull, Measuring Synchronisation and Scheduling Overheads in OpenMP, 1999), for
 * scripts/bench-peers:
 *
 *   syncbench barrier|reduce THREADS WORK    prints ns
 *
 * One thread does a delay many times over: the reference. Then all threads do the delay as often,
 * each time with a meeting behind it. The overhead of a meeting is the difference of the two times,
 * divided by their number. The delay is WORK additions, as in affinity's kernels of these names.
 * Of both times it is the median of the repetitions.
 *
 * reduce is a loop with a reduction clause inside of one parallel region: without the beginning and
 * the end of a region, which affinity's threads do not have either.
 */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef MEETINGS
#define MEETINGS 2000 /* of a repetition: the start of a region is nothing beside them */
#endif
#ifndef REPETITIONS
#define REPETITIONS 21
#endif

static void delay(uint64_t additions)
{
	while (additions) {
		additions--;
		__asm__ volatile("" : "+r"(additions));
	}
}

static double now_ns(void)
{
	return omp_get_wtime() * 1e9;
}

static double alone_ns(uint64_t work)
{
	const double begin = now_ns();

	for (uint64_t i = 0; i < MEETINGS; i++)
		delay(work);
	return now_ns() - begin;
}

static double barriers_ns(uint64_t work)
{
	double begin = 0;

#pragma omp parallel
	{
#pragma omp barrier
#pragma omp master
		begin = now_ns();
		for (uint64_t i = 0; i < MEETINGS; i++) {
			delay(work);
#pragma omp barrier
		}
	}
	return now_ns() - begin;
}

/* Each thread adds 1 to every sum. */
static double reductions_ns(uint64_t work)
{
	const int threads = omp_get_max_threads();
	uint64_t sum = 0;
	double begin = 0;

#pragma omp parallel
	{
#pragma omp barrier
#pragma omp master
		begin = now_ns();
		for (uint64_t i = 0; i < MEETINGS; i++) {
			delay(work);
#pragma omp for schedule(static, 1) reduction(+ : sum)
			for (int k = 0; k < threads; k++)
				sum++;
		}
	}
	const double ns = now_ns() - begin;

	if (sum != MEETINGS * (uint64_t)threads) {
		fputs("syncbench: a sum is wrong\n", stderr);
		exit(1);
	}
	return ns;
}

static int by_size(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values)
{
	qsort(values, REPETITIONS, sizeof(*values), by_size);
	return values[REPETITIONS / 2];
}

int main(int argc, char **argv)
{
	double alone[REPETITIONS], together[REPETITIONS];

	if (argc != 4 || (strcmp(argv[1], "barrier") && strcmp(argv[1], "reduce")) ||
		atoi(argv[2]) < 1) {
		fputs("usage: syncbench barrier|reduce THREADS WORK\n", stderr);
		return 2;
	}
	double (*const loop)(uint64_t work) =
		strcmp(argv[1], "reduce") ? barriers_ns : reductions_ns;
	const uint64_t work = strtoull(argv[3], NULL, 10);

	omp_set_dynamic(0);
	omp_set_num_threads(atoi(argv[2]));
	for (int i = 0; i < REPETITIONS; i++) {
		alone[i] = alone_ns(work);
		together[i] = loop(work);
	}
	printf("%.6g\n", (median(together) - median(alone)) / MEETINGS);
	return 0;
}
