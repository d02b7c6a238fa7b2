/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What address translation costs, and what far memory costs: the figures of V.-O. Politis, NTUA
 * 2021, as functions of counts. Cycles are those of one processor's counter for the whole run; each
 * figure is NAN where one of its arguments is, or where it would divide by 0. Sections are those of
 * that work.
 */
#ifndef TRANSLATION_H
#define TRANSLATION_H

#include <stddef.h>
#include <stdint.h>

/* (x - reference) / reference: by which part a run x takes more than the reference (3.1). */
double translation_increase(double x, double reference);

/* O_NUMA = (cycles of the interleaved run - cycles of the local one) / T_ideal: half of the memory
 * is far (3.2). */
double translation_numa_overhead(double interleaved, double local, double ideal);

/* The walk cycles left when ranges hold a part `coverage` (0 to 1) of the memory, if they are found
 * as often as that: (1 - coverage) * misses of the TLB * mean cycles of a walk (5.3). */
double translation_residual(double coverage, double misses, double cycles_of_walk);

/* O_CAP = residual / T_ideal; O_RCM = (residual + stalls for far memory) / T_ideal (5.3). */
double translation_cap_overhead(double residual, double ideal);
double translation_rcm_overhead(double residual, double far_stalls, double ideal);

/* The part of all pages, 0 to 1, that the `largest` longest of n ranges hold; lengths in pages. All
 * of them, 1, where there are no more ranges than that; NAN of no page (5.3). */
double translation_coverage(const uint64_t *lengths, size_t n, size_t largest);

/* gain = part of the memory that is far, but would be in small pages if it were local (0 to 1) *
 * S, by which part the run takes longer in small pages (4.3). */
double translation_gain(double far_part, double small_pages_increase);

/* cost = stalls for memory / cycles - M, that ratio when all is local and in huge pages (4.3). Far
 * memory is worth it while cost <= gain. */
double translation_cost(double stalls, double cycles, double local_ratio);

/* The same of ranges, in cycles (4.4): hits of the range TLB * far_part * mean cycles of a walk;
 * and far accesses * (far - local latency, seconds) * clock rate (Hz). */
double translation_range_gain(double hits, double far_part, double cycles_of_walk);
double translation_range_cost(double far_accesses, double far_s, double local_s, double hertz);

#endif
