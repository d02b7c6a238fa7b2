/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --export-memattrs: measured latency and bandwidth of node x node, for hwloc. */
#ifndef MEMATTRS_H
#define MEMATTRS_H

#include "topology/topo.h"

/* Writes the topology t with what the result documents say about it as hwloc XML to `out`. Refuses
 * documents of another machine, figures that caches had a part in, and incomplete matrices. 0, or
 * -1 with messages. */
int memattrs_export(const struct topo *t, const char *const *paths, size_t npaths, const char *out,
	struct errors *e);

#endif
