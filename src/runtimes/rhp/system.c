/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernel's own calls: mmap() and munmap() of the C library may be replaced by whoever uses
 * this. */
#include <linux/mempolicy.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/pagemap.h"
#include "contract/hidden_pages.h"
#include "rhp/rhp.h"
#include "rhp/system.h"

/* The kernel reads one bit less than the argument says. */
#define MASK_BITS (RHP_NODES + 1)

#define WORD_BITS (8 * sizeof(unsigned long))

static int node(void)
{
	unsigned n;

	return getcpu(NULL, &n) ? 0 : (int)n;
}

static void *map(size_t bytes)
{
	long at = syscall(
		SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return at == -1 ? NULL : (void *)at;
}

static int unmap(void *base, size_t bytes)
{
	return (int)syscall(SYS_munmap, base, bytes);
}

static void *grow(void *base, size_t had, size_t bytes, bool may_move)
{
	long at = syscall(SYS_mremap, base, had, bytes, may_move ? MREMAP_MAYMOVE : 0);

	return at == -1 ? NULL : (void *)at;
}

static int move_mapping(void *from, size_t had, void *to, size_t bytes)
{
	const int stays = bytes == had ? MREMAP_DONTUNMAP : 0;
	long at = syscall(SYS_mremap, from, had, bytes, MREMAP_MAYMOVE | MREMAP_FIXED | stays, to);

	return at == -1 ? -1 : 0;
}

static int bind_pages(void *base, size_t bytes, int to)
{
	unsigned long mask[RHP_MASK_WORDS] = {0};

	if (to < 0)
		return (int)syscall(SYS_mbind, base, bytes, MPOL_DEFAULT, NULL, 0, 0);
	mask[(size_t)to / WORD_BITS] = 1UL << (size_t)to % WORD_BITS;
	return (int)syscall(SYS_mbind, base, bytes, MPOL_PREFERRED, mask, MASK_BITS, 0);
}

static int advise_kernel(void *base, size_t bytes, int advice)
{
	return (int)syscall(SYS_madvise, base, bytes, advice);
}

static int resident(void *base, size_t bytes, unsigned char *there)
{
	return (int)syscall(SYS_mincore, base, bytes, there);
}

static int ask_for_nodes(size_t n, void **pages, int *status)
{
	return (int)syscall(SYS_move_pages, 0, n, pages, NULL, status, 0);
}

static int nodes_of(size_t n, void **pages, int *status)
{
	return hidden_pages_find(ask_for_nodes, n, pages, status);
}

static int scan(int file, struct pagemap_scan *argument)
{
	return (int)syscall(SYS_ioctl, file, PAGEMAP_SCAN, argument);
}

static int allowed(unsigned long *mask)
{
	return (int)syscall(
		SYS_get_mempolicy, NULL, mask, MASK_BITS, NULL, (unsigned long)MPOL_F_MEMS_ALLOWED);
}

static int policy(int *mode, unsigned long *mask)
{
	int failed = (int)syscall(SYS_get_mempolicy, mode, mask, MASK_BITS, NULL, 0UL);

	*mode &= ~MPOL_MODE_FLAGS | MPOL_F_RELATIVE_NODES;
	return failed;
}

static bool thp_disabled(void)
{
	return prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0) > 0;
}

const struct rhp_system rhp_linux = {node, map, unmap, grow, move_mapping, bind_pages,
	advise_kernel, resident, nodes_of, scan, allowed, policy, thp_disabled};
