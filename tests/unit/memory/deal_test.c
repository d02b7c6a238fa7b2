/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many pages weights give to each node. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "memory/deal.h"

static void turns_are_counted(size_t unit_pages)
{
	static const unsigned weights[MEM_MAX_NODES] = {[0] = 3, [2] = 1, [5] = 2};
	const size_t page = mem_base_page();
	size_t on[MEM_MAX_NODES] = {0};

	for (size_t pages = 1; pages < 60; pages++) {
		static const int turns[] = {0, 0, 0, 2, 5, 5};
		const struct mem m = {.bytes = pages * page};
		const struct deal d = {weights, unit_pages * page};

		on[turns[(pages - 1) / unit_pages % 6]]++;
		for (int node = 0; node < 8; node++)
			assert_int_equal(deal_expects(&m, &d, node), on[node]);
	}
}

static void each_page_counts(void **state)
{
	(void)state;
	turns_are_counted(1);
}

static void a_huge_page_counts_whole(void **state)
{
	(void)state;
	turns_are_counted(4);
}

/* The weights of up to 8 parts: those expected, as a check of the whole rule. */
static void weighs(size_t n, const double *parts, const unsigned *expected)
{
	unsigned weights[8];

	deal_weights(parts, n, weights);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(weights[i], expected[i]);
}

static void parts_become_small_weights(void **state)
{
	(void)state;
	weighs(1, (double[]){17e9}, (unsigned[]){1});
	weighs(2, (double[]){20e9, 20.3e9}, (unsigned[]){1, 1});
	weighs(2, (double[]){30e9, 20e9}, (unsigned[]){3, 2});
	weighs(2, (double[]){10e9, 1e9}, (unsigned[]){9, 1});
	weighs(4, (double[]){61.3, 12.7, 12, 12.4}, (unsigned[]){5, 1, 1, 1});
	weighs(3, (double[]){100, 50, 25}, (unsigned[]){4, 2, 1});
	/* too little for any weight: the largest one comes closest */
	weighs(2, (double[]){1000, 1}, (unsigned[]){DEAL_WEIGHT_MAX, 1});
}

static void shares_are_within_the_error(void **state)
{
	(void)state;
	for (unsigned a = 1; a <= 40; a++)
		for (unsigned b = 10; b <= 40; b++) {
			const double parts[] = {a, b, 25};
			unsigned w[3], sum = 0;

			deal_weights(parts, 3, w);
			for (size_t i = 0; i < 3; i++)
				sum += w[i];
			for (size_t i = 0; i < 3; i++) {
				double share = (double)w[i] / sum, asked = parts[i] / (a + b + 25);

				assert_true(share < asked + DEAL_ERROR);
				assert_true(share > asked - DEAL_ERROR);
			}
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "nodes get as many pages as their weights, also in the last turn",
			.test_func = each_page_counts},
		{.name = "a unit of several pages goes to one node, the last part of one too",
			.test_func = a_huge_page_counts_whole},
		{.name = "measured parts become the smallest weights that are near enough",
			.test_func = parts_become_small_weights},
		{.name = "shares of measured weights are near those asked for",
			.test_func = shares_are_within_the_error},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
