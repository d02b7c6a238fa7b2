/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory limits of control groups, in folders that imitate them. */
#include "cgroup_stage.h"

#include "memory/cgroup.h"

/* Limits here are multiples of 128 KiB, of which 1/128 is kept in reserve. */
#define LEFT_OF(limit, used) ((uint64_t)(limit) - (limit) / 128 - (used))
#define MIB                  (1u << 20)

static uint64_t left_with(const struct file *files)
{
	write_files(files);
	return cgroup_memory_left(folder);
}

static void test_unlimited(void **state)
{
	static const struct file none[] = {{NULL, NULL}};
	static const struct file no_mount[] = {{"cgroup", "0::/a\n"},
		{"mountinfo", "24 1 0:2 / /proc rw - proc proc rw\n"}, {NULL, NULL}};
	static const struct file max[] = {UNIFIED, {"cgroup", "0::/a\n"},
		{"fs/a/memory.max", "max\n"}, {"fs/a/memory.current", "4096\n"}, {NULL, NULL}};
	static const struct file odd[] = {{"cgroup", "\n:\n0\n0:\n::\nx:memory\n"},
		{"mountinfo", "\n - \n1 - cgroup2\n"}, {NULL, NULL}};

	(void)state;
	assert_true(left_with(none) == UINT64_MAX);
	assert_true(left_with(no_mount) == UINT64_MAX);
	assert_true(left_with(max) == UINT64_MAX);
	assert_true(left_with(odd) == UINT64_MAX);
	assert_true(cgroup_memory_left(CGROUP_SELF) > 0);
}

static void test_unified(void **state)
{
	static const struct file one[] = {UNIFIED, {"cgroup", "0::/a/b\n"},
		{"fs/a/b/memory.max", "8388608\n"}, {"fs/a/b/memory.current", "2097152\n"},
		{"fs/a/b/memory.stat", "anon 1\nactive_file 524288\ninactive_file 524288\n"},
		{NULL, NULL}};
	static const struct file above[] = {UNIFIED, {"cgroup", "0::/a/b\n"},
		{"fs/a/b/memory.max", "8388608\n"}, {"fs/a/b/memory.current", "0\n"},
		{"fs/a/memory.max", "4194304\n"}, {"fs/a/memory.current", "1048576\n"},
		{NULL, NULL}};
	static const struct file slowed[] = {UNIFIED, {"cgroup", "0::/a\n"},
		{"fs/a/memory.max", "max\n"}, {"fs/a/memory.high", "2097152\n"}, {NULL, NULL}};
	static const struct file full[] = {UNIFIED, {"cgroup", "0::/a\n"},
		{"fs/a/memory.max", "2097152\n"}, {"fs/a/memory.current", "2097152\n"},
		{NULL, NULL}};

	(void)state;
	assert_true(left_with(one) == LEFT_OF(8 * MIB, MIB));
	assert_true(left_with(above) == LEFT_OF(4 * MIB, MIB));
	assert_true(left_with(slowed) == LEFT_OF(2 * MIB, 0));
	assert_true(left_with(full) == 0);
}

/* Inside a container, the path is short and the limit is at the mount point; or the mount shows
 * only a part; or the group is above the mounted part and invisible. */
static void test_containers(void **state)
{
	static const struct file namespace[] = {
		UNIFIED, {"cgroup", "0::/\n"}, {"fs/memory.max", "4194304\n"}, {NULL, NULL}};
	static const struct file part[] = {
		{"mountinfo", "30 24 0:26 /docker/x\\040y %s/my\\040fs rw - cgroup2 cgroup2 rw\n"},
		{"cgroup", "0::/docker/x y/job\n"}, {"my fs/memory.max", "4194304\n"},
		{"my fs/job/memory.max", "8388608\n"}, {NULL, NULL}};
	static const struct file sibling[] = {
		{"mountinfo", "30 24 0:26 /docker/x %s/fs rw - cgroup2 cgroup2 rw\n"},
		{"cgroup", "0::/docker/xy\n"}, {"fs/memory.max", "4194304\n"},
		{"fsy/memory.max", "1048576\n"}, {NULL, NULL}};
	static const struct file outside[] = {UNIFIED, {"cgroup", "0::/../../x\n"},
		{"fs/memory.max", "4194304\n"}, {"x/memory.max", "1048576\n"}, {NULL, NULL}};

	(void)state;
	assert_true(left_with(namespace) == LEFT_OF(4 * MIB, 0));
	assert_true(left_with(part) == LEFT_OF(4 * MIB, 0));
	assert_true(left_with(sibling) == LEFT_OF(4 * MIB, 0));
	assert_true(left_with(outside) == LEFT_OF(4 * MIB, 0));
}

#define LEGACY                                                                               \
	{                                                                                    \
		"mountinfo", "31 24 0:27 / /nowhere rw - cgroup cgroup rw,cpu,cpuacct\n"     \
			     "32 24 0:28 / %s/memory rw - cgroup cgroup rw,hugetlb,memory\n" \
	}

static void test_legacy(void **state)
{
	static const struct file one[] = {LEGACY,
		{"cgroup", "4:cpu,cpuacct:/b\n3:hugetlb,memory:/a/b\n0::/\n"},
		{"memory/memory.limit_in_bytes", "9223372036854771712\n"},
		{"memory/a/memory.limit_in_bytes", "4194304\n"},
		{"memory/a/memory.usage_in_bytes", "2097152\n"},
		{"memory/a/memory.stat",
			"inactive_file 7\ntotal_inactive_file 1048576\ntotal_active_file 0\n"},
		{"memory/a/b/memory.limit_in_bytes", "9223372036854771712\n"}, {NULL, NULL}};
	static const struct file none[] = {LEGACY, {"cgroup", "3:hugetlb,memory:/\n"},
		{"memory/memory.limit_in_bytes", "9223372036854771712\n"}, {NULL, NULL}};
	static const struct file alike[] = {LEGACY, {"cgroup", "3:memory2,nomemory:/\n"},
		{"memory/memory.limit_in_bytes", "1048576\n"}, {NULL, NULL}};

	(void)state;
	assert_true(left_with(one) == LEFT_OF(4 * MIB, MIB));
	assert_true(left_with(none) > (uint64_t)1 << 62);
	assert_true(left_with(alike) == UINT64_MAX);
}

