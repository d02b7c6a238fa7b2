/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The library that affinity-map preloads into programs: every thread is bound as it begins, to the
 * CPU of its program with the fewest threads, the first of equals; so threads take them in turn.
 * Bound are the main thread, before main(); threads of pthread_create() and thrd_create(), hence
 * OpenMP's and C++'s; children of fork(), and programs that any child executes. Not seen: threads
 * made by clone() itself, which stay with their maker.
 *
 * It stands alone: nothing here may call what the program could have replaced, or take a lock.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>

#include "share.h"

#define MASK_WORDS (MAP_SHARE_CPUS / (8 * sizeof(unsigned long)))
#define EXPORT     __attribute__((visibility("default")))

static struct map_share *share;         /* NULL: not under affinity-map, or it cannot be reached */
static pthread_key_t seat_key;          /* of a thread: its seat + 1, given back when it ends */
static atomic_int mine[MAP_SHARE_CPUS]; /* threads of this process, by seat */

static int thread_id(void)
{
	return (int)syscall(SYS_gettid);
}

/* By the system call: sched_setaffinity() below counts what the program does. */
static bool bind_to(int cpu)
{
	unsigned long mask[MASK_WORDS] = {0};

	CPU_SET_S((size_t)cpu, sizeof(mask), (cpu_set_t *)mask);
	return syscall(SYS_sched_setaffinity, 0, sizeof(mask), mask) == 0;
}

static int emptiest(void)
{
	int best = 0;

	for (int i = 1; i < share->nseats; i++)
		if (atomic_load(&share->seats[i].taken) < atomic_load(&share->seats[best].taken))
			best = i;
	return best;
}

static void count_thread(void)
{
	int now = atomic_fetch_add(&share->now, 1) + 1, most = atomic_load(&share->most);

	atomic_fetch_add(&share->threads, 1);
	while (now > most && !atomic_compare_exchange_weak(&share->most, &most, now))
		;
}

/* Threads of several processes may choose at the same time; the second to come looks again. */
static int choose(void)
{
	for (;;) {
		int seat = emptiest(), taken = atomic_load(&share->seats[seat].taken);

		if (atomic_compare_exchange_strong(&share->seats[seat].taken, &taken, taken + 1))
			return seat;
	}
}

static _Atomic(struct map_sitter) *sitter(void)
{
	return &share->sitters[thread_id() % MAP_SHARE_SITTERS];
}

static void bind_to_seat(int seat)
{
	if (share->bind && !bind_to(share->seats[seat].cpu))
		atomic_fetch_add(&share->refused, 1);
}

/* Returns the seat. */
static int sit_down(void)
{
	int seat = choose();

	atomic_fetch_add(&mine[seat], 1);
	atomic_store(sitter(), ((struct map_sitter){thread_id(), seat}));
	count_thread();
	bind_to_seat(seat);
	return seat;
}

/* The thread's number will be another's. */
static void stand_up(int seat, int threads)
{
	atomic_store(sitter(), ((struct map_sitter){0, 0}));
	atomic_fetch_sub(&share->seats[seat].taken, threads);
	atomic_fetch_sub(&share->now, threads);
}

static void end_thread(void *seat)
{
	int i = (int)(intptr_t)seat - 1, threads = atomic_load(&mine[i]);

	/* a process that ends has given back all of them at once */
	while (threads > 0)
		if (atomic_compare_exchange_weak(&mine[i], &threads, threads - 1)) {
			stand_up(i, 1);
			return;
		}
}

/* A child of fork() that executes a program keeps its seat: the program is the same thread. */
static int kept_seat(void)
{
	struct map_sitter s = atomic_load(sitter());

	return s.thread == thread_id() && s.seat < share->nseats ? s.seat : -1;
}

static void after_fork(void)
{
	memset(mine, 0, sizeof(mine[0]) * (size_t)share->nseats);
	pthread_setspecific(seat_key, NULL);
	sit_down();
}

static struct map_share *find_share(void)
{
	const char *path = getenv(MAP_SHARE_VARIABLE);
	int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;

	if (fd < 0)
		return NULL;
	struct map_share *s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	return s == MAP_FAILED || s->magic != MAP_SHARE_MAGIC ? NULL : s;
}

