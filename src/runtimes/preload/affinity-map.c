/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The library that affinity-map preloads into programs. It binds every thread when it begins, to
 * the CPU of its program that has the fewest threads. It sees the main thread, before main();
 * threads of pthread_create() and thrd_create(), and so those of OpenMP and C++; children of
 * fork(); and programs that any of these execute. It does not see threads that the program creates
 * with clone() directly: they run where their creator runs.
 *
 * It depends on nothing else of this project, calls nothing that the program could have replaced,
 * and takes no lock.
 */
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>

#include "exec.h"
#include "sitters.h"

#define MASK_WORDS (MAP_SHARE_CPUS / (8 * sizeof(unsigned long)))

/* NULL: not started by affinity-map, or the shared memory cannot be reached. */
static struct map_share *share;
static pthread_key_t ends_key; /* its destructor runs when a thread ends */
static pid_t owner;            /* the process that has these threads: not a child of vfork() */

/* The CPU that the library bound this thread to; -1: the library did not bind it, or the program
 * has bound it since. */
static __thread int bound_cpu __attribute__((tls_model("initial-exec"))) = -1;

/* What the functions below replace, looked up before main() by find_threads(): dlsym() takes a
 * lock, which a child of fork() may never get. */
static struct {
	int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	int (*create_c11)(thrd_t *, thrd_start_t, void *);
	int (*get)(pid_t, size_t, cpu_set_t *);
	int (*get_thread)(pthread_t, size_t, cpu_set_t *);
	int (*set)(pid_t, size_t, const cpu_set_t *);
	int (*set_thread)(pthread_t, size_t, const cpu_set_t *);
} real;

/* Again by each function that another library's constructor may have called before. */
static void find_threads(void)
{
	if (real.set_thread)
		return;
	real.create = next("pthread_create");
	real.create_c11 = next("thrd_create");
	real.get = next("sched_getaffinity");
	real.get_thread = next("pthread_getaffinity_np");
	real.set = next("sched_setaffinity");
	real.set_thread = next("pthread_setaffinity_np");
}

static int thread_id(void)
{
	return (int)syscall(SYS_gettid);
}

static int process_id(void)
{
	return (int)syscall(SYS_getpid);
}

/* Uses the system call, because sched_setaffinity() below counts the calls of the program. */
static bool set_mask(const unsigned long *mask)
{
	return syscall(SYS_sched_setaffinity, 0, MASK_WORDS * sizeof(*mask), mask) == 0;
}

static bool bind_to(int cpu)
{
	unsigned long mask[MASK_WORDS] = {0};

	CPU_SET_S((size_t)cpu, sizeof(mask), (cpu_set_t *)mask);
	return set_mask(mask);
}

/* If the library has bound the calling thread, lets it use all CPUs of the program; a new program
 * inherits that mask. Threads that the program has bound itself stay so. */
static void unbind_thread(void)
{
	unsigned long mask[MASK_WORDS] = {0};

	if (bound_cpu < 0)
		return;
	for (int i = 0; i < share->nseats; i++)
		CPU_SET_S((size_t)share->seats[i].cpu, sizeof(mask), (cpu_set_t *)mask);
	set_mask(mask);
}

static void rebind_thread(void)
{
	if (bound_cpu >= 0)
		bind_to(bound_cpu);
}

/* A program that loads the library binds its threads itself. One that does not inherits the mask of
 * the thread that executes it, for all its threads: all CPUs of the program on affinity-map's
 * command line. A child of vfork() has its own mask. */
void exec_begins(bool replaces)
{
	(void)replaces;
	if (!share)
		return;
	atomic_fetch_add(&share->execs, 1);
	unbind_thread();
}

void exec_ends(bool failed)
{
	if (!share)
		return;
	if (failed)
		atomic_fetch_sub(&share->execs, 1);
	rebind_thread();
}

static void bind_to_seat(int seat)
{
	if (!share->bind)
		return;
	bound_cpu = share->seats[seat].cpu;
	if (!bind_to(bound_cpu))
		atomic_fetch_add(&share->refused, 1);
}

static void sit_down(void)
{
	int seat, entry = sitter_add(share, process_id(), &seat);

	sitter_begin(share, entry, process_id(), thread_id());
	bind_to_seat(seat);
}

static void end_thread(void *entry)
{
	sitter_remove(share, (int)((_Atomic(uint64_t) *)entry - share->sitters), process_id(),
		thread_id());
}

/* An earlier process may have had the same process ID, so entries of that ID are removed first. */
static void after_fork(void)
{
	owner = process_id();
	sitter_remove_process(share, owner, NO_THREAD);
	pthread_setspecific(ends_key, NULL);
	sit_down();
}

/* If a child of fork() executes a program, the program keeps the child's seat, because it is the
 * same thread. An exec ends all other threads of the process. */
__attribute__((constructor)) static void begin(void)
{
	int error = errno, seat;

	share = find_share(MAP_SHARE_VARIABLE, sizeof(*share), MAP_SHARE_MAGIC);
	errno = error;
	if (!share || pthread_key_create(&ends_key, end_thread)) {
		share = NULL;
		return;
	}
	find_exec();
	find_threads();
	owner = process_id();
	atomic_fetch_add(&share->processes, 1);
	pthread_atfork(NULL, NULL, after_fork);
	sitter_remove_process(share, owner, thread_id());
	sitter_remove_dead(share, owner);
	seat = sitter_find(share, owner, thread_id());
	if (seat >= 0 && seat < share->nseats)
		bind_to_seat(seat);
	else
		sit_down();
	errno = error;
}

