/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where pages are, also those that NUMA balancing watches. */
#ifndef HIDDEN_PAGES_H
#define HIDDEN_PAGES_H

#include <stddef.h>

/* move_pages() of this process without targets: 0, or -1 and errno. */
typedef int hidden_pages_ask(size_t n, void **pages, int *status);

/* Writes the node of each page, or an error number below 0, as ask() does. No page that is present
 * counts as absent because NUMA balancing watches it, and none is moved. 0, or -1 and errno: the
 * system does not say where all of them are. */
int hidden_pages_find(hidden_pages_ask *ask, size_t n, void **pages, int *status);

#endif
