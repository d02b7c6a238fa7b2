/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every thread of the process begins with spm_lock() and ends with spm_unlock(), also when it calls
 * pthread_exit() or is cancelled: this pthread_create() stands before the C library's. So a worker
 * is known whichever file or library has it, in OpenMP and C++ too; the dissertation's compiler
 * knew those that a file passes to pthread_create() itself.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "inserted/inserted.h"
#include "inserted/process.h"

struct start {
	void *(*work)(void *);
	void *arg;
};

static void unlock(void *spm)
{
	spm_unlock(spm);
}

static void *locked(void *arg)
{
	const struct start start = *(struct start *)arg;
	struct spm *spm = process_spm();
	void *result;

	free(arg);
	spm_lock(spm);
	pthread_cleanup_push(unlock, spm);
	result = start.work(start.arg);
	pthread_cleanup_pop(1);
	return result;
}

/* Under ThreadSanitizer a thread may call nothing before its own start, which is behind this one.
 */
static void tell_of_tsan(void)
{
	fprintf(stderr, "affinity: threads are not bound: AFFINITY_SPM_LOCK does not work under "
			"ThreadSanitizer\n");
}

typedef int creator(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

static creator *create;
static bool under_tsan;

/* dlsym() takes a lock, which a child of fork() may never get: so this is before the threads. */
__attribute__((constructor)) static void find(void)
{
	create = (creator *)dlsym(RTLD_NEXT, "pthread_create");
	under_tsan = dlsym(RTLD_DEFAULT, "__tsan_init");
}

static bool binds(struct spm *spm)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	if (!spm || spm_configuration(spm)->lock == SPM_LOCK_NONE)
		return false;
	if (!under_tsan)
		return true;
	pthread_once(&once, tell_of_tsan);
	return false;
}

INSERTED_API int pthread_create(
	pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *), void *arg)
{
	struct spm *spm = process_spm();
	struct start *start;
	int error;

	if (!create)
		find(); /* another library's constructor was earlier */
	if (!create)
		return ENOSYS;
	if (!binds(spm))
		return create(thread, attributes, work, arg);
	start = malloc(sizeof(*start));
	if (!start)
		return EAGAIN;
	*start = (struct start){work, arg};
	error = create(thread, attributes, locked, start);
	if (error)
		free(start);
	return error;
}
