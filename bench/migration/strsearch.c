/* SPDX-License-Identifier: GPL-3.0-or-later */
/* partitionStringSearch, figure 4.5 of Piccoli's dissertation: each thread searches its slice of a
 * text for a pattern, query by query; PROGRAM THREADS BYTES QUERIES LETTERS. */
#include <stdatomic.h>
#include <string.h>

#include "threads.h"

enum { EVERY = 4099, FIRST = 7 }; /* where the pattern is */

static char *text;
static uint64_t threads, bytes, queries, letters;
static atomic_uint_fast64_t found;

static void *worker(void *rank)
{
	const uint64_t from = bytes * (uintptr_t)rank / threads;
	const uint64_t end = bytes * ((uintptr_t)rank + 1) / threads, length = letters;
	char *pattern = memory(length);
	uint64_t here = 0;

	for (uint64_t query = 0; query < queries; query++) {
		memset(pattern, 'b', length);
		pattern[0] = 'a';
		for (uint64_t j = from; j < end + 1 - length; j++) {
			uint64_t k = 0;

			while (k < length && text[j + k] == pattern[k])
				k++;
			here += k == length;
		}
	}
	atomic_fetch_add(&found, here);
	free(pattern);
	return NULL;
}

int main(int argc, char **argv)
{
	(void)argc;
	threads = number(argv, 1, "threads", 1, MOST_THREADS);
	bytes = number(argv, 2, "bytes", 1 << 16, UINT64_C(1) << 40);
	queries = number(argv, 3, "queries", 1, 1000000);
	letters = number(argv, 4, "letters of the pattern", 2, 32);
	text = memory(bytes);
	memset(text, 'b', bytes);
	for (uint64_t i = FIRST; i < bytes; i += EVERY)
		text[i] = 'a';
	run_threads(threads, worker);
	printf("%llu\n", (unsigned long long)found);
	return 0;
}
