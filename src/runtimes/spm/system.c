/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernel's own calls: a program that uses the runtime needs no libnuma. */
#include "spm/system.h"

#include <linux/mempolicy.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "contract/hidden_pages.h"

/* The kernel reads one bit less than the argument says. */
#define MASK_BITS (SPM_NODES + 1)

static int node(void)
{
	unsigned n;

	return getcpu(NULL, &n) ? 0 : (int)n;
}

static int bind_pages(void *base, size_t bytes, enum spm_binding binding, int to)
{
	unsigned long mask[SPM_NODES / SPM_WORD_BITS] = {0};

	if (binding == SPM_BIND_NOT)
		return (int)syscall(SYS_mbind, base, bytes, MPOL_DEFAULT, NULL, 0, 0);
	mask[(size_t)to / SPM_WORD_BITS] = 1UL << (size_t)to % SPM_WORD_BITS;
	return (int)syscall(SYS_mbind, base, bytes, MPOL_BIND, mask, MASK_BITS,
		binding == SPM_BIND_MOVE ? MPOL_MF_MOVE : MPOL_MF_STRICT);
}

static int ask_where(size_t n, void **pages, int *status)
{
	return (int)syscall(SYS_move_pages, 0, n, pages, NULL, status, 0);
}

static long call_move_pages(size_t n, void **pages, const int *nodes, int *status)
{
	return nodes ? syscall(SYS_move_pages, 0, n, pages, nodes, status, MPOL_MF_MOVE)
		     : hidden_pages_find(ask_where, n, pages, status);
}

static int get_cpus(struct spm_cpus *cpus)
{
	*cpus = (struct spm_cpus){0};
	return sched_getaffinity(0, sizeof(*cpus), (cpu_set_t *)cpus);
}

static int set_cpus(const struct spm_cpus *cpus)
{
	return sched_setaffinity(0, sizeof(*cpus), (const cpu_set_t *)cpus);
}

const struct spm_system spm_linux = {node, bind_pages, call_move_pages, get_cpus, set_cpus};
