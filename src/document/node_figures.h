/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Node x node figures of result documents: from runs whose threads are all on one node and whose
 * vectors are all on one node. */
#ifndef NODE_FIGURES_H
#define NODE_FIGURES_H

#include "document/document.h"
#include "topology/memattrs.h"

struct node_figures {
	struct topo_memattr *figures;
	size_t count;
	size_t left_out; /* figures that caches had a part in, or may have had */
};

/* Adds the figures of a document: of kernels that measure an attribute (kernel.h), the latency of a
 * thread alone, one load at a time, or the bandwidth of all threads together. 0, or -1 with a
 * message (STATUS_USAGE): a page or thread of a run was not always where the file asked for it. */
int node_figures_add(struct node_figures *m, const struct document *d, struct errors *e);
void node_figures_free(struct node_figures *m);

#endif
