/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks of the runtime on a machine of made-up nodes: promises, refusals, threads, sizes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <unistd.h>

#include "fake.h"
#include "parts.h"

#define MIB ((size_t)1 << 20)

static struct rhp_system its_calls;

static struct rhp *start(enum rhp_rest rest)
{
	const struct rhp_config config = {.rest = rest};

	its_calls = fake_system();
	struct rhp *r = rhp_start(&config, &its_calls, fake_root);
	assert_non_null(r);
	return r;
}

static int setup(void **state)
{
	(void)state;
	fake_begin();
	return 0;
}

static void a_block_is_bound_in_parts_by_distance(void **state)
{
	struct rhp *r = start(RHP_REST_KERNEL);
	const struct rhp_part from0[] = {{0, 64 * MIB}, {1, 36 * MIB}};
	char *block = rhp_allocate(r, 100 * MIB - 5);

	(void)state;
	assert_non_null(block);
	assert_int_equal((uintptr_t)block % FAKE_HUGE, 0);
	assert_int_equal(rhp_bytes(r, block), 100 * MIB);
	parts_are(r, block, from0, 2);
	assert_int_equal(fake.bound[0], 64 * MIB);
	assert_int_equal(fake.bound[1], 36 * MIB);
	assert_int_equal(block[0] + block[50 * MIB] + block[100 * MIB - 1], 0);
	assert_int_equal(rhp_release(r, block), 0);
	assert_int_equal(rhp_release(r, block), -1);
	rhp_end(r);
}

static void the_order_is_that_of_the_callers_node(void **state)
{
	struct rhp *r = start(RHP_REST_KERNEL);
	const struct rhp_part from1[] = {{1, 128 * MIB}, {0, 2 * MIB}};

	(void)state;
	fake.runs_on = 1;
	parts_are(r, rhp_allocate(r, 130 * MIB), from1, 2);
	rhp_end(r);
}

static void nodes_of_many_digits_are_bound(void **state)
{
	const struct rhp_part parts[] = {{10, 4 * MIB}, {1023, 2 * MIB}, {-1, 2 * MIB}};

	(void)state;
	fake_file("/sys/devices/system/node/online", "2,10,1023\n");
	fake_file("/sys/devices/system/node/node2/distance", "10 17 31\n");
	fake_file("/proc/buddyinfo", "Node 2, zone DMA32 4 0 0 0 0 0 0 0 0 0 0\n"
				     "Node 10, zone Movable 4 0 0 0 0 0 0 0 0 0 1\n"
				     "Node 1023, zone Normal 4 0 0 0 0 0 0 0 0 1 0\n");
	fake.runs_on = 2;
	struct rhp *r = start(RHP_REST_KERNEL);
	parts_are(r, rhp_allocate(r, 8 * MIB), parts, 3);
	assert_int_equal(fake.bound[1023], 2 * MIB);
	assert_int_equal(total(r).distance_error, 0);
	rhp_end(r);
}

static void blocks_promised_and_not_written_are_not_promised_again(void **state)
{
	struct rhp *r = start(RHP_REST_KERNEL);
	const struct rhp_part first[] = {{0, 40 * MIB}}, second[] = {{0, 24 * MIB}, {1, 16 * MIB}},
			      third[] = {{0, 20 * MIB}};
	char *a = rhp_allocate(r, 40 * MIB), *b = rhp_allocate(r, 40 * MIB);

	(void)state;
	parts_are(r, a, first, 1);
	parts_are(r, b, second, 2);
	/* the files do not change: what is written counts no more as promised */
	for (size_t i = 0; i < 20 * MIB; i += FAKE_HUGE)
		a[i] = 1;
	parts_are(r, rhp_allocate(r, 20 * MIB), third, 1);
	assert_int_equal(rhp_release(r, b), 0);
	assert_int_equal(total(r).found.absent, 40 * MIB);
	rhp_end(r);
}