/* Of 2 MiB pages; `named` ends the name of the file that is to be named, NULL: none. */
static void pool_left_is(const struct file *files, uint64_t bytes, const char *named)
{
	char *file;

	write_files(files);
	assert_true(cgroup_pool_left(folder, 2 * MIB, &file) == bytes);
	if (named) {
		assert_non_null(file);
		assert_string_equal(file + strlen(file) - strlen(named), named);
	} else {
		assert_null(file);
	}
	free(file);
}

static void test_pools(void **state)
{
	static const struct file none[] = {UNIFIED, {"cgroup", "0::/a\n"},
		{"fs/a/hugetlb.2MB.max", "max\n"}, {"fs/a/hugetlb.2MB.current", "4194304\n"},
		{"fs/a/hugetlb.1GB.max", "0\n"}, {"fs/a/memory.max", "4194304\n"}, {NULL, NULL}};
	static const struct file used[] = {UNIFIED, {"cgroup", "0::/a/b\n"},
		{"fs/a/hugetlb.2MB.max", "16777216\n"}, {"fs/a/hugetlb.2MB.current", "4194304\n"},
		{"fs/a/b/hugetlb.2MB.max", "max\n"}, {NULL, NULL}};
	static const struct file reserved[] = {UNIFIED, {"cgroup", "0::/a\n"},
		{"fs/a/hugetlb.2MB.max", "16777216\n"}, {"fs/a/hugetlb.2MB.current", "0\n"},
		{"fs/a/hugetlb.2MB.rsvd.max", "8388608\n"},
		{"fs/a/hugetlb.2MB.rsvd.current", "8388608\n"}, {NULL, NULL}};
	static const struct file legacy[] = {
		{"mountinfo", "32 24 0:28 / %s/huge rw - cgroup cgroup rw,hugetlb\n"},
		{"cgroup", "3:hugetlb:/a\n2:memory:/b\n"},
		{"huge/hugetlb.2MB.limit_in_bytes", "9223372036854771712\n"},
		{"huge/a/hugetlb.2MB.limit_in_bytes", "16777216\n"},
		{"huge/a/hugetlb.2MB.usage_in_bytes", "2097152\n"}, {NULL, NULL}};
	static const struct file promised[] = {
		{"mountinfo", "32 24 0:28 / %s/huge rw - cgroup cgroup rw,hugetlb\n"},
		{"cgroup", "3:hugetlb:/a\n"},
		{"huge/a/hugetlb.2MB.rsvd.limit_in_bytes", "16777216\n"},
		{"huge/a/hugetlb.2MB.rsvd.usage_in_bytes", "2097152\n"}, {NULL, NULL}};
	static const struct file counted[] = {
		{"mountinfo", "30 24 0:26 / %s/fs rw - cgroup2 cgroup2 "
			      "rw,memory_hugetlb_accounting\n"},
		{"cgroup", "0::/a\n"}, {"fs/a/hugetlb.2MB.max", "16777216\n"},
		{"fs/a/memory.max", "4194304\n"}, {NULL, NULL}};

	(void)state;
	pool_left_is(none, UINT64_MAX, NULL);
	pool_left_is(used, 12 * MIB, "/a/hugetlb.2MB.max");
	pool_left_is(reserved, 0, "/a/hugetlb.2MB.rsvd.max");
	pool_left_is(legacy, 14 * MIB, "/a/hugetlb.2MB.limit_in_bytes");
	pool_left_is(promised, 14 * MIB, "/a/hugetlb.2MB.rsvd.limit_in_bytes");
	pool_left_is(counted, LEFT_OF(4 * MIB, 0), "memory.max");
}

/* As the kernel's mm/hugetlb_cgroup.c names them. */
static void test_pool_sizes(void **state)
{
	static const struct {
		size_t bytes;
		const char *limit;
	} sizes[] = {{64u << 10, "fs/a/hugetlb.64KB.max"}, {2u << 20, "fs/a/hugetlb.2MB.max"},
		{512u << 20, "fs/a/hugetlb.512MB.max"}, {1u << 30, "fs/a/hugetlb.1GB.max"},
		{(size_t)16 << 30, "fs/a/hugetlb.16GB.max"}};

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		const struct file one[] = {
			UNIFIED, {"cgroup", "0::/a\n"}, {sizes[i].limit, "4096\n"}, {NULL, NULL}};
		char *file;

		write_files(one);
		assert_true(cgroup_pool_left(folder, sizes[i].bytes, &file) == 4096);
		free(file);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "without groups, mounts or limits nothing limits",
			.test_func = test_unlimited},
		{.name = "the narrowest group on the way up counts, files that it can drop do not",
			.test_func = test_unified},
		{.name = "a container's limit is found through what it sees of the groups",
			.test_func = test_containers},
		{.name = "limits of version 1 are found", .test_func = test_legacy},
		{.name = "the narrowest limit of huge pages counts, in use or reserved",
			.test_func = test_pools},
		{.name = "each size of huge pages has its own limit", .test_func = test_pool_sizes},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("cgroup", tests, make_folder, remove_folder);
}
