/* SPDX-License-Identifier: GPL-3.0-or-later */
/* migrate_use: a vector moves once, and is then used so often by another kernel. This function
 * stands before that of libnuma. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cmocka.h>

#include <numaif.h>
#include "kernel_stage.h"
#include "migration/migrate_use.h"
#include "migration/moved_pages.h"

#define PAGES 40
#define PAGE  ((size_t)sysconf(_SC_PAGESIZE))

static const long *watched; /* a word of the vector, and what it was when pages moved */
static long seen;
static int moved, calls;

long move_pages(int pid, unsigned long n, void **pages, const int *nodes, int *status, int flags)
{
	if (!nodes)
		return syscall(SYS_move_pages, pid, n, pages, nodes, status, flags);
	calls++;
	moved += (int)n;
	seen = watched ? *watched : 0;
	return 0;
}

static void begin(struct stage *s, const char *settings)
{
	stage_kernel(s, "migrate_use", settings);
	stage_vector(s, TYPE_LONG, sizeof(long), PAGES * PAGE / sizeof(long));
	s->vectors[0].node = s->vectors[0].target = 0;
	stage_setup(s);
	watched = s->vectors[0].base;
	moved = calls = 0;
}

static void end(struct stage *s)
{
	watched = NULL;
	stage_end(s);
}

static void test_defaults(void **state)
{
	const struct param *use = param_find(find_kernel("migrate_use")->params, "use");

	(void)state;
	for (int i = 0; i < MIGRATE_USERS; i++) {
		const struct migrate_user *u = &migrate_users[i];
		uint64_t args[16] = {0};

		assert_string_equal(use->choices[i], u->name);
		if (!u->kernel)
			continue;
		assert_ptr_equal(u->kernel, find_kernel(u->name));
		assert_int_equal(!u->args, !u->kernel->params);
		if (!u->args)
			continue;
		param_defaults(u->kernel->params, args);
		assert_memory_equal(u->args, args, u->kernel->args_size);
	}
	assert_null(use->choices[MIGRATE_USERS]);
}

static void test_every_use(void **state)
{
	(void)state;
	for (int i = 0; i < MIGRATE_USERS; i++)
		for (int uses = 1; uses <= 3; uses++) {
			char settings[64];
			struct stage s;

			snprintf(settings, sizeof(settings), "use=%s uses=%d",
				migrate_users[i].name, uses);
			begin(&s, settings);
			assert_int_equal(s.kernel->run(&s.worker, 1), uses);
			assert_int_equal(calls, 1);
			assert_int_equal(moved, PAGES);
			assert_null(stage_verify(&s));
			end(&s);
		}
}

/* read_write adds one to each element in each use. */
static void test_order(void **state)
{
	struct stage s;

	(void)state;
	begin(&s, "use=read_write uses=5");
	s.kernel->run(&s.worker, 1);
	assert_int_equal(seen, 0);
	assert_int_equal(*watched, 5);
	assert_int_equal(((const long *)s.vectors[0].base)[PAGES * PAGE / sizeof(long) - 1], 5);
	end(&s);
	begin(&s, "mover=none use=read_write uses=7");
	s.kernel->run(&s.worker, 2);
	assert_int_equal(calls, 0);
	assert_int_equal(*watched, 14);
	assert_null(s.kernel->reset(&s.worker, s.why, sizeof(s.why)));
	end(&s);
}

/* Lines that are loaded make pages of nothing present. */
static void test_lines(void **state)
{
	const size_t bytes = PAGES * PAGE;
	char *fresh = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct stage s;

	(void)state;
	assert_true(fresh != MAP_FAILED);
	madvise(fresh, bytes, MADV_NOHUGEPAGE);
	begin(&s, "mover=none");
	char *staged = s.vectors[0].base;

	s.vectors[0].base = fresh;
	assert_int_equal(s.kernel->run(&s.worker, 1), 1);
	s.vectors[0].base = staged;
	int status[PAGES];
	void *pages[PAGES];

	for (size_t i = 0; i < PAGES; i++)
		pages[i] = fresh + i * PAGE;
	/* -EFAULT is the page of zeros, -ENOENT none */
	if (!move_pages(0, PAGES, pages, NULL, status, 0))
		for (size_t i = 0; i < PAGES; i++)
			assert_int_equal(status[i], -EFAULT);
	munmap(fresh, bytes);
	end(&s);
}

static void test_refused(void **state)
{
	struct stage s;

	(void)state;
	stage_kernel(&s, "migrate_use", "use=load");
	stage_vector(&s, TYPE_LONG, sizeof(long), PAGES * PAGE / sizeof(long));
	s.vectors[0].target = -1;
	assert_string_equal(
		stage_check(&s), "its vector has no target: targetPerVector, or mover: none");
	s.vectors[0].target = 0;
	assert_null(stage_check(&s));
	s.vectors[0].elements = 1;
	assert_non_null(stage_check(&s));
	s.vectors[0].elements = PAGES * PAGE / sizeof(long);
	stage_end(&s);
	begin(&s, "use=chase");
	s.kernel->run(&s.worker, 2);
	const char *why = s.kernel->reset(&s.worker, s.why, sizeof(s.why));

	assert_non_null(why);
	assert_non_null(strstr(why, "passes = 2: only the first moves pages"));
	end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("uses have the default parameters of their kernels", test_defaults),
		TEST("every use moves the vector once, uses it so often, and verifies it",
			test_every_use),
		TEST("the vector moves before its first use, or not at all", test_order),
		TEST("without a kernel each page is loaded", test_lines),
		TEST("no target, a vector that the kernel refuses and passes are refused",
			test_refused),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
