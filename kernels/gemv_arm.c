/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops of gemv on the vectors of 64-bit Arm: 4 words (neon). */
#include "gemv.h"
#include "gemv_scale.h"
#include "keep.h"

#if defined(__aarch64__)
#include <arm_neon.h>

static bool has_neon(void)
{
	return true; /* every 64-bit Arm that runs Linux has it */
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
#endif
