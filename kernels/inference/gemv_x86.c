/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops of gemv on the vectors of x86: 4 words (sse2), 8 (avx2, with the fused multiply-add of the
 * same machines) and 16 (avx512). */
#include "gemv.h"
#include "gemv_scale.h"
#include "keep.h"

#if defined(__x86_64__)
#include "gemv_x86.h"

#define AVX512 __attribute__((target("avx512f")))

static bool has_sse2(void)
{
	return true; /* every x86-64 has it */
}

static bool has_avx2(void)
{
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static bool has_avx512(void)
{
	return __builtin_cpu_supports("avx512f");
}

/* Four, each for four lanes. */
ALWAYS AVX512 __m512 scales_16(const char *p)
{
	const __m512i all = _mm512_set1_epi64((long long)*(const word_pair *)p);
	const __m512i from = _mm512_setr_epi32(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
	const __m512i shifts =
		_mm512_setr_epi32(16, 16, 16, 16, 0, 0, 0, 0, 16, 16, 16, 16, 0, 0, 0, 0);

	return _mm512_castsi512_ps(
		_mm512_and_si512(_mm512_sllv_epi32(_mm512_permutexvar_epi32(from, all), shifts),
			_mm512_set1_epi32((int)HIGH)));
}

/* By intrinsics, since gcc 12 copies a constant for each XOR of an AND. */
ALWAYS AVX512 __m512i and_xor_16(__m512i v, uint32_t a, uint32_t b)
{
	return _mm512_ternarylogic_epi32(
		v, _mm512_set1_epi32((int)a), _mm512_set1_epi32((int)b), 0x6a);
}

/* The lowest four bits of each lane choose a float: 1 + bits / 16. */
ALWAYS AVX512 __m512 nibbles_16(__m512i v)
{
	return _mm512_permutexvar_ps(
		v, _mm512_setr_ps(16 / 16.f, 17 / 16.f, 18 / 16.f, 19 / 16.f, 20 / 16.f, 21 / 16.f,
			   22 / 16.f, 23 / 16.f, 24 / 16.f, 25 / 16.f, 26 / 16.f, 27 / 16.f,
			   28 / 16.f, 29 / 16.f, 30 / 16.f, 31 / 16.f));
}

#define ISA sse2
#define TARGET
#define LANES            4
#define VU               unsigned_4
#define VF               floats_4
#define ZERO             ((VF){0})
#define TOTAL(x)         total_4(x)
#define BITS(v)          ((VF)(v))
#define SCALES(p)        ((VF)_mm_set1_epi32((int)gemv_scale(p)))
#define KEEP(x)          __asm__ volatile("" : "+x"(x))
#define KEEP_WORD        KEEP
#define AND_XOR(v, a, b) (((v) & (a)) ^ (b))
#define NIBBLE           PLAIN_NIBBLE
#include "gemv_loops.h"

#define ISA              avx2
#define TARGET           AVX2
#define LANES            8
#define VU               unsigned_8
#define VF               floats_8
#define ZERO             ((VF){0})
#define TOTAL(x)         total_8((__m256)(x))
#define BITS(v)          ((VF)(v))
#define SCALES(p)        ((VF)scales_8(p))
#define KEEP(x)          __asm__ volatile("" : "+x"(x))
#define KEEP_WORD        KEEP
#define AND_XOR(v, a, b) (((v) & (a)) ^ (b))
#define NIBBLE           PLAIN_NIBBLE
#include "gemv_loops.h"

#define ISA              avx512
#define TARGET           AVX512
#define LANES            16
#define VU               unsigned_16
#define VF               floats_16
#define ZERO             ((VF){0})
#define TOTAL(x)         _mm512_reduce_add_ps((__m512)(x))
#define BITS(v)          ((VF)(v))
#define SCALES(p)        ((VF)scales_16(p))
#define KEEP(x)          __asm__ volatile("" : "+v"(x))
#define KEEP_WORD        KEEP
#define AND_XOR(v, a, b) ((VU)and_xor_16((__m512i)(v), a, b))
#define NIBBLE(v, i)     ((VF)nibbles_16((__m512i)((v) >> (i)*4)))
#include "gemv_loops.h"
#endif
