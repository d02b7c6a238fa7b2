/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Next touch by userfaultfd: takes all pages of a vector away to other addresses, in one call, and
 * leaves a mapping without pages. The access to one of them raises SIGBUS, and a handler
 * (fault_units.h) copies the unit from there to new pages on the node of the thread that touched
 * it, then gives the old ones back. New pages are base pages: transparent huge ones do not stay
 * whole. Pages of a pool cannot be taken away so.
 */
#ifndef USERFAULT_H
#define USERFAULT_H

#include <stddef.h>
#include <stdint.h>

#include "moved_pages.h"

struct userfault;

/* NULL, or what this machine lacks, written to why[n]. */
const char *userfault_lacks(char *why, size_t n);

/* Of a vector, which must live as long. NULL: no memory, too many vectors, or what
 * userfault_lacks() tells. Free it when no thread touches the vector. */
struct userfault *userfault_make(const struct moved_pages *p);
void userfault_free(struct userfault *u);

/* 0, or -1 and errno. Between both, touched units are copied. userfault_disarm() brings back the
 * pages that no thread has touched; it may be called again. */
int userfault_arm(struct userfault *u);
int userfault_disarm(struct userfault *u);

/* Known after userfault_disarm(): units whose pages were all on the node of the thread that
 * touched them first, and those of which some were not. */
uint64_t userfault_touched(const struct userfault *u);
uint64_t userfault_missed(const struct userfault *u);

#endif
