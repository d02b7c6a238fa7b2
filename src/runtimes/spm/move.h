/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moves a run of pages to a node, and counts by asking the kernel where they were and are. */
#ifndef SPM_MOVE_H
#define SPM_MOVE_H

#include "spm/pins.h"
#include "spm/spm.h"
#include "spm/system.h"

/* Lists for one system call, of one thread. All 0 at first; spm_lists_free() frees them. */
struct spm_lists {
	size_t room;
	void **pages;
	int *status, *nodes;
};
void spm_lists_free(struct spm_lists *l);

struct spm_move {
	const struct spm_system *system;
	size_t page_bytes;
	enum spm_mover mover;
	enum spm_policy policy;
	struct spm_lists *lists;
	struct spm_run run; /* at least one page */
	int node;
};

/* As in struct spm_counts; moved + there + refused = the pages of the run. error: errno of refused
 * pages, 0 if there are none. */
struct spm_moved {
	uint64_t moved, there, refused;
	int error;
};
struct spm_moved spm_move(const struct spm_move *m);

#endif
