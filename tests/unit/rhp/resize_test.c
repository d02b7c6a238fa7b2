/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Growing where the kernel refuses to move a part, as kernels before 6.17 do it: the target is
 * unmapped by then, and another thread has mapped something there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <unistd.h>

#include "fake.h"

#define MIB ((size_t)1 << 20)

static struct old_kernel {
	int moves;   /* so many succeed */
	char *guard; /* what another thread mapped at the target of the one after them */
	size_t bytes;
	int maps; /* so many succeed */
} old_kernel;

static int move_or_unmap(void *from, size_t had, void *to, size_t bytes)
{
	if (old_kernel.moves-- > 0)
		return rhp_linux.move(from, had, to, bytes);
	assert_int_equal(munmap(to, bytes), 0);
	old_kernel.guard = mmap(
		to, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	assert_ptr_equal(old_kernel.guard, to);
	memset(to, 'g', bytes);
	old_kernel.bytes = bytes;
	errno = EFAULT;
	return -1;
}

static void *map_some(size_t bytes)
{
	errno = ENOMEM;
	return old_kernel.maps-- > 0 ? rhp_linux.map(bytes) : NULL;
}

static struct rhp_system its_calls;

static struct rhp *start_with(const struct rhp_config *config, int moves)
{
	fake_begin();
	fake.refuses_grow = ENOMEM;
	its_calls = fake_system();
	its_calls.move = move_or_unmap;
	its_calls.map = map_some;
	old_kernel = (struct old_kernel){.moves = moves, .maps = 100};
	struct rhp *r = rhp_start(config, &its_calls, fake_root);
	assert_non_null(r);
	return r;
}

static struct rhp *start(int moves)
{
	return start_with(NULL, moves);
}

/* Two pieces, of 64 MiB on node 0 and 6 MiB on node 1, with bytes of their own. */
static char *allocate(struct rhp *r)
{
	char *block = rhp_allocate(r, 70 * MIB);

	assert_non_null(block);
	for (size_t i = 0; i < 70; i++)
		block[i * MIB] = (char)(i + 1);
	return block;
}

static void is_whole(const char *block)
{
	for (size_t i = 0; i < 70; i++)
		assert_int_equal(block[i * MIB], i + 1);
}

static void the_guard_is_untouched(void)
{
	assert_non_null(old_kernel.guard);
	for (size_t i = 0; i < old_kernel.bytes; i += 4096)
		assert_int_equal(old_kernel.guard[i], 'g');
	assert_int_equal(old_kernel.guard[old_kernel.bytes - 1], 'g');
	munmap(old_kernel.guard, old_kernel.bytes);
}

static bool is_mapped(const char *at)
{
	unsigned char there;

	return !mincore((void *)at, 1, &there);
}

static void a_part_that_does_not_move_is_copied_elsewhere(void **state)
{
	(void)state;
	for (int moves = 0; moves < 2; moves++) {
		struct rhp *r = start(moves);
		char *old = allocate(r), *block = rhp_resize(r, old, 80 * MIB);
		struct rhp_part parts[4];

		assert_non_null(block);
		is_whole(block);
		assert_int_equal(rhp_bytes(r, block), 80 * MIB);
		assert_int_equal(block[80 * MIB - 1], 0);
		assert_int_equal(rhp_parts(r, block, parts, 4), 3);
		assert_int_equal(parts[0].node, 0);
		assert_int_equal(parts[1].node, 1);
		assert_int_equal(parts[1].bytes, 6 * MIB);
		/* what moved, what did not, and what was beside the guard are given back */
		assert_false(is_mapped(old) || is_mapped(old + 69 * MIB));
		char *before = old_kernel.guard - (moves ? 64 * MIB : 0);
		assert_true(!moves || before + 70 * MIB <= block || block + 80 * MIB <= before);
		assert_false(moves && is_mapped(before));
		assert_false(!moves && is_mapped(before + 79 * MIB));
		the_guard_is_untouched();
		assert_int_equal(rhp_release(r, block), 0);
		assert_int_equal(r->pieces.count, 0);
		rhp_end(r);
	}
}

static void counts_of_a_copied_block_are_those_of_a_moved_one(void **state)
{
	static struct rhp_counts moved, copied;

	(void)state;
	for (int moves = 0; moves < 3; moves++) {
		struct rhp *r = start(moves);
		assert_non_null(rhp_resize(r, allocate(r), 80 * MIB));
		rhp_total(r, moves == 2 ? &moved : &copied);
		if (moves < 2) {
			the_guard_is_untouched();
			assert_int_equal(copied.bytes, 80 * MIB);
			assert_int_equal(
				copied.promised[0] + copied.promised[1] + copied.rest, 80 * MIB);
		}
		rhp_end(r);
	}
	assert_memory_equal(&moved, &copied, sizeof(moved));
}

static void without_memory_for_a_copy_the_block_is_as_before(void **state)
{
	(void)state;
	for (int moves = -1; moves < 2; moves++) {
		struct rhp *r = start(moves);
		char *block = allocate(r);
		old_kernel.maps = moves < 0 ? 0 : 1;
		errno = 0;
		assert_null(rhp_resize(r, block, 80 * MIB));
		assert_int_equal(errno, ENOMEM);
		if (moves < 0)
			assert_null(old_kernel.guard);
		else
			the_guard_is_untouched();
		is_whole(block);
		assert_int_equal(rhp_bytes(r, block), 70 * MIB);
		assert_int_equal(r->counts->bytes, 70 * MIB);
		assert_int_equal(rhp_release(r, block), 0);
		rhp_end(r);
	}
}

/* Nothing is mapped above it at first. */
static void *map_below_a_hole(size_t bytes)
{
	char *map = rhp_linux.map(bytes + 64 * MIB);

	if (map)
		munmap(map + bytes, 64 * MIB);
	return map;
}

static void a_block_grows_where_it_is_with_its_last_part(void **state)
{
	struct rhp *r = start(0);
	struct rhp_part parts[4];

	(void)state;
	fake.refuses_grow = 0;
	assert_int_equal(rhp_release(r, rhp_allocate(r, 2 * MIB)), 0); /* the list is there */
	its_calls.map = map_below_a_hole;
	char *block = allocate(r);
	its_calls.map = map_some;
	old_kernel.maps = 0;
	for (size_t bytes = 80; bytes <= 100; bytes += 10) {
		assert_ptr_equal(rhp_resize(r, block, bytes * MIB), block);
		is_whole(block);
		assert_int_equal(block[bytes * MIB - 1], 0);
	}
	/* node 0 is taken as free again: what was promised is written */
	assert_int_equal(rhp_parts(r, block, parts, 4), 3);
	assert_int_equal(parts[2].node, 0);
	assert_int_equal(parts[2].bytes, 30 * MIB);
	assert_int_equal(r->counts->bytes, 102 * MIB);
	rhp_end(r);
}

static void a_block_of_one_piece_needs_no_place_beside_it_to_grow(void **state)
{
	struct rhp *r = start(0);
	char *block = rhp_allocate(r, 10 * MIB);

	(void)state;
	fake.refuses_grow = 0;
	old_kernel.maps = 0;
	for (size_t bytes = 20; bytes <= 60; bytes += 10) {
		block[bytes * MIB - 10 * MIB - 1] = (char)bytes;
		block = rhp_resize(r, block, bytes * MIB);
		assert_non_null(block);
		assert_int_equal(block[bytes * MIB - 10 * MIB - 1], bytes);
		assert_int_equal(block[bytes * MIB - 1], 0);
	}
	assert_int_equal(block[10 * MIB - 1], 20);
	assert_int_equal(r->pieces.count, 1);
	assert_int_equal(r->counts->promised[0], 60 * MIB);
	rhp_end(r);
}

/* Each is a mapping with a policy of its own, which moves as a whole or not at all. */
static void what_is_bound_to_two_nodes_without_a_promise_is_not_one_piece(void **state)
{
	const struct rhp_config local = {.rest = RHP_REST_LOCAL, .take = RHP_TAKE_NONE};
	struct rhp *r = start_with(&local, 0);
	const struct {
		int node;
		size_t pieces;
	} growths[] = {{0, 1}, {0, 1}, {1, 2}, {1, 2}, {0, 3}};

	(void)state;
	fake.refuses_grow = 0;
	assert_int_equal(rhp_release(r, rhp_allocate(r, 2 * MIB)), 0); /* the list is there */
	its_calls.map = map_below_a_hole;
	char *block = rhp_allocate(r, 4 * MIB);
	its_calls.map = map_some;
	for (size_t i = 0; i < sizeof(growths) / sizeof(*growths); i++) {
		fake.runs_on = growths[i].node;
		assert_ptr_equal(rhp_resize(r, block, (6 + 2 * i) * MIB), block);
		assert_int_equal(r->pieces.count, growths[i].pieces);
	}
	assert_int_equal(r->counts->rest, 16 * MIB);
	rhp_end(r);
}

static void a_block_of_one_piece_that_cannot_be_copied_is_as_before(void **state)
{
	struct rhp *r = start(0);
	char *block = rhp_allocate(r, 10 * MIB);

	(void)state;
	block[9 * MIB] = 1;
	old_kernel.maps = 1;
	errno = 0;
	assert_null(rhp_resize(r, block, 20 * MIB));
	assert_int_equal(errno, ENOMEM);
	the_guard_is_untouched();
	assert_int_equal(block[9 * MIB], 1);
	assert_int_equal(rhp_bytes(r, block), 10 * MIB);
	assert_int_equal(r->counts->bytes, 10 * MIB);
	assert_int_equal(r->counts->promised[0], 10 * MIB);
	assert_int_equal(r->pieces.count, 1);
	rhp_end(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_part_that_does_not_move_is_copied_elsewhere),
		cmocka_unit_test(counts_of_a_copied_block_are_those_of_a_moved_one),
		cmocka_unit_test(without_memory_for_a_copy_the_block_is_as_before),
		cmocka_unit_test(a_block_grows_where_it_is_with_its_last_part),
		cmocka_unit_test(a_block_of_one_piece_needs_no_place_beside_it_to_grow),
		cmocka_unit_test(what_is_bound_to_two_nodes_without_a_promise_is_not_one_piece),
		cmocka_unit_test(a_block_of_one_piece_that_cannot_be_copied_is_as_before),
	};

	if (sysconf(_SC_PAGESIZE) != 4096) {
		puts("1..0 # SKIP the made-up machine has base pages of 4 KiB");
		return 0;
	}
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
