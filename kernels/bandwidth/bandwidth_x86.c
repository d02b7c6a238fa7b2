/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bandwidth loops on the vectors of x86: 16 bytes (sse2), 32 (avx; avx2 has the fused multiply-add
 * of the same machines, which triad uses) and 64 (avx512). */
#include "bandwidth.h"
#include "keep.h"

#if defined(__x86_64__)
#include <immintrin.h>

static bool has_sse2(void)
{
	return true; /* every x86-64 has it */
}

static bool has_avx(void)
{
	return __builtin_cpu_supports("avx");
}

static bool has_avx2(void)
{
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static bool has_avx512(void)
{
	return __builtin_cpu_supports("avx512f");
}

static inline __attribute__((always_inline)) double hsum_2(__m128d x)
{
	return x[0] + x[1];
}

#define ADD_VECTORS(x, y) ((x) + (y))
#define MUL_VECTORS(x, y) ((x) * (y))

#define ISA sse2
#define TARGET
#define VEC             __m128d
#define WIDTH           sizeof(__m128d)
#define LOAD(p)         _mm_load_pd((const double *)(p))
#define STORE(p, x)     _mm_store_pd((double *)(p), x)
#define STREAM(p, x)    _mm_stream_pd((double *)(p), x)
#define FILL(s)         _mm_set1_pd(s)
#define ADD             ADD_VECTORS
#define MUL             MUL_VECTORS
#define MULADD(x, y, z) ((z) + (x) * (y))
#define HSUM(x)         hsum_2(x)
#define KEEP(x)         __asm__ volatile("" : : "x"(x))
#define HIDE(x)         __asm__ volatile("" : "+x"(x))
#include "bandwidth_loops.h"

#define ISA             avx
#define TARGET          __attribute__((target("avx")))
#define VEC             __m256d
#define WIDTH           sizeof(__m256d)
#define LOAD(p)         _mm256_load_pd((const double *)(p))
#define STORE(p, x)     _mm256_store_pd((double *)(p), x)
#define STREAM(p, x)    _mm256_stream_pd((double *)(p), x)
#define FILL(s)         _mm256_set1_pd(s)
#define ADD             ADD_VECTORS
#define MUL             MUL_VECTORS
#define MULADD(x, y, z) ((z) + (x) * (y))
#define HSUM(x)         ((x)[0] + (x)[1] + (x)[2] + (x)[3])
#define KEEP(x)         __asm__ volatile("" : : "x"(x))
#define HIDE(x)         __asm__ volatile("" : "+x"(x))
#include "bandwidth_loops.h"

#define ISA             avx2
#define TARGET          __attribute__((target("avx2,fma")))
#define VEC             __m256d
#define WIDTH           sizeof(__m256d)
#define LOAD(p)         _mm256_load_pd((const double *)(p))
#define STORE(p, x)     _mm256_store_pd((double *)(p), x)
#define STREAM(p, x)    _mm256_stream_pd((double *)(p), x)
#define FILL(s)         _mm256_set1_pd(s)
#define ADD             ADD_VECTORS
#define MUL             MUL_VECTORS
#define MULADD(x, y, z) _mm256_fmadd_pd(x, y, z)
#define HSUM(x)         ((x)[0] + (x)[1] + (x)[2] + (x)[3])
#define KEEP(x)         __asm__ volatile("" : : "x"(x))
#define HIDE(x)         __asm__ volatile("" : "+x"(x))
#include "bandwidth_loops.h"

#define ISA             avx512
#define TARGET          __attribute__((target("avx512f")))
#define VEC             __m512d
#define WIDTH           sizeof(__m512d)
#define LOAD(p)         _mm512_load_pd(p)
#define STORE(p, x)     _mm512_store_pd(p, x)
#define STREAM(p, x)    _mm512_stream_pd((double *)(p), x)
#define FILL(s)         _mm512_set1_pd(s)
#define ADD             ADD_VECTORS
#define MUL             MUL_VECTORS
#define MULADD(x, y, z) _mm512_fmadd_pd(x, y, z)
#define HSUM(x)         _mm512_reduce_add_pd(x)
#define KEEP(x)         __asm__ volatile("" : : "v"(x))
#define HIDE(x)         __asm__ volatile("" : "+v"(x))
#include "bandwidth_loops.h"
#endif
