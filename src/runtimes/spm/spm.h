/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Selective page migration: moves the pages of an array to the node of the thread that is about to
 * use them, if the thread will use them often enough to pay for the move. The runtime of Piccoli's
 * dissertation (Unicamp 2016) and of Piccoli et al. (PACT 2014), where a compiler inserts the
 * calls; here a program makes them itself. The library needs nothing but Linux and the C library.
 *
 *     struct spm *s = spm_init(NULL, message, sizeof(message));
 *     ... in each thread:
 *     spm_lock(s);
 *     spm_call(s, array, 0, bytes - 1, executions, sizeof(*array));
 *     ... the loop over the array ...
 *     spm_release(s, array, 0, bytes - 1);
 *     spm_unlock(s);
 *     ... when all threads have finished:
 *     spm_end(s);
 *
 * All functions may be called by any number of threads at the same time, except spm_init() and
 * spm_end(). A runtime that was not started, NULL, is allowed everywhere and does nothing.
 */
#ifndef AFFINITY_SPM_H
#define AFFINITY_SPM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SPM_API __attribute__((visibility("default")))

/* What is compared with reuse_threshold. */
enum spm_reuse_mode {
	SPM_PER_ELEMENT, /* executions * element size / bytes: the mean accesses of an element */
	SPM_RAW,         /* executions, as the dissertation prints its rule */
	SPM_PER_PAGE /* executions / bytes * page size: the mean accesses of a page (PACT 2014) */
};

/* Which cache a range must exceed, as the CPU sees it on which spm_init() is called. */
enum spm_cache_def {
	SPM_CACHE_SUM,  /* data and unified caches of all levels together */
	SPM_CACHE_LLC,  /* the last level */
	SPM_CACHE_SHARE /* of each level what one of the cores that share it has, together */
};

enum spm_mover { SPM_MBIND, SPM_MOVE_PAGES };

/* The memory policy of pages that mbind() was asked to move. */
enum spm_policy {
	SPM_POLICY_BIND,   /* bound to the node, as published: AutoNUMA leaves them alone */
	SPM_POLICY_DEFAULT /* the kernel's default, as before the call */
};

enum spm_pin {
	SPM_PIN_NONE,
	SPM_PIN_TREE /* accepted pages are pinned until spm_release(): no call moves them again */
};

/* Where spm_lock() binds the calling thread to; to all CPUs of a node, never to one CPU. */
enum spm_lock_mode {
	SPM_LOCK_NONE,
	SPM_LOCK_NODE_RR,         /* the nodes in turn, in the order of the threads' first calls */
	SPM_LOCK_NODE_CURRENT,    /* the node on which the thread runs */
	SPM_LOCK_ONLY_IF_MIGRATED /* the node to which a call of this thread has moved a page */
};

/* Which number of executions spm_executions() chooses. */
enum spm_estimate {
	SPM_STATIC, /* as a compiler computes it: every loop runs to its end, every branch is taken
		     */
	SPM_ACTUAL
};

struct spm_config {
	double reuse_threshold; /* a call is accepted above it, not at it; at least 0 */
	enum spm_reuse_mode reuse_mode;
	bool size_test;      /* ranges up to cache_factor * the cache are rejected */
	double cache_factor; /* at least 0; published: 0.2, 0.1, 1 */
	enum spm_cache_def cache_def;
	uint64_t cache_bytes; /* instead of the machine's caches; 0: as cache_def says */
	enum spm_mover mover;
	enum spm_policy policy;
	enum spm_pin pin;
	enum spm_lock_mode lock;
	enum spm_estimate estimate;
};

/* 200, per_element, size test on, 0.2 of the sum, mbind, bind, no pins, no lock, static. A call for
 * every range ("eager", "premature migration") has reuse_threshold 0 and no size test. */
SPM_API void spm_config_default(struct spm_config *config);

/* Sets one field by its name as in the struct. Numbers have a decimal point in every locale; bytes
 * may end in KiB, MiB or GiB; size_test is yes or no; other values are the names of the enums in
 * lower case, such as "per_element", "node_rr" or "move_pages". Returns 0, or -1 with a message of
 * at most size bytes: no such field, or no such value; the field is then unchanged. */
SPM_API int spm_config_set(
	struct spm_config *config, const char *name, const char *value, char *message, size_t size);

/* Sets what the environment says: AFFINITY_SPM_REUSE_THRESHOLD=100, AFFINITY_SPM_PIN=tree, ... The
 * names are those of the fields in capitals. Returns 0, or -1 with a line for each mistake; a
 * variable that begins like this and names no field is one. A setuid program's sets nothing. */
SPM_API int spm_config_environment(struct spm_config *config, char *message, size_t size);

/* A runtime with its own configuration, counters and pins; several can exist. config NULL: the
 * defaults and the environment. Call it from a thread that is not bound: locks use only CPUs that
 * this thread may use. Returns NULL with a message, a line for each mistake: a value out of range,
 * caches of unknown size, no memory. spm_end() frees it; then no thread may be in a call, and
 * none that has called may be about to end. A child of fork() has it too, with the pins of its own
 * thread and without counts. */
