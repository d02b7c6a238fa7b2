/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A call of the system or of the C library that fails once, or from then on.
 *
 * - FAIL=CALL:N[:ERROR]: the N-th CALL fails with that errno, a number; by default a usual one of
 * that call
 * - FAIL=CALL:N+[:ERROR]: so do all later ones
 * - FAIL_COUNT=FILE: the number of CALLs is written there at the end
 *
 * CALL: one of the functions below. Children of the process count anew. Threads too:
 * sched_setaffinity and mbind are counted in the order in which they are called.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_long calls;
static const char *name;
static size_t name_length;
static long fails;
static bool lasting;
static int error;

__attribute__((constructor)) static void begin(void)
{
	char *end;

	name = getenv("FAIL");
	if (!name || !strchr(name, ':'))
		return;
	name_length = strcspn(name, ":");
	fails = strtol(name + name_length + 1, &end, 10);
	lasting = *end == '+';
	end += lasting;
	error = *end == ':' ? atoi(end + 1) : 0;
}

__attribute__((destructor)) static void end(void)
{
	const char *path = getenv("FAIL_COUNT");
	FILE *f = path ? fopen(path, "w") : NULL;

	name_length = 0;
	if (f) {
		fprintf(f, "%ld\n", atomic_load(&calls));
		fclose(f);
	}
}

static bool refused(const char *call, int usual)
{
	if (!name_length || strlen(call) != name_length || strncmp(call, name, name_length))
		return false;
	long n = atomic_fetch_add(&calls, 1) + 1;
	if (!fails || n < fails || (n > fails && !lasting))
		return false;
	errno = error ? error : usual;
	return true;
}

/* The function that would be called without this library. */
#define REAL(function) ((__typeof__(&function))dlsym(RTLD_NEXT, #function))

#define FAILING(type, function, failure, usual, parameters, arguments) \
	type function parameters                                       \
	{                                                              \
		static __typeof__(&function) real;                     \
                                                                       \
		if (refused(#function, usual))                         \
			return failure;                                \
		if (!real)                                             \
			real = REAL(function);                         \
		return real arguments;                                 \
	}

FAILING(ssize_t, write, -1, ENOSPC, (int fd, const void *data, size_t n), (fd, data, n))
FAILING(ssize_t, read, -1, EIO, (int fd, void *data, size_t n), (fd, data, n))
FAILING(int, fsync, -1, EIO, (int fd), (fd))
FAILING(int, fchmod, -1, EPERM, (int fd, mode_t mode), (fd, mode))
FAILING(int, unlink, -1, EACCES, (const char *path), (path))
FAILING(int, rename, -1, EACCES, (const char *from, const char *to), (from, to))
FAILING(int, renameat2, -1, EINVAL,
	(int a, const char *from, int b, const char *to, unsigned flags), (a, from, b, to, flags))
FAILING(int, mkstemp, -1, EACCES, (char *path), (path))
FAILING(int, pipe, -1, EMFILE, (int fd[2]), (fd))
FAILING(int, pipe2, -1, EMFILE, (int fd[2], int flags), (fd, flags))
FAILING(int, dup2, -1, EBADF, (int from, int to), (from, to))
FAILING(pid_t, fork, -1, EAGAIN, (void), ())
FAILING(int, execvp, -1, ENOENT, (const char *file, char *const args[]), (file, args))
FAILING(int, execv, -1, ENOENT, (const char *file, char *const args[]), (file, args))
FAILING(FILE *, fopen, NULL, EMFILE, (const char *path, const char *mode), (path, mode))
FAILING(char *, realpath, NULL, EACCES, (const char *path, char *to), (path, to))
FAILING(int, munmap, -1, ENOMEM, (void *at, size_t n), (at, n))
FAILING(int, madvise, -1, EINVAL, (void *at, size_t n, int advice), (at, n, advice))
FAILING(int, sched_setaffinity, -1, EINVAL, (pid_t id, size_t n, const cpu_set_t *set),
	(id, n, set))
FAILING(int, sched_getaffinity, -1, EINVAL, (pid_t id, size_t n, cpu_set_t *set), (id, n, set))
FAILING(int, sched_getcpu, -1, ENOSYS, (void), ())
FAILING(int, clock_gettime, -1, EINVAL, (clockid_t clock, struct timespec *t), (clock, t))

/* Linux closes the descriptor whatever it answers (close(2)). */
int close(int fd)
{
	static __typeof__(&close) real;
	bool fails_now = refused("close", EIO);
	int answer = errno;

	if (!real)
		real = REAL(close);
	if (!fails_now)
		return real(fd);
	real(fd);
	errno = answer;
	return -1;
}

/* pthread functions return the error. */
FAILING(int, pthread_create, EAGAIN, EAGAIN,
	(pthread_t * thread, const pthread_attr_t *attributes, void *(*start)(void *), void *arg),
	(thread, attributes, start, arg))

/* libnuma makes these calls through syscall(). */
long syscall(long n, ...)
{
	static __typeof__(&syscall) real;
	long a[6];
	va_list list;

	va_start(list, n);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(list, long);
	va_end(list);
	if (!real)
		real = REAL(syscall);
	if ((n == SYS_mbind && refused("mbind", ENOMEM)) ||
		(n == SYS_move_pages && refused("move_pages", EPERM)))
		return -1;
	return real(n, a[0], a[1], a[2], a[3], a[4], a[5]);
}

long mbind(void *at, unsigned long n, int mode, const unsigned long *nodes, unsigned long max,
	unsigned flags);
long move_pages(int process, unsigned long n, void **pages, const int *nodes, int *status, int how);
long set_mempolicy(int mode, const unsigned long *nodes, unsigned long max);

FAILING(long, mbind, -1, ENOMEM,
	(void *at, unsigned long n, int mode, const unsigned long *nodes, unsigned long max,
		unsigned flags),
	(at, n, mode, nodes, max, flags))
FAILING(long, move_pages, -1, EPERM,
	(int process, unsigned long n, void **pages, const int *nodes, int *status, int how),
	(process, n, pages, nodes, status, how))
FAILING(long, set_mempolicy, -1, EPERM, (int mode, const unsigned long *nodes, unsigned long max),
	(mode, nodes, max))

int open(const char *path, int flags, ...)
{
	static __typeof__(&open) real;
	va_list list;

	va_start(list, flags);
	mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
	va_end(list);
	if (refused("open", EMFILE))
		return -1;
	if (!real)
		real = REAL(open);
	return real(path, flags, mode);
}