static void what_is_left_over_is_the_kernels_or_small_and_local(void **state)
{
	const struct rhp_part parts[] = {{0, 64 * MIB}, {1, 128 * MIB}, {-1, 8 * MIB}};
	struct rhp *r = start(RHP_REST_KERNEL);

	(void)state;
	parts_are(r, rhp_allocate(r, 200 * MIB), parts, 3);
	assert_int_equal(fake.binds, 2);
	assert_int_equal(fake.advices, 0);
	assert_int_equal(total(r).rest, 8 * MIB);
	rhp_end(r);
	fake.binds = 0;
	r = start(RHP_REST_LOCAL);
	parts_are(r, rhp_allocate(r, 200 * MIB), parts, 3);
	assert_int_equal(fake.binds, 3);
	assert_int_equal(fake.advices, 1);
	rhp_end(r);
}

static void a_refused_binding_is_said_and_memory_is_given(void **state)
{
	struct rhp *r = start(RHP_REST_KERNEL);
	const struct rhp_part rest[] = {{-1, 64 * MIB}, {-1, 2 * MIB}};

	(void)state;
	fake.refuses_bind = EPERM;
	char *block = rhp_allocate(r, 66 * MIB);
	assert_non_null(block);
	block[65 * MIB] = 1;
	parts_are(r, block, rest, 2);
	assert_int_equal(total(r).refused, 66 * MIB);
	assert_int_equal(total(r).refused_error, EPERM);
	assert_int_equal(total(r).rest, 66 * MIB);
	rhp_end(r);
	r = start(RHP_REST_LOCAL);
	assert_non_null(rhp_allocate(r, 200 * MIB));
	assert_int_equal(total(r).refused, 200 * MIB);
	rhp_end(r);
}

static void nodes_outside_of_the_cpuset_are_left_out(void **state)
{
	struct rhp *r = start(RHP_REST_KERNEL);
	const struct rhp_part parts[] = {{1, 10 * MIB}};

	(void)state;
	fake.says_allowed = fake.allowed[1] = true;
	parts_are(r, rhp_allocate(r, 10 * MIB), parts, 1);
	rhp_end(r);
}

