/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What files of /proc and /sys say: free blocks, watermarks, distances, huge pages. Takes no memory
 * of malloc(). */
#ifndef RHP_MACHINE_H
#define RHP_MACHINE_H

#include "rhp/decide.h"

/* Calls line() for each line of a file, without its newline and with at most 1023 characters, until
 * line() returns something else than 0, which is returned; else 0, or -1 and errno. */
int rhp_lines(const char *path, int (*line)(void *arg, const char *text), void *arg);

/* The zones' limits. A zone that does not fit in, or is not listed, has none. */
#define RHP_ZONES 4096

struct rhp_machine {
	const char *root; /* "", or a folder with proc and sys for tests */
	size_t base;      /* bytes of a page */
	size_t huge;      /* bytes of a transparent huge page; 0: this kernel has none */
	struct zone_limits limits[RHP_ZONES];
	size_t nlimits;
};

void rhp_machine_read(struct rhp_machine *m, const char *root);

/* free[RHP_NODES]: bytes of each node in huge blocks that programs get. Returns 0, or an errno;
 * EBADMSG: a line is not of the known form. */
int rhp_machine_free(const struct rhp_machine *m, uint64_t *free_bytes);

/* distances[RHP_NODES] of the nodes from a node, as firmware says. Returns 0, or an errno; then the
 * node's own is 10 and all others are 20, which are ACPI's defaults. */
int rhp_machine_distances(const struct rhp_machine *m, int node, int *distances);

/* Are huge pages to be had with madvise()? */
int rhp_machine_thp(const struct rhp_machine *m);

#endif
