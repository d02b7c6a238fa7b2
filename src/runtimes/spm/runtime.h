/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the runtime knows of itself and of each of its threads. */
#ifndef SPM_RUNTIME_H
#define SPM_RUNTIME_H

#include <pthread.h>

#include "spm/machine.h"
#include "spm/move.h"
#include "spm/pins.h"
#include "spm/spm.h"
#include "spm/system.h"

struct spm_thread {
	struct spm_counts counts; /* others read them: spm_add() writes */
	struct spm_lists lists;
	bool wants_lock;        /* between spm_lock() and spm_unlock() */
	int turn;               /* index of its node by SPM_LOCK_NODE_RR; -1: none yet */
	int moved_to;           /* node of the last call that moved a page; -1: none has */
	struct spm_cpus before; /* the CPUs before a lock */
	struct spm_thread *next;
};

struct spm {
	struct spm_config config;
	const struct spm_system *system;
	struct spm_machine machine;
	size_t page_bytes;
	struct spm_pins pins;
	pthread_key_t key;     /* of the calling thread's record */
	pthread_mutex_t mutex; /* of the list of records */
	struct spm_thread *first, **last;
	size_t nthreads;
	unsigned turn;    /* of SPM_LOCK_NODE_RR; atomic */
	struct spm *next; /* of all runtimes */
};

/* spm_init() for another machine: its calls, and its folder in place of SPM_SYS. The caches are
 * never asked of the processor then. */
struct spm *spm_init_on(const struct spm_config *config, const struct spm_system *system,
	const char *root, char *message, size_t size);

/* The calling thread's record; NULL: no memory. */
struct spm_thread *spm_thread_of(struct spm *s);

/* At the end of a thread, of its record: frees its lists, up to 256 KiB. Its counts stay, which
 * spm_total() adds up. */
void spm_thread_ended(void *thread);

/* From its beginning to its end: fork() waits for the runtime's locks, and the child begins with
 * its own thread alone, which has counted nothing. */
void spm_fork_with(struct spm *s);
void spm_fork_without(const struct spm *s);

/* Only the thread itself writes its counts, others may read them at any time. */
static inline void spm_add(uint64_t *count, uint64_t n)
{
	__atomic_store_n(count, __atomic_load_n(count, __ATOMIC_RELAXED) + n, __ATOMIC_RELAXED);
}

/* A call of this thread has moved pages to its node: binds it if SPM_LOCK_ONLY_IF_MIGRATED wants
 * that. */
void spm_lock_moved(struct spm *s, struct spm_thread *t, int node);

#endif