static void without_huge_pages_nothing_goes_to_another_node(void **state)
{
	const struct rhp_part rest[] = {{-1, 10 * MIB}};
	struct rhp *r;

	(void)state;
	fake_file("/sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]\n");
	r = start(RHP_REST_KERNEL);
	parts_are(r, rhp_allocate(r, 10 * MIB), rest, 1);
	assert_int_equal(total(r).thp_off, 1);
	assert_int_equal(fake.binds, 0);
	/* a size of its own overrules the common setting */
	fake_file("/sys/kernel/mm/transparent_hugepage/hugepages-2048kB/enabled",
		"always inherit [madvise] never\n");
	assert_true(rhp_machine_thp(&r->machine));
	fake_file("/sys/kernel/mm/transparent_hugepage/hugepages-2048kB/enabled",
		"always [inherit] madvise never\n");
	assert_false(rhp_machine_thp(&r->machine));
	fake_file("/sys/kernel/mm/transparent_hugepage/hugepages-2048kB/enabled", NULL);
	rhp_end(r);
	fake_file("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
	fake.thp_disabled = true;
	r = start(RHP_REST_KERNEL);
	parts_are(r, rhp_allocate(r, 10 * MIB), rest, 1);
	assert_int_equal(total(r).thp_off, 2);
	rhp_end(r);
	fake_file("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size", NULL);
	r = start(RHP_REST_KERNEL);
	assert_int_equal(rhp_bytes(r, rhp_allocate(r, 4097)), 8192);
	assert_int_equal(total(r).thp_off, 1);
	rhp_end(r);
}

static void files_that_cannot_be_read_are_said(void **state)
{
	const struct rhp_part rest[] = {{-1, 10 * MIB}}, by_number[] = {{0, 10 * MIB}};
	struct rhp *r = start(RHP_REST_KERNEL);

	(void)state;
	fake_file("/proc/buddyinfo", NULL);
	parts_are(r, rhp_allocate(r, 10 * MIB), rest, 1);
	assert_int_equal(total(r).buddyinfo_error, ENOENT);
	fake_file("/proc/buddyinfo", "Node 0, zone Normal 1 2\nNode 1 zone Normal 1\n");
	parts_are(r, rhp_allocate(r, 10 * MIB), rest, 1);
	assert_int_equal(total(r).buddyinfo_error, EBADMSG);
	rhp_end(r);
	fake_begin();
	fake_file("/sys/devices/system/node/node0/distance", "10\n");
	r = start(RHP_REST_KERNEL);
	parts_are(r, rhp_allocate(r, 10 * MIB), by_number, 1);
	assert_int_equal(total(r).distance_error, EBADMSG);
	fake_file("/sys/devices/system/node/online", NULL);
	rhp_allocate(r, 10 * MIB);
	assert_int_equal(total(r).distance_error, ENOENT);
	rhp_end(r);
}

static void watermarks_are_read_for_each_zone(void **state)
{
	const struct rhp_part parts[] = {{0, 54 * MIB}, {1, 2 * MIB}};

	(void)state;
	fake_file("/proc/zoneinfo",
		"Node 0, zone   Normal\n  pages free     16384\n        min      10\n"
		"        high     2560\n        protection: (0, 0, 0, 0)\n"
		"    cpu: 0\n              count: 5\n              high:  9999\n"
		"Node 1, zone   Movable\n  pages free 1\n        high     99999\n");
	struct rhp *r = start(RHP_REST_KERNEL);
	parts_are(r, rhp_allocate(r, 56 * MIB), parts, 2);
	rhp_end(r);
}

static void a_block_grows_and_shrinks_with_its_bytes(void **state)
{
	struct rhp *r = start(RHP_REST_KERNEL);
	const struct rhp_part grown[] = {{0, 64 * MIB}, {1, 4 * MIB}};
	const struct rhp_part cut[] = {{0, 4 * MIB}};

	(void)state;
	for (int refuses = 0; refuses < 3; refuses++) {
		fake.refuses_grow = refuses ? ENOMEM : 0;
		fake.refuses_move = refuses > 1 ? EFAULT : 0;
		char *block = rhp_allocate(r, 62 * MIB);
		block[0] = 1;
		block[62 * MIB - 1] = 2;
		/* 2 MiB besides the promised ones that are not written yet */
		fake_file("/proc/buddyinfo", "Node 0, zone Normal 0 0 0 0 0 0 0 0 0 30\n"
					     "Node 1, zone Normal 0 0 0 0 0 0 0 0 0 9\n");
		char *new = rhp_resize(r, block, 68 * MIB);
		assert_non_null(new);
		assert_int_equal((uintptr_t) new % FAKE_HUGE, 0);
		assert_int_equal(rhp_bytes(r, new), 68 * MIB);
		if (refuses < 2) /* what is copied is written as a whole */
			parts_are(r, new, grown, 2);
		assert_int_equal(new[0], 1);
		assert_int_equal(new[62 * MIB - 1], 2);
		assert_int_equal(new[68 * MIB - 1], 0);
		assert_ptr_equal(rhp_resize(r, new, 3 * MIB), new);
		parts_are(r, new, cut, 1);
		assert_int_equal(new[0], 1);
		assert_int_equal(rhp_release(r, new), 0);
		fake_begin();
	}
	errno = 0;
	assert_null(rhp_resize(r, &r, 3 * MIB));
	assert_int_equal(errno, EINVAL);
	assert_null(rhp_resize(r, &r, SIZE_MAX));
	assert_int_equal(errno, ENOMEM);
	assert_null(rhp_allocate(r, SIZE_MAX));
	rhp_end(r);
}

static void an_alignment_is_kept(void **state)
{
	struct rhp *r = start(RHP_REST_KERNEL);

	(void)state;
	for (size_t alignment = 8; alignment <= 256 * MIB; alignment *= 2) {
		char *block = rhp_allocate_aligned(r, alignment, 3 * MIB);
		assert_non_null(block);
		assert_int_equal((uintptr_t)block % alignment, 0);
		assert_int_equal((uintptr_t)block % FAKE_HUGE, 0);
		block[3 * MIB] = 1;
		assert_int_equal(rhp_release(r, block), 0);
	}
	rhp_end(r);
}

static void a_mapping_is_unmapped_in_parts(void **state)
{
	struct rhp *r = start(RHP_REST_KERNEL);
	char *map = rhp_map(r, 10 * MIB + 1);

	(void)state;
	assert_non_null(map);
	map[10 * MIB + 4095] = 1;
	assert_int_equal(rhp_release(r, map), -1);
	assert_int_equal(rhp_bytes(r, map), 0);
	rhp_forget(r, map + 4 * MIB, 2 * MIB);
	assert_int_equal(munmap(map + 4 * MIB, 2 * MIB), 0);
	assert_int_equal(total(r).found.absent, 2 * MIB);
	assert_int_equal(r->pieces.count, 2);
	rhp_forget(r, map, 10 * MIB + 1);
	assert_int_equal(munmap(map, 10 * MIB + 1), 0);
	assert_int_equal(r->pieces.count, 0);
	assert_int_equal(total(r).found.absent, 10 * MIB);
	rhp_end(r);
}

static void a_block_that_is_mapped_over_is_still_a_block(void **state)
{
	struct rhp *r = start(RHP_REST_KERNEL);
	char *block = rhp_allocate(r, 10 * MIB);

	(void)state;
	assert_non_null(block);
	rhp_forget(r, block, 2 * MIB);
	rhp_forget(r, block + 4 * MIB, 2 * MIB);
	assert_int_equal(total(r).found.absent, 4 * MIB);
	assert_int_equal(rhp_bytes(r, block), 10 * MIB);
	assert_int_equal(rhp_release(r, block), 0);
	assert_int_equal(r->pieces.count, 0);
	assert_int_equal(total(r).found.absent, 10 * MIB);
	rhp_end(r);
}

static void *allocate_often(void *arg)
{
	struct rhp *r = arg;

	for (int i = 0; i < 50; i++) {
		char *block = rhp_allocate(r, 4 * MIB);

		if (!block)
			return arg;
		block[0] = block[4 * MIB - 1] = 1;
		block = rhp_resize(r, block, 6 * MIB);
		if (!block || block[0] != 1 || rhp_release(r, block))
			return arg;
	}
	return NULL;
}

static void threads_allocate_at_the_same_time(void **state)
{
	struct rhp *r = start(RHP_REST_KERNEL);
	pthread_t threads[4];
	void *wrong;

	(void)state;
	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, allocate_often, r), 0);
	for (int i = 0; i < 4; i++) {
		pthread_join(threads[i], &wrong);
		assert_null(wrong);
	}
	assert_int_equal(r->pieces.count, 0);
	assert_int_equal(total(r).allocations, 200);
	assert_int_equal(total(r).bytes, 200 * 6 * MIB);
	rhp_end(r);
}

#define TEST(name) cmocka_unit_test_setup(name, setup)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_block_is_bound_in_parts_by_distance),
		TEST(the_order_is_that_of_the_callers_node),
		TEST(nodes_of_many_digits_are_bound),
		TEST(blocks_promised_and_not_written_are_not_promised_again),
		TEST(what_is_left_over_is_the_kernels_or_small_and_local),
		TEST(a_refused_binding_is_said_and_memory_is_given),
		TEST(nodes_outside_of_the_cpuset_are_left_out),
		TEST(without_huge_pages_nothing_goes_to_another_node),
		TEST(files_that_cannot_be_read_are_said),
		TEST(watermarks_are_read_for_each_zone),
		TEST(a_block_grows_and_shrinks_with_its_bytes),
		TEST(an_alignment_is_kept),
		TEST(a_mapping_is_unmapped_in_parts),
		TEST(a_block_that_is_mapped_over_is_still_a_block),
		TEST(threads_allocate_at_the_same_time),
	};

	if (sysconf(_SC_PAGESIZE) != 4096) {
		puts("1..0 # SKIP the made-up machine has base pages of 4 KiB");
		return 0;
	}
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
