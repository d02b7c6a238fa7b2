/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the compiler pass (src/runtimes/pass) puts into programs calls these; nobody writes such
 * calls by hand. One runtime of page migration for the process, with the configuration of the
 * environment (AFFINITY_SPM_*). Threads that the process starts, by pthread_create(), are bound
 * while they run if the configuration's `lock` says so.
 */
#ifndef AFFINITY_INSERTED_H
#define AFFINITY_INSERTED_H

#include <stdint.h>

#define INSERTED_API __attribute__((visibility("default")))

/* A place in front of a loop; the pass writes these as constants, field by field. */
struct inserted_site {
	const char *file, *function, *array;
	uint32_t line, element_size;
	uint32_t exact; /* 0: the estimate can differ from what runs */
};

/* Starts the runtime, once; first in main, or by the first call. What cannot be started is told on
 * stderr, and the program runs without migration. */
INSERTED_API void affinity_inserted_begin(void);

/* The program makes no call that the runtime's tests would reject, where it can know: where
 * last - first is less than `least`, and where an element has no more accesses than `reuse`. Both
 * are 0, so that all calls are made, until the runtime has begun, and where calls are traced or
 * counted. */
INSERTED_API extern _Atomic int64_t affinity_inserted_least, affinity_inserted_reuse;

/* In front of a loop and behind its exits: as spm_call() and spm_release(). A range whose last is
 * before its first, or without executions, is none. */
INSERTED_API void affinity_inserted_call(const struct inserted_site *site, const void *base,
	int64_t first, int64_t last, int64_t executions);
INSERTED_API void affinity_inserted_release(
	const struct inserted_site *site, const void *base, int64_t first, int64_t last);

/* In their place when estimates are checked: every access between the two is counted, and
 * affinity_inserted_checked() writes both. */
INSERTED_API void affinity_inserted_check(const struct inserted_site *site, const void *base,
	int64_t first, int64_t last, int64_t executions);
INSERTED_API void affinity_inserted_touch(
	const struct inserted_site *site, const void *address, int64_t bytes);
INSERTED_API void affinity_inserted_checked(
	const struct inserted_site *site, const void *base, int64_t first, int64_t last);

/* A loop, when turns are counted; the pass writes these, field by field, one behind the other. */
#define INSERTED_BUCKETS 7
struct inserted_loop {
	const char *file, *function;
	uint32_t line, depth;
	uint32_t counted, exact; /* counted: there is an estimate; exact: it must be N */
	/* by the estimate of N turns: up to sqrt(N), up to N/2, below N, N, up to 2N, up to N^2,
	 * above */
	_Atomic uint64_t instances[INSERTED_BUCKETS];
};

/* Before main, from each file of a program or library: all of its loops. */
INSERTED_API void affinity_inserted_loops(struct inserted_loop *first, struct inserted_loop *end);

/* When they go: at dlclose() or at the end of the process. */
INSERTED_API void affinity_inserted_unloaded(
	struct inserted_loop *first, struct inserted_loop *end);

/* At each exit of a loop. */
INSERTED_API void affinity_inserted_turns(struct inserted_loop *loop, int64_t estimate, int64_t n);

#endif