/* The key's destructor does not run for threads that live until the process ends, so their
 * seats are freed here. A child of vfork() shares the memory of its parent, but has none of
 * its threads. */
void process_ends(bool by_exit)
{
	(void)by_exit;
	if (share && owner == process_id())
		sitter_remove_process(share, owner, NO_THREAD);
}

/* The function that a new thread runs, its argument, and its seat. */
struct errand {
	void *(*posix)(void *);
	int (*c11)(void *);
	void *arg;
	int entry, seat;
	enum stage { NEW, BEING_BOUND, BOUND, BEGUN } _Atomic stage;
};

/* NULL: the thread is left alone. */
static struct errand *make_errand(void *(*posix)(void *), int (*c11)(void *), void *arg)
{
	struct errand *e = share ? malloc(sizeof(*e)) : NULL;

	find_threads();
	if (!e)
		return NULL;
	*e = (struct errand){.posix = posix, .c11 = c11, .arg = arg};
	e->entry = sitter_add(share, process_id(), &e->seat);
	return e;
}

static bool step(struct errand *e, enum stage to)
{
	enum stage stage = NEW;

	return atomic_compare_exchange_strong(&e->stage, &stage, to);
}

static void bind_other(pthread_t thread, int cpu)
{
	unsigned long mask[MASK_WORDS] = {0};

	CPU_SET_S((size_t)cpu, sizeof(mask), (cpu_set_t *)mask);
	if (real.set_thread(thread, sizeof(mask), (cpu_set_t *)mask))
		atomic_fetch_add(&share->refused, 1);
}

/* A thread begins on the CPU of its creator and waits there. Until it has run it goes to another
 * one at once; after that it must be stopped first, which takes several times as long. Only until
 * then `thread` is the creator's: what has begun may free it. */
static void send_off(struct errand *e, const pthread_t *thread)
{
	if (step(e, BEING_BOUND)) {
		if (share->bind)
			bind_other(*thread, share->seats[e->seat].cpu);
		atomic_store(&e->stage, BOUND);
		/* by now it may be free; who else waits there looks again */
		syscall(SYS_futex, &e->stage, FUTEX_WAKE_PRIVATE, 1);
	} else {
		free(e); /* it has begun */
	}
}

static void call_off(struct errand *e)
{
	sitter_remove(share, e->entry, process_id(), 0);
	free(e);
}

static struct errand take_errand(struct errand *errand)
{
	struct errand e = {.posix = errand->posix, .c11 = errand->c11, .arg = errand->arg};
	int entry = errand->entry, seat = errand->seat;

	if (step(errand, BEGUN)) {
		bind_to_seat(seat);
	} else {
		while (atomic_load(&errand->stage) != BOUND)
			syscall(SYS_futex, &errand->stage, FUTEX_WAIT_PRIVATE, BEING_BOUND, NULL);
		free(errand);
		bound_cpu = share->bind ? share->seats[seat].cpu : -1;
	}
	sitter_begin(share, entry, process_id(), thread_id());
	if (entry >= 0)
		pthread_setspecific(ends_key, &share->sitters[entry]);
	return e;
}

static void *begin_posix(void *errand)
{
	struct errand e = take_errand(errand);

	return e.posix(e.arg);
}

static int begin_c11(void *errand)
{
	struct errand e = take_errand(errand);

	return e.c11(e.arg);
}

EXPORT int pthread_create(
	pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *arg)
{
	struct errand *e = make_errand(start, NULL, arg);
	int error;

	if (!e)
		return real.create(thread, attr, start, arg);
	if ((error = real.create(thread, attr, begin_posix, e)))
		call_off(e);
	else
		send_off(e, thread);
	return error;
}

EXPORT int thrd_create(thrd_t *thread, thrd_start_t start, void *arg)
{
	struct errand *e = make_errand(NULL, start, arg);
	int error;

	if (!e)
		return real.create_c11(thread, start, arg);
	if ((error = real.create_c11(thread, begin_c11, e)) != thrd_success)
		call_off(e);
	else
		send_off(e, (const pthread_t *)thread);
	return error;
}

/* Programs count the CPUs of their mask to decide how many threads to start. So they get all CPUs
 * of the program, as under taskset, and not only the CPU of the calling thread. The kernel has
 * filled the mask before: it refuses what a program asks in vain, as strace does for its size. */
static void show_all(size_t size, cpu_set_t *mask)
{
	memset(mask, 0, size);
	for (int i = 0; i < share->nseats; i++)
		CPU_SET_S((size_t)share->seats[i].cpu, size, mask);
}

EXPORT int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *mask)
{
	find_threads();
	int failed = real.get(pid, size, mask);

	if (!failed && share && share->bind && (!pid || pid == thread_id() || pid == getpid()))
		show_all(size, mask);
	return failed;
}

EXPORT int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *mask)
{
	find_threads();
	int error = real.get_thread(thread, size, mask);

	if (!error && share && share->bind)
		show_all(size, mask);
	return error;
}

/* Programs may bind their threads themselves; the report shows that. */
EXPORT int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *mask)
{
	find_threads();
	if (share)
		atomic_fetch_add(&share->own, 1);
	if (!pid || pid == thread_id())
		bound_cpu = -1;
	return real.set(pid, size, mask);
}

EXPORT int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *mask)
{
	find_threads();
	if (share)
		atomic_fetch_add(&share->own, 1);
	if (pthread_equal(thread, pthread_self()))
		bound_cpu = -1;
	return real.set_thread(thread, size, mask);
}
