/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The runtime's beginning and end, and its calls.
 *
 * A call is looked up in pins.c (which pages others hold), judged by decide.c with what machine.c
 * knows of caches and nodes, and carried out by move.c. threads.c counts for each thread, lock.c
 * binds threads to nodes, fork.c leaves a child what is its own, config.c reads the configuration,
 * system.c makes the system calls.
 */
#include "spm/spm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "spm/config.h"
#include "spm/decide.h"
#include "spm/runtime.h"

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* ---- beginning and end */

static uint64_t cache_bytes(const struct spm *s)
{
	switch (s->config.cache_def) {
	case SPM_CACHE_SUM:
		return s->machine.caches.sum;
	case SPM_CACHE_LLC:
		return s->machine.caches.llc;
	case SPM_CACHE_SHARE:
		break;
	}
	return s->machine.caches.share;
}

static int find_caches(struct spm *s, char *message, size_t size)
{
	if (!s->machine.caches.sum && s->system == &spm_linux)
		s->machine.caches = spm_caches_cpuid();
	if (!s->config.cache_bytes)
		s->config.cache_bytes = cache_bytes(s);
	if (s->config.cache_bytes || !s->config.size_test)
		return 0;
	spm_say(message, size,
		"cache_def: the machine does not show its caches; set cache_bytes, or size_test "
		"to no");
	return -1;
}

/* Everything that can fail before a key and mutexes exist. */
static int find_machine(struct spm *s, const char *root, char *message, size_t size)
{
	struct spm_cpus allowed;

	if (s->system->get_cpus(&allowed)) {
		spm_say(message, size, "cannot read the thread's CPUs: %s", strerror(errno));
		return -1;
	}
	if (spm_machine_read(&s->machine, root, &allowed)) {
		spm_say(message, size, "%s", strerror(ENOMEM));
		return -1;
	}
	return find_caches(s, message, size);
}

struct spm *spm_init_on(const struct spm_config *config, const struct spm_system *system,
	const char *root, char *message, size_t size)
{
	struct spm *s = calloc(1, sizeof(*s));

	if (size)
		*message = '\0';
	if (!s) {
		spm_say(message, size, "%s", strerror(ENOMEM));
		return NULL;
	}
	s->config = *config;
	s->system = system;
	s->page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	s->last = &s->first;
	if (spm_config_check(config, message, size) || find_machine(s, root, message, size))
		goto fail;
	if (pthread_key_create(&s->key, spm_thread_ended)) {
		spm_say(message, size, "this process has too many runtimes or thread-local keys");
		goto fail;
	}
	pthread_mutex_init(&s->mutex, NULL);
	spm_pins_init(&s->pins);
	spm_fork_with(s);
	return s;
fail:
	spm_machine_free(&s->machine);
	free(s);
	return NULL;
}

struct spm *spm_init(const struct spm_config *config, char *message, size_t size)
{
	struct spm_config all;

	spm_config_default(&all);
	if (!config && spm_config_environment(&all, message, size))
		return NULL;
	return spm_init_on(config ? config : &all, &spm_linux, SPM_SYS, message, size);
}

void spm_end(struct spm *s)
{
	struct spm_thread *next;

	if (!s)
		return;
	spm_fork_without(s);
	pthread_key_delete(s->key); /* first: threads that end later free nothing of this */
	for (struct spm_thread *t = s->first; t; t = next) {
		next = t->next;
		spm_lists_free(&t->lists);
		free(t);
	}
	pthread_mutex_destroy(&s->mutex);
	spm_pins_free(&s->pins);
	spm_machine_free(&s->machine);
	free(s);
}

const struct spm_config *spm_configuration(const struct spm *s)
{
	return s ? &s->config : NULL;
}

int64_t spm_executions(const struct spm *s, int64_t as_compiled, int64_t actual)
{
	return s && s->config.estimate == SPM_ACTUAL ? actual : as_compiled;
}

/* ---- calls */

/* The pages of [first, last]: from the one in which it begins to the last one that it fills.
 * Returns 0, or -1: the range ends before it begins, or is no part of the address space. */
static int pages_of(const struct spm *s, const void *array, ptrdiff_t first, ptrdiff_t last,
	struct spm_run *run)
{
	uintptr_t from, to;

	if (last < first || __builtin_add_overflow((uintptr_t)array, first, &from) ||
		__builtin_add_overflow((uintptr_t)array, last, &to) ||
		__builtin_add_overflow(to, 1, &to))
		return -1;
	*run = (struct spm_run){from / s->page_bytes, to / s->page_bytes};
	return 0;
}

