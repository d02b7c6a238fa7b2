/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The system calls that the runtime makes, past everything that a program may have put in their
 * place. Tests put a machine of their own here. */
#ifndef RHP_SYSTEM_H
#define RHP_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

struct pagemap_scan;

#define RHP_MASK_WORDS (RHP_NODES / (8 * sizeof(unsigned long)))

/* Each returns as the system call does: -1 and errno when it fails; mappings NULL and errno. */
struct rhp_system {
	/* The node of the CPU on which the calling thread runs; cannot fail. */
	int (*node)(void);
	/* Private anonymous memory, to be read and written. */
	void *(*map)(size_t bytes);
	int (*unmap)(void *base, size_t bytes);
	/* Makes a mapping larger, elsewhere if it may move. What is new has the old policy. */
	void *(*grow)(void *base, size_t had, size_t bytes, bool may_move);
	/* Moves pages with their policy to an address that is mapped already, and what is more than
	 * they were belongs to it. If it is as much, the old address stays mapped, without pages.
	 */
	int (*move)(void *from, size_t had, void *to, size_t bytes);
	/* MPOL_PREFERRED for pages that are not there yet; node -1: no policy. */
	int (*bind)(void *base, size_t bytes, int node);
	int (*advise)(void *base, size_t bytes, int advice);
	/* A byte a base page: is it there? */
	int (*resident)(void *base, size_t bytes, unsigned char *there);
	/* The node of each page, or an errno below 0. */
	int (*nodes_of)(size_t n, void **pages, int *status);
	/* PAGEMAP_SCAN of an open /proc/self/pagemap. */
	int (*scan)(int file, struct pagemap_scan *scan);
	/* The nodes that the process's cpuset allows: RHP_MASK_WORDS words. */
	int (*allowed)(unsigned long *mask);
	/* The calling thread's memory policy, MPOL_*, without flags but MPOL_F_RELATIVE_NODES, and
	 * its nodes: RHP_MASK_WORDS words. */
	int (*policy)(int *mode, unsigned long *mask);
	/* Has prctl() switched transparent huge pages off? */
	bool (*thp_disabled)(void);
};

extern const struct rhp_system rhp_linux;

#endif