struct spm;
SPM_API struct spm *spm_init(const struct spm_config *config, char *message, size_t size);
SPM_API void spm_end(struct spm *s);

/* The configuration in use. cache_bytes: what the size test uses. */
SPM_API const struct spm_config *spm_configuration(const struct spm *s);

enum spm_answer {
	SPM_TOO_SMALL,        /* rejected by the size test, which comes first */
	SPM_TOO_LITTLE_REUSE, /* rejected by the reuse test */
	SPM_DONE,             /* all pages in memory are on the caller's node */
	SPM_PINNED,  /* some or all pages are pinned and stayed; the others are on the node */
	SPM_REFUSED, /* the kernel did not move some or all pages; errno has the reason */
	SPM_INVALID  /* last before first, executions below 0, element_size 0, no memory for
			the runtime itself (errno ENOMEM): nothing was done */
};

/* Before a loop that executes `executions` accesses to elements of [first, last], offsets in bytes
 * from array, both inclusive: moves their pages to the node on which the caller runs, if the
 * configuration's tests accept the range. A call that rejects makes no system call.
 *
 * Which pages: all that begin in the range, and the page in which the range begins; not the page in
 * which it ends, unless the range fills that page to its end. So each page of an array that threads
 * share in consecutive slices belongs to one thread, a range within one page has none, and other
 * data that share the first page move too. Within these pages:
 *
 * - Pages that are not in memory (never written, or not mapped) stay as they are. Under
 *   SPM_POLICY_BIND the node's memory is used when they are written; the kernel kills a process
 * that writes more of them than the node can hold, so write arrays before you call.
 * - A transparent huge page moves whole, or is split by the kernel, also when the range has only a
 *   part of it.
 * - Pages that other processes map as well do not move (errno EACCES).
 * - Pages that the kernel holds do not move (errno EBUSY).
 * - Where the node is full (errno ENOMEM), move_pages stops; mbind moves what it can. The rest
 * stays where it is and gets the default policy, so that nobody is killed for it later.
 * - What mbind() refuses as a whole (ranges with holes, parts of a page of a pool, too many
 *   mappings) is moved by move_pages(). */
SPM_API enum spm_answer spm_call(struct spm *s, const void *array, ptrdiff_t first, ptrdiff_t last,
	int64_t executions, size_t element_size);

/* After the loop: the same range, or a part of it. Unpins the pages of it that the calling thread
 * has pinned, and no others. Returns 0, or -1: last is before first, or no memory (errno). Without
 * pins it does nothing. A thread releases what it pinned before it ends; nobody else can. */
SPM_API int spm_release(struct spm *s, const void *array, ptrdiff_t first, ptrdiff_t last);

/* Binds the calling thread as the configuration says, until spm_unlock(), which gives it back the
 * CPUs that it had. With SPM_LOCK_ONLY_IF_MIGRATED the thread stays free until one of its calls,
 * before or after spm_lock(), has moved a page. Returns 0, or -1 and errno. */
SPM_API int spm_lock(struct spm *s);
SPM_API int spm_unlock(struct spm *s);

/* Chooses one of two numbers of executions as the configuration's `estimate` says. */
SPM_API int64_t spm_executions(const struct spm *s, int64_t as_compiled, int64_t actual);

/* What the calls of a thread did. calls = too_small + too_little_reuse + invalid + accepted.
 * pages_asked = moved + there + pinned + refused, in base pages of the system. */
struct spm_counts {
	pid_t thread; /* 0 in a sum */
	int node;     /* that the thread is bound to now; -1: to none */
	int error;    /* errno of the last refused pages; 0: none were */
	uint64_t calls, too_small, too_little_reuse, invalid, accepted;
	uint64_t pages_asked;
	uint64_t moved; /* were on another node before the call, and are on the caller's after it */
	uint64_t there; /* needed no move: on the node already, or not in memory */
	uint64_t pinned;  /* stayed: pinned by a call */
	uint64_t refused; /* stayed: the kernel did not move them */
	uint64_t ns;      /* in spm_call() */
};

/* Writes at most n counts, one for each thread that has called, in the order of their first calls.
 * Returns the number of these threads. While threads are in calls, counts may lag behind. */
SPM_API size_t spm_counts(const struct spm *s, struct spm_counts *counts, size_t n);

/* What the calls of the calling thread did; all 0 if it has made none. */
SPM_API struct spm_counts spm_own_counts(const struct spm *s);

/* The sum over all threads; error: of the last thread that has one. */
SPM_API struct spm_counts spm_total(const struct spm *s);

/* The configuration as "name: value" lines behind '#', the names of the counts, and a line for each
 * thread. */
SPM_API void spm_print(const struct spm *s, FILE *out);

#ifdef __cplusplus
}
#endif

#endif
