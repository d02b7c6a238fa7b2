/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which ranges of physical memory an area of virtual memory gets: the rule of Remote Contiguous
 * Mappings (RCM; V.-O. Politis, NTUA 2021, section 4.2), as a simulation over given free ranges.
 *
 * Each node offers a candidate: from where its last search ended on, the first range that holds the
 * area, else its largest one. By distance, the first candidate is taken that holds at least a given
 * share of the area. What it does not hold is an area of its own, to which the rule applies again.
 */
#ifndef RCM_H
#define RCM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rcm_range {
	int node;
	uint64_t bytes; /* free */
};

struct rcm_node {
	int id;
	int distance; /* from the program's own node, whose distance is the smallest */
	size_t rover; /* index of the range where the next search begins */
};

/* When no candidate holds enough. */
enum rcm_otherwise {
	RCM_NEAREST, /* the candidate of the nearest node that has one (RCM's description) */
	RCM_LARGEST, /* the largest candidate, the nearest of equal ones */
	RCM_NONE     /* none: the area is left to single blocks (RCM's program) */
};

struct rcm_rule {
	double least_local, least_far; /* the share that a candidate must hold, 0 to 1 */
	enum rcm_otherwise otherwise;
	bool far; /* false: only the program's own node has candidates (CAPaging) */
};

/* What is free. Nodes are sorted by distance, the program's own one first. */
struct rcm_ranges {
	struct rcm_range *list;
	size_t count;
	struct rcm_node *nodes;
	size_t nnodes;
};

/* A part of an area in one range. */
struct rcm_piece {
	int node; /* -1: in no range */
	uint64_t bytes;
	bool qualified; /* false: taken because none did */
};

/* Takes one piece for an area of so many bytes out of r. Its bytes are at most those; fewer: call
 * it again with the rest. */
struct rcm_piece rcm_take(struct rcm_ranges *r, const struct rcm_rule *rule, uint64_t bytes);

#endif
