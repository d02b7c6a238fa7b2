/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vectors of x86 for the loops of gemv, and the sums and scales of 8 words. */
#ifndef GEMV_X86_H
#define GEMV_X86_H

#include <immintrin.h>
#include <stdint.h>

#define LONG(n) __attribute__((vector_size((n)*4)))
#define ALWAYS  static inline __attribute__((always_inline))
#define HIGH    0xffff0000u /* a bf16 in the upper half of its word, without the lower one */
#define AVX2    __attribute__((target("avx2,fma")))

typedef uint32_t unsigned_4 LONG(4), unsigned_8 LONG(8), unsigned_16 LONG(16);
typedef float floats_4 LONG(4), floats_8 LONG(8), floats_16 LONG(16);
typedef uint32_t word __attribute__((aligned(1), may_alias));
typedef uint64_t word_pair __attribute__((aligned(1), may_alias));

ALWAYS float total_4(floats_4 x)
{
	return (x[0] + x[1]) + (x[2] + x[3]);
}

ALWAYS AVX2 float total_8(__m256 x)
{
	const __m128 half = _mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));

	return total_4((floats_4)half);
}

/* Two scales: the first for the lower four lanes. They become bytes 2 and 3 of a lane. */
ALWAYS AVX2 __m256 scales_8(const char *p)
{
	const __m256i both = _mm256_set1_epi32((int)*(const word *)p);
	const __m256i bytes = _mm256_setr_epi32(0x01008080, 0x01008080, 0x01008080, 0x01008080,
		0x03028080, 0x03028080, 0x03028080, 0x03028080);

	return _mm256_castsi256_ps(_mm256_shuffle_epi8(both, bytes));
}

#endif
