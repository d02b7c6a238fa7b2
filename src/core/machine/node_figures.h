/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Node x node figures of result documents. They come from runs that have all threads on one node
 * and all vectors on one node. */
#ifndef NODE_FIGURES_H
#define NODE_FIGURES_H

#include "document/figure.h"
#include "topology/memattrs.h"

struct node_figures {
	struct topo_memattr *figures;
	struct document_figure *found; /* [count]: the same, with their intervals and marks */
	size_t count;
	size_t left_out;        /* figures that caches influenced or may have influenced */
	size_t again[MEMATTRS]; /* figures that must be measured again; they are left out ... */
	bool force;             /* ... but with this */
};

/* Adds the figures of a document, for kernels that measure an attribute (kernel.h): the latency of
 * a thread alone with one load at a time, or the bandwidth of all threads together. 0, or -1 with a
 * message (STATUS_USAGE): a page or thread of a run was not always on the node that the file
 * requests. */
int node_figures_add(struct node_figures *m, const struct document *d, struct errors *e);
/* The best figure of each pair, into best[count]: the shortest latency, the highest bandwidth.
 * Returns how many there are. */
size_t node_figures_best(const struct node_figures *m, struct topo_memattr *best);
/* The mark of one of these. */
const struct trust *node_figures_trust(
	const struct node_figures *m, const struct topo_memattr *best);
void node_figures_free(struct node_figures *m);

#endif
