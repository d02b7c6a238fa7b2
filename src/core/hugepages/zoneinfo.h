/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the kernel keeps of each zone of memory, from /proc/zoneinfo: its watermarks, what it
 * withholds from programs, and the lists of free pages of single CPUs. In base pages.
 */
#ifndef ZONEINFO_H
#define ZONEINFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct zone_limits {
	int node;
	char name[16];
	uint64_t free, min, low, high;
	uint64_t start,
		spanned; /* number of its first page; pages up to its last one, with holes */
	uint64_t present, managed; /* pages that there are, and those that the allocator has */
	uint64_t unaccepted;       /* that an encrypted guest has not accepted yet */
	uint64_t protection; /* the most that is withheld from requests that a higher zone could
				fulfil; those of programs are such */
	struct zone_list {
		uint64_t count, high; /* pages that it has, and may keep */
	} * lists;                    /* [ncpus] of each CPU by its number; owned */
	int ncpus;
};

/* A zeroed one is empty. */
struct zoneinfo {
	struct zone_limits *zones; /* owned */
	size_t count;
};

/* Reads the file. 0, or -1: it has no zone with its watermarks. To be freed in either case. */
int zoneinfo_read(FILE *in, struct zoneinfo *z);
void zoneinfo_free(struct zoneinfo *z);

/* Does the kernel give no page of the zone to programs, as small as it is (mm/page_alloc.c,
 * __zone_watermark_ok(): free pages must exceed the low watermark and the protection)? Usual of the
 * 16 MiB of zone DMA. False for a zone that is not listed. */
bool zoneinfo_withheld(const struct zoneinfo *z, int node, const char *name);

/* Pages that must stay free on a node so that nothing is killed for want of memory: twice the sum
 * of its high watermarks and a MiB of pages of 4 KiB. */
uint64_t zoneinfo_margin(const struct zoneinfo *z, int node);

/* Pages that the kernel has not given to its allocator yet, and gives when free blocks run out:
 * those that an encrypted guest has not accepted, and those that it has not initialised. What the
 * kernel keeps for itself is missing in a zone as well: less than an eighth of the node is taken
 * for that. */
uint64_t zoneinfo_late(const struct zoneinfo *z, int node);

/* Pages that there are on the node; 0: the kernel does not say. */
uint64_t zoneinfo_present(const struct zoneinfo *z, int node);

/* The pages of the node that the lists of all CPUs have. */
uint64_t zoneinfo_listed(const struct zoneinfo *z, int node);

/* The pages of the node that the lists of a CPU have or may keep, whichever is more. */
uint64_t zoneinfo_room(const struct zoneinfo *z, int node, int cpu);

#endif
