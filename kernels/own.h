/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A kernel's state that is one block of malloc(). */
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

#endif
