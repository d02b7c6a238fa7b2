/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where pages are, for all kernels that ask. */
#ifndef PAGE_NODES_H
#define PAGE_NODES_H

#include <stddef.h>

/* Writes the node of each page, or an error number below 0, as move_pages() without targets. No
 * page that is present counts as absent because NUMA balancing watches it, and none is moved. 0, or
 * -1 and errno: the system does not say where all of them are. */
int page_nodes(size_t n, void **pages, int *status);

#endif
