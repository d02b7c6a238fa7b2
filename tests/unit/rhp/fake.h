/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A machine for the runtime: files in a folder in place of /proc and /sys, and calls that note what
 * they bind. Memory is real. Include it after cmocka.h. */
#ifndef RHP_FAKE_H
#define RHP_FAKE_H

#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "rhp/runtime.h"

#define FAKE_HUGE ((size_t)2 << 20)

static char fake_root[256];

static struct fake {
	int runs_on;      /* node of the caller */
	int refuses_bind; /* errno, or 0 */
	int refuses_grow, refuses_move;
	int questions; /* for presence */
	bool thp_disabled;
	bool allowed[RHP_NODES];
	bool says_allowed;
	int policy; /* MPOL_*, of nodes `its_own` */
	unsigned long its_own;
	int binds, advices;
	uint64_t bound[RHP_NODES]; /* bytes */
} fake;

static int fake_node(void)
{
	return fake.runs_on;
}

static int fake_bind(void *base, size_t bytes, int node)
{
	(void)base;
	if (node < 0)
		return 0;
	fake.binds++;
	errno = fake.refuses_bind;
	if (fake.refuses_bind)
		return -1;
	fake.bound[node] += bytes;
	return 0;
}

static int fake_advise(void *base, size_t bytes, int advice)
{
	fake.advices += advice == MADV_NOHUGEPAGE;
	return rhp_linux.advise(base, bytes, advice);
}

static void *fake_grow(void *base, size_t had, size_t bytes, bool may_move)
{
	errno = fake.refuses_grow;
	return fake.refuses_grow ? NULL : rhp_linux.grow(base, had, bytes, may_move);
}

static int fake_move(void *from, size_t had, void *to, size_t bytes)
{
	errno = fake.refuses_move;
	return fake.refuses_move ? -1 : rhp_linux.move(from, had, to, bytes);
}

static int fake_resident(void *base, size_t bytes, unsigned char *there)
{
	fake.questions++;
	return rhp_linux.resident(base, bytes, there);
}

static int fake_allowed(unsigned long *mask)
{
	memset(mask, 0, RHP_MASK_WORDS * sizeof(*mask));
	for (size_t i = 0; i < RHP_NODES; i++)
		if (fake.allowed[i])
			mask[i / (8 * sizeof(*mask))] |= 1UL << i % (8 * sizeof(*mask));
	return fake.says_allowed ? 0 : -1;
}

static int fake_policy(int *mode, unsigned long *mask)
{
	*mode = fake.policy;
	mask[0] = fake.its_own;
	return 0;
}

static bool fake_thp_disabled(void)
{
	return fake.thp_disabled;
}

static struct rhp_system fake_system(void)
{
	struct rhp_system s = rhp_linux;

	s.node = fake_node;
	s.bind = fake_bind;
	s.advise = fake_advise;
	s.grow = fake_grow;
	s.move = fake_move;
	s.resident = fake_resident;
	s.allowed = fake_allowed;
	s.policy = fake_policy;
	s.thp_disabled = fake_thp_disabled;
	return s;
}

static int fake_remove(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

static void fake_end(void)
{
	nftw(fake_root, fake_remove, 8, FTW_DEPTH | FTW_PHYS);
}

/* Writes a file of the machine; text NULL: removes it. */
static void fake_file(const char *path, const char *text)
{
	char full[512];

	snprintf(full, sizeof(full), "%s%s", fake_root, path);
	if (!text) {
		remove(full);
		return;
	}
	for (char *slash = full + strlen(fake_root); (slash = strchr(slash + 1, '/'));) {
		*slash = '\0';
		mkdir(full, 0700);
		*slash = '/';
	}
	FILE *out = fopen(full, "w");
	assert_non_null(out);
	fputs(text, out);
	fclose(out);
}

/* Two nodes with 64 and 128 MiB in huge pages, seen from node 0, base pages of 4 KiB. */
static void fake_begin(void)
{
	const char *folder = getenv("TMPDIR");

	if (!*fake_root) {
		snprintf(fake_root, sizeof(fake_root), "%s/affinity-rhp-XXXXXX",
			folder && *folder && strlen(folder) < 200 ? folder : "/tmp");
		assert_non_null(mkdtemp(fake_root));
		atexit(fake_end);
	}
	fake = (struct fake){0};
	fake_file("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "2097152\n");
	fake_file("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
	fake_file("/sys/devices/system/node/online", "0-1\n");
	fake_file("/sys/devices/system/node/node0/distance", "10 20\n");
	fake_file("/sys/devices/system/node/node1/distance", "20 10\n");
	fake_file("/proc/zoneinfo", NULL);
	fake_file("/proc/buddyinfo", "Node 0, zone Normal 0 0 0 0 0 0 0 0 0 32\n"
				     "Node 1, zone Normal 0 0 0 0 0 0 0 0 0 0 32\n");
}

#endif
