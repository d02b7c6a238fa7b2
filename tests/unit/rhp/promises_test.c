/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is promised and not yet written, of many blocks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <unistd.h>

#include "fake.h"
#include "parts.h"

#define MIB ((size_t)1 << 20)

static struct rhp_system its_calls;

static struct rhp *start(void)
{
	fake_begin();
	its_calls = fake_system();
	struct rhp *r = rhp_start(NULL, &its_calls, fake_root);
	assert_non_null(r);
	return r;
}

/* How many questions one more block costs beside so many. */
static int questions_beside(struct rhp *r, int blocks)
{
	while (r->pieces.count < (size_t)blocks)
		assert_non_null(rhp_allocate(r, 2 * MIB));
	fake.questions = 0;
	assert_int_equal(rhp_release(r, rhp_allocate(r, 2 * MIB)), 0);
	return fake.questions;
}

static void a_block_costs_the_same_beside_many_as_beside_few(void **state)
{
	struct rhp *r = start();

	(void)state;
	fake_file("/proc/buddyinfo", "Node 0, zone Normal 0 0 0 0 0 0 0 0 0 4000\n");
	for (int blocks = 50; blocks <= 3200; blocks *= 2)
		assert_int_equal(questions_beside(r, blocks), 0);
	/* all is promised: some of it may be written by now */
	fake_file("/proc/buddyinfo", "Node 0, zone Normal 0 0 0 0 0 0 0 0 0 3000\n");
	const int questions = questions_beside(r, 3200);

	assert_true(questions >= 1 && questions <= 64);
	rhp_end(r);
}

static void what_is_written_or_given_back_is_promised_no_more(void **state)
{
	struct rhp *r = start();
	const struct rhp_part all[] = {{0, 64 * MIB}};

	(void)state;
	char *block = rhp_allocate(r, 64 * MIB);
	assert_int_equal(r->pieces.open[0], 64 * MIB);
	block[0] = block[3 * MIB] = 1;
	parts_are(
		r, rhp_allocate(r, 64 * MIB), (struct rhp_part[]){{0, 4 * MIB}, {1, 60 * MIB}}, 2);
	assert_int_equal(r->pieces.open[0], 64 * MIB);
	assert_int_equal(rhp_release(r, block), 0);
	assert_int_equal(r->pieces.open[0], 4 * MIB);
	for (size_t i = 0; i < r->pieces.count; i++)
		rhp_pieces_open(&r->pieces, i, 0);
	parts_are(r, rhp_allocate(r, 64 * MIB), all, 1);
	assert_int_equal(total(r).bytes, 192 * MIB);
	rhp_end(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_block_costs_the_same_beside_many_as_beside_few),
		cmocka_unit_test(what_is_written_or_given_back_is_promised_no_more),
	};

	if (sysconf(_SC_PAGESIZE) != 4096) {
		puts("1..0 # SKIP the made-up machine has base pages of 4 KiB");
		return 0;
	}
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
