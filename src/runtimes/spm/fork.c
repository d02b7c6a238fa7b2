/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fork() copies one thread: what others hold is held for ever in the child, and what they counted
 * and pinned is the parent's. */
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "spm/runtime.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct spm *runtimes;

/* The order of all locks: this list, a runtime's threads, its pins. */
static void before_fork(void)
{
	pthread_mutex_lock(&mutex);
	for (struct spm *s = runtimes; s; s = s->next) {
		pthread_mutex_lock(&s->mutex);
		pthread_mutex_lock(&s->pins.mutex);
	}
}

static void after_fork(void)
{
	for (struct spm *s = runtimes; s; s = s->next) {
		pthread_mutex_unlock(&s->pins.mutex);
		pthread_mutex_unlock(&s->mutex);
	}
	pthread_mutex_unlock(&mutex);
}

/* A record whose pins cannot be released stays, so that no other thread gets its address. Its lists
 * stay too: fork() may have found their owner half-way through a change of them. */
static void drop_thread(struct spm *s, struct spm_thread *t)
{
	if (!spm_pins_release(&s->pins, (struct spm_run){0, UINTPTR_MAX}, t))
		free(t);
}

static void keep_own_thread(struct spm *s)
{
	struct spm_thread *own = pthread_getspecific(s->key), *next;

	for (struct spm_thread *t = s->first; t; t = next) {
		next = t->next;
		if (t != own)
			drop_thread(s, t);
	}
	s->first = own;
	s->last = own ? &own->next : &s->first;
	s->nthreads = own != NULL;
	if (!own)
		return;
	own->next = NULL;
	own->counts = (struct spm_counts){.thread = gettid(), .node = own->counts.node};
}

static void in_child(void)
{
	after_fork();
	for (struct spm *s = runtimes; s; s = s->next)
		keep_own_thread(s);
}

static void register_handlers(void)
{
	pthread_atfork(before_fork, after_fork, in_child);
}

void spm_fork_with(struct spm *s)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, register_handlers);
	pthread_mutex_lock(&mutex);
	s->next = runtimes;
	runtimes = s;
	pthread_mutex_unlock(&mutex);
}

void spm_fork_without(const struct spm *s)
{
	struct spm **at = &runtimes;

	pthread_mutex_lock(&mutex);
	while (*at != s)
		at = &(*at)->next;
	*at = s->next;
	pthread_mutex_unlock(&mutex);
}
