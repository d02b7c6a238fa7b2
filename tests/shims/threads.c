/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lets the start of threads fail: THREADS_FAIL=N, from the N-th on. */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef int create(
	pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *arg);

int pthread_create(
	pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *arg)
{
	static atomic_int asked;
	const char *text = getenv("THREADS_FAIL");

	if (text && atomic_fetch_add(&asked, 1) + 1 >= atoi(text))
		return EAGAIN;
	return ((create *)dlsym(RTLD_NEXT, "pthread_create"))(thread, attributes, start, arg);
}
