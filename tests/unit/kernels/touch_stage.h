/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A vector whose pages are taken from its threads until they touch them, and what such threads and
 * the former handler of their faults see. Include it after crew.h. */
#ifndef TOUCH_STAGE_H
#define TOUCH_STAGE_H

#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "migration/moved_pages.h"

#define MIB   ((size_t)1 << 20)
#define BYTES (16 * MIB)

/* The vector begins and ends within a unit. */
struct scene {
	char *mapping, *base;
	size_t bytes, units;
	struct moved_pages pages;
	struct protect *protect; /* the test's */
	struct userfault *userfault;
};

static inline char scene_content(size_t at)
{
	return (char)(at / (size_t)sysconf(_SC_PAGESIZE) % 100);
}

/* advice: for madvise(). */
static inline void scene_map(struct scene *s, int advice)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char why[256] = "";

	*s = (struct scene){.bytes = 8 * MIB, .units = 5};
	s->mapping = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(s->mapping, MAP_FAILED);
	s->base = (char *)(((uintptr_t)s->mapping / (2 * MIB) + 1) * 2 * MIB) + page;
	/* with other advice around it the vector is a mapping of its own, which shows its huge
	 * pages */
	madvise(s->mapping, BYTES, MADV_NOHUGEPAGE);
	madvise(s->base, s->bytes, advice);
	for (size_t at = 0; at < s->bytes; at += page)
		s->base[at] = scene_content(at);
	struct vector v = {.base = s->base, .elements = s->bytes, .element_size = 1};

	if (moved_pages_find(&s->pages, &v, why, sizeof(why))) {
		print_message("%s\n", why);
		skip(); /* some containers do not tell nodes */
	}
}

static inline void scene_unmap(struct scene *s)
{
	moved_pages_free(&s->pages);
	munmap(s->mapping, BYTES);
}

/* A thread that reads all pages; not NULL: one had another content. */
static inline void *scene_read(void *arg)
{
	const struct scene *s = arg;
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t wrong = 0;

	for (size_t at = 0; at < s->bytes; at += page)
		wrong += *(volatile char *)(s->base + at) != scene_content(at);
	return wrong ? arg : NULL;
}

static inline void scene_race(struct scene *s)
{
	pthread_t threads[8];
	void *wrong;

	for (int i = 0; i < 8; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, scene_read, s), 0);
	for (int i = 0; i < 8; i++) {
		pthread_join(threads[i], &wrong);
		assert_null(wrong);
	}
}

static sigjmp_buf scene_back;
static void *volatile scene_faulted;

static inline void scene_former(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)context;
	scene_faulted = info->si_addr;
	siglongjmp(scene_back, 1);
}

/* The handler of a signal before that of the scene. */
static inline void scene_handle(int number)
{
	struct sigaction action = {
		.sa_sigaction = scene_former, .sa_flags = SA_SIGINFO | SA_NODEFER};

	sigaction(number, &action, NULL);
}

/* A touch there ends in that handler. */
static inline void scene_expect_former(char *address)
{
	scene_faulted = NULL;
	if (!sigsetjmp(scene_back, 0)) {
		*(volatile char *)address;
		fail_msg("nothing has happened at %p", (void *)address);
	}
	assert_ptr_equal(scene_faulted, address);
}

#endif
