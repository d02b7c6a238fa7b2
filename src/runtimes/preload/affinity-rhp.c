/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The library that affinity-rhp preloads into programs: large requests for memory become blocks of
 * the runtime of src/runtimes/rhp, which it contains. What happened is noted in memory that
 * affinity-rhp shares with it: for each program, a child of fork() as well, and up to its end.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rhp_library.h"
#include "rhp/runtime.h"

size_t from_bytes = SIZE_MAX;
struct rhp *_Atomic runtime;

static struct rhp_share *share;
static struct rhp_record *record; /* NULL: none yet, or no further one is left */
static bool asked;                /* for a record */
static atomic_bool counts_in_it;  /* the runtime does */
static bool over;                 /* the record is complete; destructors may release blocks yet */
static struct rhp_lock lock = {.mutex = PTHREAD_MUTEX_INITIALIZER};
static pid_t owner; /* the process that has these blocks: not a child of vfork() */

static pid_t process_id(void)
{
	return (pid_t)syscall(SYS_getpid);
}

static struct rhp_record *take_record(void)
{
	int i = atomic_fetch_add(&share->records, 1);
	struct rhp_record *taken = i < RHP_SHARE_RECORDS ? &share->record[i] : NULL;

	if (taken) {
		taken->process = process_id();
		prctl(PR_GET_NAME, taken->name);
	}
	return taken;
}

/* With the lock held. */
static struct rhp_record *need_record(void)
{
	if (!asked)
		record = take_record();
	asked = true;
	return record;
}

static struct rhp *make_runtime(void)
{
	const struct rhp_config config = {.rest = (enum rhp_rest)share->rest,
		.take = (enum rhp_take)share->take,
		.weights = share->weights};

	return rhp_start(&config, &rhp_linux, "");
}

/* With the lock held. A child of fork() has its parent's runtime, and a record only if it needs
 * one. */
static void count_in_record(struct rhp *r)
{
	struct rhp_record *its = r ? need_record() : NULL;

	if (its)
		rhp_count_in(r, &its->counts);
	counts_in_it = r;
}

struct rhp *need_runtime(void)
{
	int error = errno;

	if (!runtime || !counts_in_it) {
		rhp_lock(&lock);
		if (!runtime)
			runtime = make_runtime();
		if (!counts_in_it)
			count_in_record(runtime);
		rhp_unlock(&lock);
	}
	errno = error;
	return runtime;
}

void note_skipped(void)
{
	rhp_lock(&lock);
	struct rhp_record *its = need_record();
	rhp_unlock(&lock);
	if (its)
		atomic_fetch_add(&its->skipped, 1);
}

static void before_fork(void)
{
	rhp_lock(&lock);
	if (runtime)
		rhp_fork_begins(runtime);
}

static void after_fork(void)
{
	if (runtime)
		rhp_fork_ended(runtime);
	rhp_unlock(&lock);
}

static void in_child(void)
{
	owner = process_id();
	record = NULL;
	asked = false;
	counts_in_it = false;
	over = false;
	if (runtime)
		rhp_fork_child(runtime);
	rhp_unlock(&lock);
}

/* Before fork(), handlers run in reverse order: an allocator that has registered later takes its
 * locks before ours, as its threads do when it maps memory. */
void need_handlers(void)
{
	static atomic_flag registered = ATOMIC_FLAG_INIT;

	if (!atomic_flag_test_and_set(&registered))
		pthread_atfork(before_fork, after_fork, in_child);
}

__attribute__((constructor)) static void begin(void)
{
	int error = errno;

	find_allocator();
	find_exec();
	share = find_share(RHP_SHARE_VARIABLE, sizeof(*share), RHP_SHARE_MAGIC);
	if (share) {
		owner = process_id();
		atomic_fetch_add(&share->loaded, 1);
		/* while it asks, no mapping is placed or counted */
		if (own_allocator() && need_record())
			record->own_malloc = 1;
		from_bytes = share->from_bytes;
	}
	errno = error;
}

/* A child of vfork() has its parent's memory. A handler of a fault may end the process while its
 * thread allocates: then nothing is known. */
void process_ends(bool by_exit)
{
	int error = errno;

	if (record && owner == process_id() && !over) {
		record->ended = !runtime || !rhp_look(runtime, &record->last, by_exit);
		over = by_exit;
	}
	errno = error;
}

/* The blocks go with the program that is replaced. */
void exec_begins(bool replaces)
{
	if (!share)
		return;
	atomic_fetch_add(&share->execs, 1);
	if (replaces)
		process_ends(false);
}

void exec_ends(bool failed)
{
	if (!share || !failed)
		return;
	atomic_fetch_sub(&share->execs, 1);
	if (record && owner == process_id())
		record->ended = 0;
}
