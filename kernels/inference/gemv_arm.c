/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops of gemv on the vectors of 64-bit Arm: 4 words (neon), for activations of 8 bits also by dot
 * products (dotprod). */
#include "gemv.h"
#include "gemv_scale.h"
#include "keep.h"

#if defined(__aarch64__)
#include <arm_neon.h>
#include <sys/auxv.h>

#define HAS_DOTPROD (1UL << 20) /* HWCAP_ASIMDDP of the kernel's asm/hwcap.h */

static bool has_neon(void)
{
	return true; /* every 64-bit Arm that runs Linux has it */
}

static bool has_dotprod(void)
{
	return getauxval(AT_HWCAP) & HAS_DOTPROD;
}

/* The products of int8 have 16 bits, and their sums 32. */
static inline __attribute__((always_inline)) int32x4_t dot_neon(
	int32x4_t sum, int8x16_t w, int8x16_t x)
{
	const int16x8_t low = vmull_s8(vget_low_s8(w), vget_low_s8(x));
	const int16x8_t high = vmull_high_s8(w, x);

	return vaddq_s32(sum, vpaddq_s32(vpaddlq_s16(low), vpaddlq_s16(high)));
}

#define ISA neon
#define TARGET
#define LANES            4
#define VU               uint32x4_t
#define VF               float32x4_t
#define ZERO             vdupq_n_f32(0)
#define TOTAL(x)         vaddvq_f32(x)
#define BITS(v)          vreinterpretq_f32_u32(v)
#define SCALES(p)        vreinterpretq_f32_u32(vdupq_n_u32(gemv_scale(p)))
#define KEEP(x)          __asm__ volatile("" : "+w"(x))
#define KEEP_WORD(x)     KEEP(x)
#define AND_XOR(v, a, b) (((v) & (a)) ^ (b))
#define NIBBLE           PLAIN_NIBBLE
#include "gemv_loops.h"

#define I8(v)       vreinterpretq_s8_s32((int32x4_t)(v))
#define BYTES_AT(x) I8(INTS(x))

#define LANES        4
#define VU           uint32x4_t
#define VI           int32x4_t
#define VF           float32x4_t
#define ZERO         vdupq_n_f32(0)
#define TOTAL(x)     vaddvq_f32(x)
#define FLOATS(v)    vcvtq_f32_s32(v)
#define SCALES(p)    vreinterpretq_f32_u32(vdupq_n_u32(gemv_scale(p)))
#define KEEP(x)      __asm__ volatile("" : "+w"(x))
#define KEEP_WORD(x) KEEP(x)

#define ISA neon
#define TARGET
#define UNSIGNED  0
#define DOT(w, x) dot_neon(vdupq_n_s32(0), I8(w), BYTES_AT(x))
#define DOTS(x, even, odd) \
	dot_neon(dot_neon(INTS(x), I8(even), BYTES_AT((x) + 4)), I8(odd), BYTES_AT((x) + 8))
#include "gemv_dots.h"

#pragma GCC push_options
#pragma GCC target("arch=armv8.2-a+dotprod")

#define ISA       dotprod
#define TARGET    __attribute__((target("arch=armv8.2-a+dotprod")))
#define UNSIGNED  0
#define DOT(w, x) vdotq_s32(vdupq_n_s32(0), I8(w), BYTES_AT(x))
#define DOTS(x, even, odd) \
	vdotq_s32(vdotq_s32(INTS(x), I8(even), BYTES_AT((x) + 4)), I8(odd), BYTES_AT((x) + 8))
#include "gemv_dots.h"
#pragma GCC pop_options
#endif
