/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Node x node figures out of result documents: runs whose threads are on one node and whose vectors
 * on one. */
#ifndef NODE_FIGURES_H
#define NODE_FIGURES_H

#include <stdbool.h>

#include "topology/memattrs.h"

struct node_figures {
	struct topo_memattr *figures;
	size_t count;
	size_t left_out; /* figures that caches had a part in, or may have had */
};

/* Adds the figures of a document that results_read() took: of kernels that measure an
 * attribute, the latency of a thread alone, one load at a time, or the bandwidth of all threads
 * together. 0, or -1 with a message (STATUS_USAGE): a run was not where it was asked to be all
 * along. */
int node_figures_read(struct node_figures *m, const char *path, struct errors *e);
void node_figures_free(struct node_figures *m);

#endif
