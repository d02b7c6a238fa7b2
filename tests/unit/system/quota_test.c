/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quotas of CPU time, in folders that imitate control groups. */
#include "../memory/cgroup_stage.h"

#include <math.h>

#include "memory/cgroup.h"
#include "system/quota.h"

static struct quota quota_with(const struct file *files)
{
	struct quota q;

	write_files(files);
	quota_take(folder, &q);
	return q;
}

static void without_a_quota_nothing_limits(void **state)
{
	static const struct file none[] = {{NULL, NULL}};
	static const struct file max[] = {UNIFIED, {"cgroup", "0::/a\n"},
		{"fs/a/cpu.max", "max 100000\n"},
		{"fs/a/cpu.stat", "usage_usec 5\nnr_throttled 0\nthrottled_usec 0\n"},
		{NULL, NULL}};
	static const struct file odd[] = {UNIFIED, {"cgroup", "0::/a\n"},
		{"fs/a/cpu.max", "20000 0\n"}, {"fs/a/cpu.stat", "nr_throttled\n"}, {NULL, NULL}};

	(void)state;
	assert_true(isinf(quota_with(none).cpus));
	assert_true(isinf(quota_with(max).cpus));
	assert_int_equal(quota_with(max).periods, 0);
	assert_true(isinf(quota_with(odd).cpus));
}

static void the_narrowest_quota_on_the_way_up_counts(void **state)
{
	static const struct file files[] = {UNIFIED, {"cgroup", "0::/a/b\n"},
		{"fs/a/b/cpu.max", "150000 100000\n"},
		{"fs/a/b/cpu.stat", "usage_usec 9\nnr_throttled 3\nthrottled_usec 2000\n"},
		{"fs/a/cpu.max", "20000 50000\n"},
		{"fs/a/cpu.stat", "nr_periods 9\nnr_throttled 4\nthrottled_usec 500\n"},
		{NULL, NULL}};
	struct quota q;

	(void)state;
	q = quota_with(files);
	assert_true(fabs(q.cpus - 0.4) < 1e-12);
	assert_int_equal(q.periods, 7);
	assert_int_equal(q.throttled_ns, 2500000);
}

static void quotas_of_version_1_are_found(void **state)
{
	static const struct file files[] = {
		{"mountinfo", "31 24 0:27 / %s/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"},
		{"cgroup", "4:cpu,cpuacct:/a\n3:memory:/b\n0::/\n"},
		{"cpu/cpu.cfs_quota_us", "-1\n"}, {"cpu/cpu.cfs_period_us", "100000\n"},
		{"cpu/a/cpu.cfs_quota_us", "250000\n"}, {"cpu/a/cpu.cfs_period_us", "100000\n"},
		{"cpu/a/cpu.stat", "nr_periods 5\nnr_throttled 2\nthrottled_time 1234567\n"},
		{NULL, NULL}};
	struct quota q;

	(void)state;
	q = quota_with(files);
	assert_true(fabs(q.cpus - 2.5) < 1e-12);
	assert_int_equal(q.periods, 2);
	assert_int_equal(q.throttled_ns, 1234567);
}

/* Only groups with a limit are read, again from their beginning. */
static void limited_groups_are_read_again(void **state)
{
	static const struct file files[] = {UNIFIED, {"cgroup", "0::/a/b/c\n"},
		{"fs/a/b/c/cpu.max", "max 100000\n"},
		{"fs/a/b/c/cpu.stat", "nr_throttled 1000\nthrottled_usec 1000000\n"},
		{"fs/a/b/cpu.max", "150000 100000\n"},
		{"fs/a/b/cpu.stat", "usage_usec 9\nnr_throttled 3\nthrottled_usec 2000\n"},
		{"fs/a/cpu.max", "20000 50000\n"},
		{"fs/a/cpu.stat", "nr_periods 9\nnr_throttled 4\nthrottled_usec 500\n"},
		{NULL, NULL}};
	static const struct file later = {
		"fs/a/cpu.stat", "nr_periods 19\nnr_throttled 14\nthrottled_usec 60500\n"};
	struct quota_groups g;
	struct quota q;

	(void)state;
	write_files(files);
	quota_open(folder, &g);
	assert_int_equal(g.count, 2);
	quota_read(&g, &q);
	assert_int_equal(q.periods, 7);
	assert_int_equal(q.throttled_ns, 2500000);
	write_file(&later);
	quota_read(&g, &q);
	assert_int_equal(q.periods, 17);
	assert_int_equal(q.throttled_ns, 62500000);
	quota_close(&g);
	assert_int_equal(g.count, 0);
}

static void groups_of_version_1_are_read_again(void **state)
{
	static const struct file files[] = {
		{"mountinfo", "31 24 0:27 / %s/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"},
		{"cgroup", "4:cpu,cpuacct:/a\n"}, {"cpu/cpu.cfs_quota_us", "-1\n"},
		{"cpu/a/cpu.cfs_quota_us", "250000\n"}, {"cpu/a/cpu.cfs_period_us", "100000\n"},
		{"cpu/a/cpu.stat", "nr_periods 5\nnr_throttled 2\nthrottled_time 1234567\n"},
		{NULL, NULL}};
	struct quota_groups g;
	struct quota q;

	(void)state;
	write_files(files);
	quota_open(folder, &g);
	assert_int_equal(g.count, 1);
	quota_read(&g, &q);
	assert_int_equal(q.periods, 2);
	assert_int_equal(q.throttled_ns, 1234567);
	quota_close(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_quota_nothing_limits),
		cmocka_unit_test(the_narrowest_quota_on_the_way_up_counts),
		cmocka_unit_test(quotas_of_version_1_are_found),
		cmocka_unit_test(limited_groups_are_read_again),
		cmocka_unit_test(groups_of_version_1_are_read_again),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("quota", tests, make_folder, remove_folder);
}
