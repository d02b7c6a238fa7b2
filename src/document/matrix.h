/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Node x node figures out of result documents: runs whose threads are on one node and whose vectors
 * on one. */
#ifndef MATRIX_H
#define MATRIX_H

#include <stdbool.h>

#include "topology/memattrs.h"

struct matrix {
	struct topo_memattr *figures;
	size_t count;
	size_t left_out; /* figures that caches had a part in, or may have had */
};

/* Adds the figures of a document that results_read() took: latency of a thread alone that runs
 * `chase`, one load at a time; bandwidth of all threads together that run `load`, `store` or
 * `store_nt`. 0, or -1 with a message (STATUS_USAGE): a run was not where it was asked to be all
 * along. */
int matrix_read(struct matrix *m, const char *path, struct errors *e);
void matrix_free(struct matrix *m);

#endif
