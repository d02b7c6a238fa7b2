/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bandwidth loops on the vectors of 64-bit Arm: 16 bytes (neon), and the CPU's length (sve). */
#include "bandwidth.h"
#include "keep.h"

#if defined(__aarch64__)
#include <arm_neon.h>
#include <sys/auxv.h>

#define HAS_SVE (1UL << 22) /* HWCAP_SVE of the kernel's asm/hwcap.h */

static bool has_neon(void)
{
	return true; /* every 64-bit Arm that runs Linux has it */
}

static bool has_sve(void)
{
	return getauxval(AT_HWCAP) & HAS_SVE;
}

/* NEON can store only pairs past the caches: the two halves of a vector. */
static inline __attribute__((always_inline)) void stream_neon(char *p, float64x2_t x)
{
	double low = vgetq_lane_f64(x, 0), high = vgetq_lane_f64(x, 1);

	__asm__ volatile("stnp %d1, %d2, [%0]" : : "r"(p), "w"(low), "w"(high) : "memory");
}

#define ISA neon
#define TARGET
#define VEC             float64x2_t
#define WIDTH           sizeof(float64x2_t)
#define LOAD(p)         vld1q_f64((const double *)(p))
#define STORE(p, x)     vst1q_f64((double *)(p), x)
#define STREAM(p, x)    stream_neon(p, x)
#define FILL(s)         vdupq_n_f64(s)
#define ADD(x, y)       vaddq_f64(x, y)
#define MUL(x, y)       vmulq_f64(x, y)
#define MULADD(x, y, z) vfmaq_f64(z, x, y)
#define HSUM(x)         vaddvq_f64(x)
#define KEEP(x)         __asm__ volatile("" : : "w"(x))
#define HIDE(x)         __asm__ volatile("" : "+w"(x))
#include "bandwidth_loops.h"

#pragma GCC push_options
#pragma GCC target("+sve")
#include <arm_sve.h>

#define ALL             svptrue_b64()
#define ISA             sve
#define TARGET          __attribute__((target("+sve")))
#define VEC             svfloat64_t
#define WIDTH           svcntb()
#define LOAD(p)         svld1_f64(ALL, (const double *)(p))
#define STORE(p, x)     svst1_f64(ALL, (double *)(p), x)
#define STREAM(p, x)    svstnt1_f64(ALL, (double *)(p), x)
#define FILL(s)         svdup_f64(s)
#define ADD(x, y)       svadd_f64_x(ALL, x, y)
#define MUL(x, y)       svmul_f64_x(ALL, x, y)
#define MULADD(x, y, z) svmla_f64_x(ALL, z, x, y)
#define HSUM(x)         svaddv_f64(ALL, x)
#define KEEP(x)         __asm__ volatile("" : : "w"(x))
#define HIDE(x)         __asm__ volatile("" : "+w"(x))
#include "bandwidth_loops.h"
#pragma GCC pop_options
#endif
