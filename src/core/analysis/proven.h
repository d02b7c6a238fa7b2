/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What shows that a thread was on its CPU, and that pages were where they were asked for. */
#ifndef PROVEN_H
#define PROVEN_H

#include "measure/samples.h"

/*
 * The best proof that holds for all samples of the thread, without warm-up:
 *
 * "sched_getaffinity": before each sample the kernel's mask of the thread had this CPU alone, and
 * the thread was there at the sample's beginning and end.
 * "getcpu": it was there at the beginning and end of each, and did not migrate as far as the kernel
 * reports it; its mask may have had other CPUs.
 * NULL: the thread was not bound, was elsewhere in some sample, or there are no samples.
 */
const char *proven_cpu(const struct samples *r, int thread);

/* The pages of a vector in all placements. Elsewhere, absent or moved: only verify: warn lets them
 * pass. */
enum proven_pages { PROVEN_IN_PLACE, PROVEN_ELSEWHERE, PROVEN_UNKNOWN };
enum proven_pages proven_vector(const struct samples *r, int vector);

#endif
