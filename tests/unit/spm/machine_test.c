/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nodes and caches out of folders like /sys. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fake.h"

static struct spm_machine m;

static int end(void **state)
{
	(void)state;
	spm_machine_free(&m);
	return 0;
}

static void read_machine(const char *root, const char *which)
{
	struct spm_cpus allowed = {0};

	if (*which == 'a')
		memset(&allowed, 0xff, sizeof(allowed));
	else
		allowed.words[0] = strtoul(which, NULL, 16);
	assert_int_equal(spm_machine_read(&m, root, &allowed), 0);
}

static void test_nodes(void **state)
{
	(void)state;
	read_machine(fake_root, "all");
	assert_int_equal(m.nnodes, 8);
	for (int n = 0; n < 8; n++) {
		assert_int_equal(m.nodes[n].id, n);
		for (size_t cpu = 0; cpu < 128; cpu++)
			assert_int_equal(spm_cpus_has(&m.nodes[n].cpus, cpu), (int)(cpu / 8) == n);
	}
}

/* A process that may use CPUs 3 and 17 only. */
static void test_allowed(void **state)
{
	(void)state;
	read_machine(fake_root, "20008");
	assert_int_equal(m.nnodes, 2);
	assert_int_equal(m.nodes[0].id, 0);
	assert_int_equal(m.nodes[0].cpus.words[0], 8);
	assert_int_equal(m.nodes[1].id, 2);
	assert_int_equal(m.nodes[1].cpus.words[0], 0x20000);
}

/* The dissertation's machine: 16 KiB + 2 MiB + 6 MiB; two cores share the second level, eight the
 * third. Instructions do not count. */
static void test_caches(void **state)
{
	(void)state;
	read_machine(fake_root, "all");
	assert_int_equal(m.caches.sum, 8404992);
	assert_int_equal(m.caches.llc, 6 << 20);
	assert_int_equal(m.caches.share, (16 << 10) + (2 << 20) / 2 + (6 << 20) / 8);
}

/* Two hardware threads of a core share its first level: a core's share is not a thread's. */
static void test_hardware_threads(void **state)
{
	static const struct spm_cache levels[] = {
		{1, 32768, 2}, {2, 1 << 20, 2}, {3, 32 << 20, 16}};
	static const struct spm_cache unknown[] = {{1, 32768, 1}, {2, 1 << 20, 0}};

	(void)state;
	assert_int_equal(spm_caches_of(levels, 3).share, 32768 + (1 << 20) + (32 << 20) / 8);
	assert_int_equal(spm_caches_of(unknown, 2).share, 0);
	assert_int_equal(spm_caches_of(unknown, 2).sum, 32768 + (1 << 20));
	assert_int_equal(spm_caches_of(NULL, 0).sum, 0);
}

static void test_nothing(void **state)
{
	(void)state;
	read_machine("/nowhere", "all");
	assert_int_equal(m.nnodes, 1);
	assert_int_equal(m.nodes[0].id, 0);
	assert_true(spm_cpus_has(&m.nodes[0].cpus, 0));
	assert_int_equal(m.caches.sum, 0);
}

/* Whatever the processor says of its caches is plausible. */
static void test_cpuid(void **state)
{
	struct spm_caches c = spm_caches_cpuid();

	(void)state;
	if (!c.sum)
		return;
	assert_true(c.sum >= 16 << 10 && c.sum <= (uint64_t)16 << 30);
	assert_true(c.llc <= c.sum);
	assert_true(c.share > 0 && c.share <= c.sum);
}

#define TEST(text, function)                                              \
	{                                                                 \
		.name = text, .test_func = function, .teardown_func = end \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("eight nodes of eight CPUs", test_nodes),
		TEST("only nodes and CPUs that the process may use", test_allowed),
		TEST("caches by each definition", test_caches),
		TEST("a core's share counts its hardware threads once", test_hardware_threads),
		TEST("a machine that shows nothing has one node", test_nothing),
		TEST("the processor's own caches", test_cpuid),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("machine", tests, fake_machine, fake_free);
}
