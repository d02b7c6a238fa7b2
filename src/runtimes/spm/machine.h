/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The nodes with the CPUs that a process may use, and the caches, as /sys shows them. */
#ifndef SPM_MACHINE_H
#define SPM_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SPM_SYS "/sys/devices/system"

/* Linux's own limits: CONFIG_NR_CPUS is at most 8192, CONFIG_NODES_SHIFT at most 10. */
#define SPM_CPUS      8192
#define SPM_NODES     1024
#define SPM_WORD_BITS (8 * sizeof(unsigned long))
#define SPM_CPU_WORDS (SPM_CPUS / SPM_WORD_BITS)

struct spm_cpus {
	unsigned long words[SPM_CPU_WORDS];
};

static inline bool spm_cpus_has(const struct spm_cpus *c, size_t cpu)
{
	return c->words[cpu / SPM_WORD_BITS] >> cpu % SPM_WORD_BITS & 1;
}

struct spm_node {
	int id;
	struct spm_cpus cpus; /* that the process may use; at least one */
};

/* Bytes of the caches above a CPU, each as enum spm_cache_def says; 0: not known. */
struct spm_caches {
	uint64_t sum, llc, share;
};

struct spm_machine {
	struct spm_node *nodes; /* in the order of their numbers */
	int nnodes;
	struct spm_caches caches;
};

/* root: SPM_SYS, or a folder like it. allowed: the CPUs that the process may use. A kernel that
 * shows no nodes has node 0. The caches are those of the first allowed CPU. Returns 0, or -1 when
 * there is no memory. spm_machine_free() frees it. */
int spm_machine_read(struct spm_machine *m, const char *root, const struct spm_cpus *allowed);
void spm_machine_free(struct spm_machine *m);

/* One level of caches, for spm_caches_add(): its bytes and how many CPUs share it. */
struct spm_cache {
	int level;
	uint64_t bytes;
	unsigned cpus;
};

/* Sums up n levels, of data or unified caches. share: bytes / cores, where the CPUs that share the
 * first level are a core. */
struct spm_caches spm_caches_of(const struct spm_cache *levels, int n);

/* The caches of the CPU on which it runs, as its instruction CPUID says: in virtual machines whose
 * /sys has none. All 0 on other processors. */
struct spm_caches spm_caches_cpuid(void);

#endif
