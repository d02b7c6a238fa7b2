/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of node x node as hwloc's memory attributes, for other programs to load. */
#ifndef TOPO_MEMATTRS_H
#define TOPO_MEMATTRS_H

#include "topology/topo.h"

enum memattr { MEMATTR_READ_LATENCY, MEMATTR_READ_BANDWIDTH, MEMATTR_WRITE_BANDWIDTH, MEMATTRS };

/* The latency or bandwidth between the CPUs of node `initiator` and the memory of node `target`, by
 * OS numbers. */
struct topo_memattr {
	enum memattr attribute;
	int initiator, target;
	double value; /* nanoseconds; bytes per second */
};

/* A name and a text that the document says about itself. */
struct topo_note {
	const char *name, *text;
};

/* The topology t as XML, with these attributes in hwloc's units (whole nanoseconds, MiB/s) in place
 * of those that the firmware may have told, and the notes as infos of its root. Latency is also
 * given as hwloc's Latency, and the mean of both bandwidths, where both are there, as its
 * Bandwidth: those are what programs ask for first. NULL with a message (STATUS_FAILED); else to be
 * freed with free(). */
char *topo_memattrs_xml(const struct topo *t, const struct topo_memattr *list, size_t n,
	const struct topo_note *notes, size_t nnotes, struct errors *e);

#endif
