/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the memory of another process lies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "memory/process.h"

#define MIB ((uint64_t)1 << 20)

static struct process_pages pages_of(const char *numa_maps, const char *smaps, int own)
{
	struct process_pages pages = {0};
	FILE *maps = fmemopen((void *)(uintptr_t)numa_maps, strlen(numa_maps), "r"),
	     *huge = fmemopen((void *)(uintptr_t)smaps, strlen(smaps), "r");

	assert_non_null(maps);
	assert_non_null(huge);
	process_pages_read(maps, huge, own, &pages);
	fclose(maps);
	fclose(huge);
	return pages;
}

static const char numa_maps[] =
	"00400000 default file=/usr/bin/sort mapped=20 N1=20 kernelpagesize_kB=4\n"
	"01a00000 default heap anon=256 dirty=256 N0=256 kernelpagesize_kB=4\n"
	"7f0000000000 prefer:0 anon=1024 dirty=1024 active=0 N0=1024 kernelpagesize_kB=4\n"
	"7f0000400000 prefer:1 anon=2048 dirty=2048 N0=512 N1=1536 kernelpagesize_kB=4\n"
	"7f0000c00000 prefer (many):10 anon=512 dirty=512 N10=512 kernelpagesize_kB=4\n"
	"7f0001000000 bind:1 huge anon=2 dirty=2 N1=2 kernelpagesize_kB=2048\n"
	"7ffd00000000 default stack\n";

static const char smaps[] = "00400000-00420000 r-xp 00000000 fe:01 12    /usr/bin/sort\n"
			    "AnonHugePages:         0 kB\n"
			    "01a00000-01b00000 rw-p 00000000 00:00 0     [heap]\n"
			    "AnonHugePages:         0 kB\n"
			    "7f0000000000-7f0000400000 rw-p 00000000 00:00 0 \n"
			    "Rss:                4096 kB\n"
			    "AnonHugePages:      4096 kB\n"
			    "7f0000400000-7f0000c00000 rw-p 00000000 00:00 0 \n"
			    "AnonHugePages:      8192 kB\n"
			    "7f0000c00000-7f0000e00000 rw-p 00000000 00:00 0 \n"
			    "AnonHugePages:         0 kB\n"
			    "7f0001000000-7f0001400000 rw-p 00000000 00:0f 77 /anon_hugepage\n"
			    "AnonHugePages:         0 kB\n";

static void pages_on_other_nodes_are_far(void **state)
{
	static const struct {
		int own;
		uint64_t far, far_huge; /* MiB */
	} cases[] = {
		{0, 6 + 2 + 4, 6},
		{1, 1 + 4 + 2 + 2, 4 + 2},
		{10, 1 + 4 + 8 + 4, 4 + 8},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct process_pages p = pages_of(numa_maps, smaps, cases[i].own);

		assert_int_equal(p.all, 19 * MIB);
		assert_int_equal(p.far, cases[i].far * MIB);
		assert_int_equal(p.far_huge, cases[i].far_huge * MIB);
	}
}

static void huge_pages_of_a_mapping_on_two_nodes_are_known_within_bounds(void **state)
{
	static const char two_nodes[] =
		"7f0000400000 prefer:1 anon=2048 dirty=2048 N0=512 N1=1536 kernelpagesize_kB=4\n";
	static const char half[] = "7f0000400000-7f0000c00000 rw-p 00000000 00:00 0 \n"
				   "AnonHugePages:      4096 kB\n";
	struct process_pages p = pages_of(two_nodes, half, 0);

	(void)state;
	assert_int_equal(p.far, 6 * MIB);
	assert_int_equal(p.huge, 4 * MIB);
	assert_int_equal(p.far_huge, 4 * MIB);
	assert_int_equal(p.far_huge_least, 2 * MIB);
	p = pages_of(two_nodes, half, 1);
	assert_int_equal(p.far_huge, 2 * MIB);
	assert_int_equal(p.far_huge_least, 0);
	/* those of a pool are huge as well */
	assert_int_equal(pages_of(numa_maps, smaps, 0).huge, (4 + 8 + 4) * MIB);
}

static void a_mapping_that_smaps_lacks_is_in_small_pages(void **state)
{
	const char *without = strstr(smaps, "7f0000c00000-");
	struct process_pages p = pages_of(numa_maps, without, 0);

	(void)state;
	assert_int_equal(p.far, 12 * MIB);
	assert_int_equal(p.far_huge, 0);
	/* the first far one is missing, and the next one is not lost with it */
	p = pages_of("7eff00000000 prefer:1 N1=512 kernelpagesize_kB=4\n"
		     "7f0000400000 prefer:1 N1=2048 kernelpagesize_kB=4\n",
		smaps, 0);
	assert_int_equal(p.far, 10 * MIB);
	assert_int_equal(p.far_huge, 8 * MIB);
}

static void note(void *with, const struct process_mapping *m)
{
	char *all = with;
	const size_t length = strlen(all);

	snprintf(all + length, 256 - length, "[%s]%s", m->policy, m->file ? m->file : "");
}

static void policies_and_paths_of_several_words_are_whole(void **state)
{
	static const char lines[] =
		"7f00 weighted interleave:0-1 anon=2 N0=1 N1=1 kernelpagesize_kB=4\n"
		"7f10 prefer (many):10 anon=1 N10=1 kernelpagesize_kB=4\n"
		"7f20 interleave:0-1 file=/a\\040b\\134c mapped=1 N0=1 kernelpagesize_kB=4\n"
		"7f30 default heap\n";
	char all[256] = "";
	FILE *in = fmemopen((void *)(uintptr_t)lines, strlen(lines), "r");

	(void)state;
	process_mappings_read(in, note, all);
	fclose(in);
	assert_string_equal(all,
		"[weighted interleave:0-1][prefer (many):10][interleave:0-1]/a b\\c"
		"[default]");
}

static void a_process_that_is_gone_has_no_pages(void **state)
{
	struct process_pages p = {0};
	bool nodes[LINUX_NODES] = {true};

	(void)state;
	assert_int_equal(process_pages_add(0x7fffffff, 0, &p), -1);
	assert_int_equal(p.all, 0);
	assert_int_equal(process_bring_back(0x7fffffff, nodes, 0), -1);
	if (access("/proc/self/numa_maps", R_OK))
		skip();
	assert_int_equal(process_pages_add(getpid(), 0, &p), 0);
	assert_true(p.all > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_on_other_nodes_are_far),
		cmocka_unit_test(huge_pages_of_a_mapping_on_two_nodes_are_known_within_bounds),
		cmocka_unit_test(a_mapping_that_smaps_lacks_is_in_small_pages),
		cmocka_unit_test(policies_and_paths_of_several_words_are_whole),
		cmocka_unit_test(a_process_that_is_gone_has_no_pages),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
