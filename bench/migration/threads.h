/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the programs of this folder share: numbers of the command line, memory, threads. They are
 * those of Piccoli's works as plain C with threads, for the compiler pass
 * (manual/compiler-pass.md): nothing in them knows of page migration. kernels/ has the same
 * programs with calls by hand; sizes, values and places in memory are the same, so that decisions
 * can be compared.
 */
#ifndef THREADS_H
#define THREADS_H

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_THREADS = 1024, PAGE = 4096 };

/* Argument `at` of the command line, from least to most; ends the program where it is none. */
static inline uint64_t number(char **argv, int at, const char *name, uint64_t least, uint64_t most)
{
	char *end = NULL;
	const unsigned long long value = argv[at] ? strtoull(argv[at], &end, 10) : 0;

	if (end && end != argv[at] && !*end && value >= least && value <= most)
		return value;
	fprintf(stderr, "%s: argument %d is %s, from %llu to %llu\n", argv[0], at, name,
		(unsigned long long)least, (unsigned long long)most);
	exit(2);
}

/* From a page's begin on. */
static inline void *memory(size_t bytes)
{
	void *place = aligned_alloc(PAGE, (bytes + PAGE - 1) / PAGE * PAGE);

	if (place)
		return place;
	fprintf(stderr, "no memory for %zu bytes\n", bytes);
	exit(1);
}

/* Runs work(rank) in as many threads, until all have ended. */
static inline void run_threads(uint64_t threads, void *(*work)(void *))
{
	pthread_t ids[MOST_THREADS];

	for (uint64_t i = 0; i < threads; i++)
		if (pthread_create(&ids[i], NULL, work, (void *)(uintptr_t)i)) {
			fprintf(stderr, "no thread\n");
			exit(1);
		}
	for (uint64_t i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
}

/* xorshift64 (Marsaglia 2003), twice: number i of a sequence. */
static inline uint64_t drawn(uint64_t i)
{
	uint64_t x = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);

	for (int k = 0; k < 2; k++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
	}
	return x;
}

#endif
