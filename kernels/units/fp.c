/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The scalar floating-point units: one add, multiplication, division or fused multiply-add of
 * doubles is a unit. As many independent chains as the registers allow keep every pipeline busy:
 * the limit is the number of operations that the core can begin in a cycle. units.h explains the
 * values.
 */
#include "units.h"

/* Two constants and the chains must fit into the registers; latency times pipelines of today's
 * cores is at most 10 (x86, FMA) and 16 (Arm). */
#ifdef __x86_64__
#define FP_CHAINS CHAINS_12
#define FP_TIMES  TIMES_4
#define FP_MOST   4 /* pipelines of the widest cores, whatever they do */
#else
#define FP_CHAINS CHAINS_24
#define FP_TIMES  TIMES_2
#define FP_MOST   8
#endif
#define FP_OPS 96

/* clang-format off */
#define ADD(x, y) x += y; keep_changed_fp(x);
#define MUL(x, y) x *= y; keep_changed_fp(x);
#define DIV(x, y) x /= y; keep_changed_fp(x);
#define FMA(x, y) x = __builtin_fma(y, a, x); keep_changed_fp(x);
/* clang-format on */

#define FP_KERNEL(name, target, op, a, b, lacks, what, text)                                  \
	CHAIN_KERNEL(name, target, double, FP_CHAINS, FP_TIMES, FP_OPS, op, a, b, 1.1, lacks, \
		FP_MOST, what, text)

FP_KERNEL(fp_add, , ADD, 0.75, -0.75, NULL, "add", "adds doubles, independent of each other")
FP_KERNEL(
	fp_mul, , MUL, 1.25, 0.8, NULL, "multiply", "multiplies doubles, independent of each other")
FP_KERNEL(fp_div, , DIV, 1.25, 0.8, NULL, "divide", "divides doubles, independent of each other")

#if defined(__x86_64__)
#define FMA_TARGET __attribute__((target("fma")))

static const char *lacks_fma(void)
{
	return __builtin_cpu_supports("fma") ? NULL : "the processor has no FMA";
}
#else
#define FMA_TARGET

static const char *lacks_fma(void)
{
#ifdef __FP_FAST_FMA
	return NULL;
#else
	return "this architecture has no fused multiply-add";
#endif
}
#endif

FP_KERNEL(fp_fma, FMA_TARGET, FMA, 0.5, -0.5, lacks_fma, "FMA",
	"multiplies doubles and adds them, fused, independent of each other")
