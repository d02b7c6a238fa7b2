/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A kernel's state that is one block of malloc(): of a thread, or of all that share a vector. */
#ifndef OWN_H
#define OWN_H

#include <stdlib.h>

#include "kernel.h"

/* For teardown. */
static inline void free_own(struct worker *w)
{
	free(w->own);
	w->own = NULL;
}

/* For unshare. */
static inline void free_shared(struct worker *w)
{
	free(w->shared);
	w->shared = NULL;
}

#endif
