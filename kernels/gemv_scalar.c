/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops of gemv on one word at a time, to show the benefit of SIMD. */
#include "gemv.h"
#include "gemv_scale.h"
#include "keep.h"

static bool has_scalar(void)
{
	return true;
}

static inline __attribute__((always_inline)) float float_of(uint32_t bits)
{
	union {
		uint32_t bits;
		float value;
	} f = {bits};

	return f.value;
}

#define ISA scalar
#define TARGET
#define LANES            1
#define VU               uint32_t
#define VF               float
#define ZERO             0
#define BITS(v)          float_of(v)
#define TOTAL(x)         (x)
#define SCALES(p)        float_of(gemv_scale(p))
#define KEEP(x)          keep_changed_fp(x)
#define KEEP_WORD(x)     keep_changed(x)
#define AND_XOR(v, a, b) (((v) & (a)) ^ (b))
#define NIBBLE           PLAIN_NIBBLE
#include "gemv_loops.h"
