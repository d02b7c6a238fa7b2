/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a thread can have done the work that its kernel reports in the time that it took. */
#ifndef PLAUSIBLE_H
#define PLAUSIBLE_H

#include "contract/kernel.h"

/* NULL, or why no core can have done `units` units of k in so many ns, written to why[n]. */
const char *plausible_rate(
	const struct kernel *k, const void *args, uint64_t units, uint64_t ns, char *why, size_t n);

#endif
