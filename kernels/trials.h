/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Short trials of several ways to do the same work, for kernels that choose the quickest one. */
#ifndef TRIALS_H
#define TRIALS_H

#include <stddef.h>

/* What a trial should access of each stream: with this, twelve ways at 5 GB/s take 5 to 15 ms. Each
 * trial should take the next piece: trials of large vectors should access memory instead of the
 * cache that an earlier trial filled. */
#define TRIAL_BYTES ((size_t)128 << 10)

#define TRIAL_WAYS 48 /* at most */

/* Returns the way, in [0, n), that needed the least time for a unit of work in the median of its
 * trials. work() does a trial of a way and returns its units. One way alone is not tried. */
size_t trials_quickest(size_t n, double (*work)(void *arg, size_t way), void *arg);

#endif
