/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks at the programs of the command that have asked for large blocks, while they run. */
#ifndef WATCH_H
#define WATCH_H

#include "analysis/profile.h"
#include "memory/process.h"
#include "preload/rhp_memory.h"

/* What each has done, as far as it was seen: some end. A zeroed one is empty. */
struct watch {
	struct profile_point seen[RHP_SHARE_RECORDS];
};

/* How many processes have a record: those that loaded the library, also when they have ended. */
int watch_processes(const struct rhp_share *s);

/* Sums of all of them so far: user time, and bytes written as progress. */
struct profile_point watch_take(struct watch *w, const struct rhp_share *s);

/* Where their pages lie now. */
struct process_pages watch_pages(const struct rhp_share *s, int own);

/* Moves their pages to their own node. 0, or -1 and errno. */
int watch_bring_back(const struct rhp_share *s, const bool nodes[LINUX_NODES], int own);

#endif