/* Those of the wanted pages that may move; all without pins. */
static struct spm_run take_unpinned(struct spm *s, struct spm_thread *t, struct spm_run wanted)
{
	errno = 0;
	return s->config.pin == SPM_PIN_TREE ? spm_pins_take(&s->pins, wanted, t) : wanted;
}

static struct spm_moved move_run(struct spm *s, struct spm_thread *t, struct spm_run run)
{
	struct spm_move m = {
		.system = s->system,
		.page_bytes = s->page_bytes,
		.mover = s->config.mover,
		.policy = s->config.policy,
		.lists = &t->lists,
		.run = run,
		.node = s->system->node(),
	};
	struct spm_moved moved = spm_move(&m);

	if (moved.moved)
		spm_lock_moved(s, t, m.node);
	return moved;
}

/* Pages that all stayed where they are must not keep others from moving them. */
static void give_back(struct spm *s, struct spm_thread *t, struct spm_run run)
{
	if (s->config.pin == SPM_PIN_TREE)
		spm_pins_release(&s->pins, run, t);
}

static enum spm_answer migrate(struct spm *s, struct spm_thread *t, struct spm_run wanted)
{
	struct spm_run run;
	struct spm_moved moved;
	uint64_t pinned;

	spm_add(&t->counts.accepted, 1);
	if (wanted.first >= wanted.end)
		return SPM_DONE;
	run = take_unpinned(s, t, wanted);
	if (errno)
		return SPM_INVALID;
	pinned = (wanted.end - wanted.first) - (run.end - run.first);
	spm_add(&t->counts.pages_asked, wanted.end - wanted.first);
	spm_add(&t->counts.pinned, pinned);
	if (run.first == run.end)
		return SPM_PINNED;
	moved = move_run(s, t, run);
	spm_add(&t->counts.moved, moved.moved);
	spm_add(&t->counts.there, moved.there);
	spm_add(&t->counts.refused, moved.refused);
	if (!moved.refused)
		return pinned ? SPM_PINNED : SPM_DONE;
	if (moved.refused == run.end - run.first)
		give_back(s, t, run);
	__atomic_store_n(&t->counts.error, moved.error, __ATOMIC_RELAXED);
	errno = moved.error;
	return SPM_REFUSED;
}

static enum spm_answer judge_pages(
	struct spm *s, struct spm_thread *t, struct spm_run run, const struct spm_use *use)
{
	enum spm_answer answer = spm_decide(&s->config, use, s->page_bytes);

	if (answer == SPM_TOO_SMALL)
		spm_add(&t->counts.too_small, 1);
	else if (answer == SPM_TOO_LITTLE_REUSE)
		spm_add(&t->counts.too_little_reuse, 1);
	else
		answer = migrate(s, t, run);
	return answer;
}

enum spm_answer spm_call(struct spm *s, const void *array, ptrdiff_t first, ptrdiff_t last,
	int64_t executions, size_t element_size)
{
	enum spm_answer answer = SPM_INVALID;
	struct spm_thread *t;
	struct spm_run run;
	uint64_t start;

	errno = EINVAL;
	if (!s)
		return SPM_INVALID;
	start = now_ns();
	t = spm_thread_of(s);
	if (!t) {
		errno = ENOMEM;
		return SPM_INVALID;
	}
	spm_add(&t->counts.calls, 1);
	if (executions < 0 || !element_size || pages_of(s, array, first, last, &run)) {
		spm_add(&t->counts.invalid, 1);
	} else {
		struct spm_use use = {
			(uint64_t)(last - first) + 1, (uint64_t)executions, element_size};

		answer = judge_pages(s, t, run, &use);
	}
	spm_add(&t->counts.ns, now_ns() - start);
	return answer;
}

int spm_release(struct spm *s, const void *array, ptrdiff_t first, ptrdiff_t last)
{
	struct spm_thread *t;
	struct spm_run run;

	if (!s)
		return 0;
	if (pages_of(s, array, first, last, &run)) {
		errno = EINVAL;
		return -1;
	}
	if (s->config.pin != SPM_PIN_TREE || run.first >= run.end)
		return 0;
	t = spm_thread_of(s);
	if (!t || spm_pins_release(&s->pins, run, t)) {
		errno = ENOMEM;
		return -1;
	}
	return 0;
}
