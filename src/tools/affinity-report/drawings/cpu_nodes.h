/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The nodes of a document's CPUs. */
#ifndef REPORT_CPU_NODES_H
#define REPORT_CPU_NODES_H

#include "document/document.h"

/* By node, then by CPU. Empty: the document does not say it. */
struct cpu_nodes {
	struct cpu_place {
		int cpu, node;
	} * list;
	size_t count;
};

/* From the fact node_cpus, "0: 0-3; 1: 4-7". cpu_nodes_free() frees it. */
void cpu_nodes_read(struct cpu_nodes *n, const struct document *d);
void cpu_nodes_free(struct cpu_nodes *n);

/* The entry of a CPU; NULL: there is none. */
const struct cpu_place *cpu_nodes_find(const struct cpu_nodes *n, int cpu);

#endif
