/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of a result document that are shown, and not computed with. What is missing in a file is as
 * document.h says. */
#ifndef DOCUMENT_DETAILS_H
#define DOCUMENT_DETAILS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/amount.h"

/* Of a figure or a row, as it was written: analysis/trust.h. */
struct document_mark {
	bool there; /* it is marked */
	const char *word, *why;
};

struct document_marked {
	struct amount amount;
	struct document_mark mark;
};

/* What figures of a kind know from each other: analysis/sharing.h. */
struct document_family {
	const char *name;
	bool shared;
	const char *reason; /* why each has its own variance */
	int64_t figures, runs;
};

struct document_pages {
	int node;
	int64_t pages;
};

/* A vector as one placement found it. */
struct document_placement {
	struct document_pages *pages_on_node; /* by node in ascending order */
	size_t nodes;
	const char *nodes_shown_by, *sizes_shown_by; /* NULL: nothing showed them */
	int64_t pages_absent, base_page_bytes, kernel_page_bytes, transparent_huge_bytes,
		transparent_page_bytes, map_ns, touch_ns, copy_ns;
	int touched_by_cpu, touching_threads;
	bool touched_in_turn; /* by all of them; else by those of its node */
	bool has_free_huge, has_moved_back, has_page_tables;
	struct {
		int node;
		int64_t local_bytes, remote_bytes, none_bytes;
	} free_huge;
	struct {
		int64_t bytes, ns;
	} moved_back;
	struct {
		int64_t needed, more_on_node, more_elsewhere;
		bool only_node_with_memory;
	} page_tables;
};

struct document_together {
	struct amount cost; /* seconds */
	struct amount busy, whole_time, ns_per_unit, units_per_s, bytes_per_s, traffic;
};

/* The threads on cores of one kind. */
struct document_kind {
	const char *kind;
	struct document_together together;
	struct document_mark mark;
};

/* A node of leaveHuge. */
struct document_leave {
	int node;
	int64_t asked_bytes;
	struct document_left {
		int64_t huge_bytes, free_bytes, blocks_broken, most_huge_bytes;
	} * left; /* by placement */
	size_t nleft;
};

/* What was counted, and how: analysis/counters.h. */
struct document_metric {
	const char *name, *kind, *help, *formula, *missing; /* missing NULL: it is counted */
	int pass;                                           /* -1: several, or none */
};

struct document_pass {
	struct document_event {
		const char *event, *native, *remark;
	} * events;
	size_t nevents;
};

struct document_counting {
	int samples_per_pass;
	struct document_metric *metrics;
	size_t nmetrics;
	struct document_pass *passes;
	size_t npasses;
};

/* A `table` line that has no figures. */
struct document_lacking {
	const char *title, *reason; /* reason NULL: its runs have no such figure */
	size_t before;              /* how many of the document's tables come before it */
};

#endif
