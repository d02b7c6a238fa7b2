/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nodes on which the pages of a vector are spread: those that hold vectors without being named,
 * and its home. The system is made up: a page is where it was moved last. */
#include <numaif.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "kernel_stage.h"
#include "migration/spread.h"

#define PAGES 24
#define NODES 4

static int on[PAGES];
static void *list[PAGES + 1];
static unsigned long allowed;
static int full = -1; /* a node that takes no page */

long get_mempolicy(int *mode, unsigned long *mask, unsigned long most, void *at, unsigned flags)
{
	(void)mode;
	(void)most;
	(void)at;
	(void)flags;
	*mask = allowed;
	return 0;
}

long move_pages(int pid, unsigned long n, void **pages, const int *nodes, int *status, int flags)
{
	(void)pid;
	(void)flags;
	for (unsigned long i = 0; i < n; i++) {
		const size_t page = (size_t)((char *)pages[i] - (char *)list[0]) /
				    (size_t)sysconf(_SC_PAGESIZE);

		if (nodes && nodes[i] != full)
			on[page] = nodes[i];
		status[i] = on[page];
	}
	return 0;
}

/* Until the next call. */
static struct moved_pages pages_at(int home)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	static short homes[PAGES];

	for (int i = 0; i <= PAGES; i++)
		list[i] = (void *)((uintptr_t)page * (uintptr_t)(100 + i));
	for (int i = 0; i < PAGES; i++)
		on[i] = homes[i] = (short)home;
	return (struct moved_pages){.base = list[0],
		.bytes = PAGES * page,
		.page_bytes = page,
		.n = PAGES,
		.list = list,
		.home = homes};
}

/* Spreads pages that are all at home; counts those of each node. */
static void spread(
	struct spread rule, const struct machine_memory *memory, int home, int counts[NODES])
{
	const struct moved_pages pages = pages_at(home);
	char why[256];

	assert_null(spread_pages(&rule, memory, &pages, 1, why, sizeof(why)));
	memset(counts, 0, NODES * sizeof(*counts));
	for (int i = 0; i < PAGES; i++)
		counts[on[i]]++;
}

static void test_nodes(void **state)
{
	static const int named[] = {0, 1, 3};
	static const struct machine_memory memory = {.nodes = named, .nnodes = 3};
	static const struct {
		struct spread rule;
		const struct machine_memory *memory;
		unsigned long allowed;
		int home, counts[NODES];
	} cases[] = {
		/* node 2 is a GPU's */
		{{SPREAD_INTERLEAVE, 3, 0}, &memory, 0xf, 1, {8, 8, 0, 8}},
		{{SPREAD_WEIGHTED, 4, 0}, &memory, 0xf, 1, {4, 16, 0, 4}},
		{{SPREAD_MINAS, 3, 0}, &memory, 0xf, 1, {8, 8, 0, 8}},
		{{SPREAD_MINAS, 3, 12}, &memory, 0xf, 1, {6, 12, 0, 6}},
		/* which the file names */
		{{SPREAD_INTERLEAVE, 3, 0}, &memory, 0xf, 2, {6, 6, 6, 6}},
		/* a cpuset keeps one out */
		{{SPREAD_INTERLEAVE, 3, 0}, &memory, 0x7, 1, {12, 12, 0, 0}},
		{{SPREAD_INTERLEAVE, 3, 0}, NULL, 0xf, 1, {6, 6, 6, 6}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		int counts[NODES];

		allowed = cases[i].allowed;
		spread(cases[i].rule, cases[i].memory, cases[i].home, counts);
		for (int node = 0; node < NODES; node++)
			if (counts[node] != cases[i].counts[node])
				fail_msg("case %zu: %d pages on node %d", i, counts[node], node);
	}
}

/* 22 pages and a byte for three threads: a third ends within page 7, two within page 14. */
static void test_parts(void **state)
{
	static const char *const expected[] = {
		"111111110000000000000000", "111111112222222000000000", "111111112222222333333330"};
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const struct moved_pages pages = pages_at(0);
	char why[256], found[PAGES + 1] = "";

	(void)state;
	for (int rank = 0; rank < 3; rank++) {
		const struct vector v = {
			.elements = 22 * page + 1, .element_size = 1, .rank = rank, .users = 3};

		assert_null(spread_part(&pages, &v, rank + 1, why, sizeof(why)));
		for (int i = 0; i < PAGES; i++)
			found[i] = (char)('0' + on[i]);
		assert_string_equal(found, expected[rank]);
	}
}

static void test_full(void **state)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const struct moved_pages pages = pages_at(0);
	const struct vector v = {
		.elements = PAGES * page, .element_size = 1, .rank = 1, .users = 2};
	char why[256];

	(void)state;
	full = 2;
	assert_non_null(spread_part(&pages, &v, 2, why, sizeof(why)));
	full = -1;
	assert_string_equal(why,
		"12 of 24 pages do not go to the nodes of its policy: is one full (numactl -H)?");
}

static void test_lacks(void **state)
{
	static const int named[] = {0};
	static const struct machine_memory memory = {.nodes = named, .nnodes = 1};
	struct vector v = {.node = -1};
	const struct worker w = {.vectors = &v, .nvectors = 1, .memory = &memory};
	char why[256];

	(void)state;
	allowed = 0x3;
	assert_non_null(spread_lacks(&w, why, sizeof(why)));
	assert_string_equal(why,
		"its pages lie on several nodes, and only one holds vectors unless nodePerVector "
		"names another, such as a GPU's");
	v.node = 1; /* named */
	assert_null(spread_lacks(&w, why, sizeof(why)));
	allowed = 0x1;
	v.node = 0;
	assert_non_null(spread_lacks(&w, why, sizeof(why)));
	assert_string_equal(
		why, "its pages lie on several nodes, and this process may use memory of one only");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("a GPU's memory gets no pages unless a vector is there", test_nodes),
		TEST("a thread's part has the pages that begin in it, and no others move",
			test_parts),
		TEST("a part that a full node does not take is an error", test_full),
		TEST("one node is not enough, nor one and a GPU's", test_lacks),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