__attribute__((constructor)) static void begin(void)
{
	int error = errno, seat;

	share = find_share();
	errno = error;
	if (!share || pthread_key_create(&seat_key, end_thread)) {
		share = NULL;
		return;
	}
	atomic_fetch_add(&share->processes, 1);
	pthread_atfork(NULL, NULL, after_fork);
	if ((seat = kept_seat()) >= 0) {
		atomic_fetch_add(&mine[seat], 1);
		bind_to_seat(seat);
	} else {
		sit_down();
	}
	errno = error;
}

/* Threads that live until the process ends do not get to give back their seats. */
static void leave(void)
{
	for (int i = 0; share && i < share->nseats; i++) {
		int threads = atomic_exchange(&mine[i], 0);

		if (threads > 0)
			stand_up(i, threads);
	}
}

__attribute__((destructor)) static void end(void)
{
	leave();
}

static void *next(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

EXPORT _Noreturn void _exit(int status)
{
	leave();
	syscall(SYS_exit_group, status);
	__builtin_unreachable();
}

EXPORT _Noreturn void _Exit(int status)
{
	_exit(status);
}

/* What a thread was to do. */
struct errand {
	void *(*posix)(void *);
	int (*c11)(void *);
	void *arg;
};

static struct errand take_errand(void *arg)
{
	struct errand e = *(struct errand *)arg;

	free(arg);
	pthread_setspecific(seat_key, (void *)(intptr_t)(sit_down() + 1));
	return e;
}

static void *begin_posix(void *arg)
{
	struct errand e = take_errand(arg);

	return e.posix(e.arg);
}

static int begin_c11(void *arg)
{
	struct errand e = take_errand(arg);

	return e.c11(e.arg);
}

EXPORT int pthread_create(
	pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *arg)
{
	int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
		next("pthread_create");
	struct errand *e = share ? malloc(sizeof(*e)) : NULL;
	int error;

	if (!e)
		return create(thread, attr, start, arg);
	*e = (struct errand){start, NULL, arg};
	if ((error = create(thread, attr, begin_posix, e)))
		free(e);
	return error;
}

EXPORT int thrd_create(thrd_t *thread, thrd_start_t start, void *arg)
{
	int (*create)(thrd_t *, thrd_start_t, void *) = next("thrd_create");
	struct errand *e = share ? malloc(sizeof(*e)) : NULL;
	int error;

	if (!e)
		return create(thread, start, arg);
	*e = (struct errand){NULL, start, arg};
	if ((error = create(thread, begin_c11, e)) != thrd_success)
		free(e);
	return error;
}

/* Programs count the CPUs of their mask to know how many threads to start: they are shown all CPUs
 * of the program, as under taskset, and not the one of the thread that asks. */
static int show_all(size_t size, cpu_set_t *mask)
{
	memset(mask, 0, size);
	for (int i = 0; i < share->nseats; i++) {
		if ((size_t)share->seats[i].cpu >= 8 * size)
			return EINVAL;
		CPU_SET_S((size_t)share->seats[i].cpu, size, mask);
	}
	return 0;
}

EXPORT int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *mask)
{
	int (*get)(pid_t, size_t, cpu_set_t *) = next("sched_getaffinity");

	if (!share || !share->bind || (pid && pid != thread_id() && pid != getpid()))
		return get(pid, size, mask);
	int error = show_all(size, mask);
	if (error)
		errno = error;
	return error ? -1 : 0;
}

EXPORT int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *mask)
{
	int (*get)(pthread_t, size_t, cpu_set_t *) = next("pthread_getaffinity_np");

	return share && share->bind ? show_all(size, mask) : get(thread, size, mask);
}

/* Programs may bind their threads themselves, but then it is told. */
EXPORT int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *mask)
{
	int (*set)(pid_t, size_t, const cpu_set_t *) = next("sched_setaffinity");

	if (share)
		atomic_fetch_add(&share->own, 1);
	return set(pid, size, mask);
}

EXPORT int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *mask)
{
	int (*set)(pthread_t, size_t, const cpu_set_t *) = next("pthread_setaffinity_np");

	if (share)
		atomic_fetch_add(&share->own, 1);
	return set(thread, size, mask);
}
