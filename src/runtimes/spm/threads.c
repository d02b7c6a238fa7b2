/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A record for each thread that has called, with its counts. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "spm/config.h"
#include "spm/runtime.h"

/* Two lines of 64 bytes: processors fetch pairs of them. */
#define APART 128

static size_t rounded_up(size_t bytes)
{
	return (bytes + APART - 1) / APART * APART;
}

static struct spm_thread *new_thread(struct spm *s)
{
	struct spm_thread *t = aligned_alloc(APART, rounded_up(sizeof(*t)));

	if (!t)
		return NULL;
	*t = (struct spm_thread){
		.turn = -1, .moved_to = -1, .counts = {.thread = gettid(), .node = -1}};
	if (pthread_setspecific(s->key, t)) {
		free(t);
		return NULL;
	}
	pthread_mutex_lock(&s->mutex);
	*s->last = t;
	s->last = &t->next;
	s->nthreads++;
	pthread_mutex_unlock(&s->mutex);
	return t;
}

void spm_thread_ended(void *thread)
{
	struct spm_thread *t = thread;

	spm_lists_free(&t->lists);
}

struct spm_thread *spm_thread_of(struct spm *s)
{
	struct spm_thread *t = pthread_getspecific(s->key);

	return t ? t : new_thread(s);
}

static uint64_t read_count(const uint64_t *count)
{
	return __atomic_load_n(count, __ATOMIC_RELAXED);
}

static struct spm_counts read_counts(const struct spm_counts *c)
{
	return (struct spm_counts){
		.thread = c->thread,
		.node = __atomic_load_n(&c->node, __ATOMIC_RELAXED),
		.error = __atomic_load_n(&c->error, __ATOMIC_RELAXED),
		.calls = read_count(&c->calls),
		.too_small = read_count(&c->too_small),
		.too_little_reuse = read_count(&c->too_little_reuse),
		.invalid = read_count(&c->invalid),
		.accepted = read_count(&c->accepted),
		.pages_asked = read_count(&c->pages_asked),
		.moved = read_count(&c->moved),
		.there = read_count(&c->there),
		.pinned = read_count(&c->pinned),
		.refused = read_count(&c->refused),
		.ns = read_count(&c->ns),
	};
}

/* Threads only ever join the list, so a part of it that was read under the mutex stays. */
static const struct spm_thread *threads_of(const struct spm *s, size_t *n)
{
	pthread_mutex_t *mutex = (pthread_mutex_t *)&s->mutex;

	pthread_mutex_lock(mutex);
	const struct spm_thread *first = s->first;

	*n = s->nthreads;
	pthread_mutex_unlock(mutex);
	return first;
}

size_t spm_counts(const struct spm *s, struct spm_counts *counts, size_t n)
{
	const struct spm_thread *t;
	size_t nthreads;

	if (!s)
		return 0;
	t = threads_of(s, &nthreads);
	for (size_t i = 0; i < n && i < nthreads; i++) {
		counts[i] = read_counts(&t->counts);
		t = i + 1 < nthreads ? t->next : NULL;
	}
	return nthreads;
}

struct spm_counts spm_own_counts(const struct spm *s)
{
	const struct spm_thread *t = s ? pthread_getspecific(s->key) : NULL;

	return t ? read_counts(&t->counts) : (struct spm_counts){.node = -1};
}

static void add_up(struct spm_counts *sum, const struct spm_counts *c)
{
	sum->error = c->error ? c->error : sum->error;
	sum->calls += c->calls;
	sum->too_small += c->too_small;
	sum->too_little_reuse += c->too_little_reuse;
	sum->invalid += c->invalid;
	sum->accepted += c->accepted;
	sum->pages_asked += c->pages_asked;
	sum->moved += c->moved;
	sum->there += c->there;
	sum->pinned += c->pinned;
	sum->refused += c->refused;
	sum->ns += c->ns;
}

struct spm_counts spm_total(const struct spm *s)
{
	struct spm_counts sum = {.node = -1};
	const struct spm_thread *t;
	size_t n;

	if (!s)
		return sum;
	t = threads_of(s, &n);
	for (size_t i = 0; i < n; i++) {
		struct spm_counts c = read_counts(&t->counts);

		add_up(&sum, &c);
		t = i + 1 < n ? t->next : NULL;
	}
	return sum;
}

static void print_counts(const struct spm_counts *c, FILE *out)
{
	fprintf(out,
		"%d %d %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
		" %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %s\n",
		(int)c->thread, c->node, c->calls, c->too_small, c->too_little_reuse, c->invalid,
		c->accepted, c->pages_asked, c->moved, c->there, c->pinned, c->refused, c->ns,
		c->error ? strerrorname_np(c->error) : "-");
}

void spm_print(const struct spm *s, FILE *out)
{
	const struct spm_thread *t;
	size_t n;

	if (!s)
		return;
	spm_config_print(&s->config, out);
	fprintf(out, "thread node calls too_small too_little_reuse invalid accepted pages_asked "
		     "moved there pinned refused ns error\n");
	t = threads_of(s, &n);
	for (size_t i = 0; i < n; i++) {
		struct spm_counts c = read_counts(&t->counts);

		print_counts(&c, out);
		t = i + 1 < n ? t->next : NULL;
	}
}
