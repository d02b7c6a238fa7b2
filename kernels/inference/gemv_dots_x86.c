/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops of gemv with activations of 8 bits on the vectors of x86: 8 words by the multiplications of
 * AVX2 or by the dot products of AVX-VNNI, 16 by those of AVX-512 VNNI. */
#include "gemv.h"
#include "keep.h"

#if defined(__x86_64__)
#include <cpuid.h>

#include "gemv_x86.h"

#define AVXVNNI    __attribute__((target("avx2,fma,avxvnni")))
#define AVX512VNNI __attribute__((target("avx512f,avx512bw,avx512vnni")))

typedef int32_t ints_8 LONG(8), ints_16 LONG(16);

static bool has_avx2(void)
{
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

/* By its bit of CPUID: compilers have no name for it before gcc 13 and clang 17. */
static bool has_avxvnni(void)
{
	unsigned a, b, c, d;

	return has_avx2() && __get_cpuid_count(7, 1, &a, &b, &c, &d) && a >> 4 & 1;
}

static bool has_avx512vnni(void)
{
	return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vnni");
}

/* Pairs of 16 bits become 32. */
ALWAYS AVX2 __m256i wide_8(__m256i pairs)
{
	return _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
}

/* The first factor of the multiplication is unsigned: the sign goes to the second one. A sum of two
 * products is at most 2 * 128 * 127, so that it is not cut off at 16 bits. */
ALWAYS AVX2 __m256i dot_8(__m256i w, __m256i x)
{
	return wide_8(_mm256_maddubs_epi16(_mm256_abs_epi8(w), _mm256_sign_epi8(x, w)));
}

/* Four products of at most 15 * 127 have 16 bits, too. */
ALWAYS AVX2 __m256i dots_8(__m256i sum, __m256i even, __m256i xe, __m256i odd, __m256i xo)
{
	return _mm256_add_epi32(sum, wide_8(_mm256_add_epi16(_mm256_maddubs_epi16(even, xe),
					     _mm256_maddubs_epi16(odd, xo))));
}

/* Four scales, each for four lanes: bytes 2 and 3 of a lane. */
ALWAYS AVX512VNNI __m512 block_scales_16(const char *p)
{
	const __m512i all = _mm512_set1_epi64((long long)*(const word_pair *)p);
	const __m512i bytes = _mm512_set_epi32(0x07068080, 0x07068080, 0x07068080, 0x07068080,
		0x05048080, 0x05048080, 0x05048080, 0x05048080, 0x03028080, 0x03028080, 0x03028080,
		0x03028080, 0x01008080, 0x01008080, 0x01008080, 0x01008080);

	return _mm512_castsi512_ps(_mm512_shuffle_epi8(all, bytes));
}

#define I8(v)  ((__m256i)(v))
#define I16(v) ((__m512i)(v))

#define LANES        8
#define VU           unsigned_8
#define VI           ints_8
#define VF           floats_8
#define ZERO         ((VF){0})
#define TOTAL(x)     total_8((__m256)(x))
#define FLOATS(v)    ((VF)_mm256_cvtepi32_ps(I8(v)))
#define SCALES(p)    ((VF)scales_8(p))
#define KEEP(x)      __asm__ volatile("" : "+x"(x))
#define KEEP_WORD(x) KEEP(x)

#define ISA       avx2
#define TARGET    AVX2
#define UNSIGNED  0
#define DOT(w, x) ((VI)dot_8(I8(w), I8(INTS(x))))
#define DOTS(x, even, odd) \
	((VI)dots_8(I8(INTS(x)), I8(even), I8(INTS((x) + 8)), I8(odd), I8(INTS((x) + 16))))
#include "gemv_dots.h"

#define ADDED 0x80808080u /* to each byte */

#define ISA       avxvnni
#define TARGET    AVXVNNI
#define UNSIGNED  128
#define DOT(w, x) VNNI_8((VI){0}, (w) ^ ADDED, INTS(x))
#define DOTS(x, even, odd) \
	VNNI_8(VNNI_8(INTS(x), even, INTS((x) + LANES)), odd, INTS((x) + 2 * LANES))
#define VNNI_8(s, w, x) ((VI)_mm256_dpbusd_avx_epi32(I8(s), I8(w), I8(x)))
#include "gemv_dots.h"
#include "gemv_vectors_end.h"

#define ISA          avx512vnni
#define TARGET       AVX512VNNI
#define LANES        16
#define VU           unsigned_16
#define VI           ints_16
#define VF           floats_16
#define ZERO         ((VF){0})
#define TOTAL(x)     _mm512_reduce_add_ps((__m512)(x))
#define FLOATS(v)    ((VF)_mm512_cvtepi32_ps(I16(v)))
#define SCALES(p)    ((VF)block_scales_16(p))
#define KEEP(x)      __asm__ volatile("" : "+v"(x))
#define KEEP_WORD(x) KEEP(x)
#define UNSIGNED     128
#define DOT(w, x)    VNNI_16((VI){0}, (w) ^ ADDED, INTS(x))
#define DOTS(x, even, odd) \
	VNNI_16(VNNI_16(INTS(x), even, INTS((x) + LANES)), odd, INTS((x) + 2 * LANES))
#define VNNI_16(s, w, x) ((VI)_mm512_dpbusd_epi32(I16(s), I16(w), I16(x)))
#include "gemv_dots.h"
#endif
