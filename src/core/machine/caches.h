/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The caches that a document of a staircase shows. */
#ifndef MACHINE_CACHES_H
#define MACHINE_CACHES_H

#include "analysis/staircase.h"
#include "base/error.h"
#include "document/document.h"

/* Finds the levels in the runs of a document in which one thread chases through one vector. Returns
 * how many, at most `most`; 0 with a message (STATUS_PLACEMENT at `at`): there is no step, or the
 * document is no staircase. */
size_t measured_caches(const struct document *d, struct staircase_level *levels, size_t most,
	struct place at, struct errors *e);

/* "measured: L1 53.8 KiB (45.3 KiB to 64 KiB), ...", to be freed. */
char *measured_caches_note(const struct staircase_level *levels, size_t n);

#endif
