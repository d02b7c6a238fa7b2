/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --export-memattrs: measured latency and bandwidth between nodes, for hwloc. */
#ifndef MEMATTRS_H
#define MEMATTRS_H

#include "topology/topo.h"

/* The result documents. What is made of them decides where memory goes and shows no interval:
 * figures that must be measured again are refused, but with force. */
struct memattrs_from {
	const char *const *paths;
	size_t npaths;
	bool force;
};

/* Writes the topology t, with the figures of the result documents, as hwloc XML to `out`. Rejects
 * documents of another machine, figures that caches influenced, and incomplete matrices. 0, or -1
 * with messages. */
int memattrs_export(
	const struct topo *t, const struct memattrs_from *from, const char *out, struct errors *e);

/* Takes the latencies between nodes of a result document of args/matrix/latency into t, so that
 * far() goes by them. Rejects the same documents. 0, or -1 with messages. */
int memattrs_access(struct topo *t, const char *path, bool force, struct errors *e);

/* Takes the read bandwidths between nodes of a result document of args/matrix/bandwidth* into t, so
 * that weighted:measured goes by them. Rejects the same documents. 0, or -1 with messages. */
int memattrs_rates(struct topo *t, const char *path, bool force, struct errors *e);

#endif
