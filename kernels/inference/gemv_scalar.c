/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops of gemv on one word at a time, to show the benefit of SIMD, and for activations of 8 bits
 * where there is none. */
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

/* One product after the other, and the odd columns when the even ones are done, or registers run
 * out. */
static inline __attribute__((always_inline)) int dot(int sum, uint32_t w, const float *x)
{
	const int8_t *bytes = (const int8_t *)x;

	sum += (int8_t)w * bytes[0];
	keep_changed(sum);
	sum += (int8_t)(w >> 8) * bytes[1];
	keep_changed(sum);
	sum += (int8_t)(w >> 16) * bytes[2];
	keep_changed(sum);
	sum += (int8_t)(w >> 24) * bytes[3];
	keep_changed(sum);
	return sum;
}

#define ISA scalar
#define TARGET
#define LANES     1
#define VU        uint32_t
#define VI        int32_t
#define VF        float
#define ZERO      0
#define TOTAL(x)  (x)
#define FLOATS(v) ((float)(v))
#define SCALES(p) float_of(gemv_scale(p))
#define UNSIGNED  0
#define DOT(w, x) dot(0, w, x)
#define DOTS(x, even, odd)                                     \
	({                                                     \
		const int evens = dot(INTS(x), even, (x) + 1); \
		dot(evens, odd, (x) + 2);                      \
	})
#define KEEP(x)      keep_changed_fp(x)
#define KEEP_WORD(x) keep_changed(x)
#include "gemv_dots.h"
