/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cost of wide vectors for the code around them, on x86. Even few wide instructions may make a
 * core lower its clock rate or begin slowly (AVX licences). Legacy SSE instructions wait or merge
 * when the upper halves of registers are in use. Only AVX-512's encoding reaches the registers from
 * 16 on.
 *
 *   simd_sparse_OPERATION_WIDTH  adds to a scalar register, each waiting for the last as in
 *                                dep_chain1, with one vector instruction per 100 adds: move (a
 *                                whole register), merge (some elements of one, by a mask) or fma.
 *                                A unit is a scalar add: its extra time over dep_chain1 is the
 *                                cost.
 *   simd_iadd16_i64_WIDTH_lat    simd_iadd_i64 in registers 16 to 18
 *   ucomis_clean, ucomis_dirty   a scalar SSE addition and a comparison of its result, whose branch
 *                                is never taken; after vzeroupper, or with the upper halves in use.
 *                                A unit is a comparison.
 *
 * Every addition is followed by one that undoes it, and verify() checks that the values are the
 * first ones again.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"
#include "upper.h"

#define HOT static __attribute__((noinline, aligned(64)))

#define WIDEST 64 /* bytes of a register */

struct upper {
	uint64_t sum;                 /* of the scalar adds */
	unsigned char vector[WIDEST]; /* data of the vector instructions */
	unsigned char k[2][WIDEST];   /* constants: of the operation, of undoing it */
	uint64_t jumps;               /* of ucomis: branches taken by mistake; must stay 0 */
};

#define START 12345

static void fill_long(struct upper *u)
{
	const uint64_t k[2] = {1234567890123, -UINT64_C(1234567890123)};

	for (size_t i = 0; i < WIDEST; i += sizeof(k[0])) {
		const uint64_t start = START + i;

		memcpy(u->vector + i, &start, sizeof(start));
		memcpy(u->k[0] + i, &k[0], sizeof(k[0]));
		memcpy(u->k[1] + i, &k[1], sizeof(k[1]));
	}
}

static void fill_double(struct upper *u)
{
	const double start = 1.1, k[2] = {0.5, -0.5};

	for (size_t i = 0; i < WIDEST; i += sizeof(start)) {
		memcpy(u->vector + i, &start, sizeof(start));
		memcpy(u->k[0] + i, &k[0], sizeof(k[0]));
		memcpy(u->k[1] + i, &k[1], sizeof(k[1]));
	}
}

typedef void upper_fill(struct upper *u);

static const char *upper_setup(struct worker *w, upper_fill *fill)
{
	struct upper *u = w->own = aligned_alloc(64, (sizeof(*u) + 63) / 64 * 64);

	if (!u)
		return "no memory";
	*u = (struct upper){.sum = START};
	fill(u);
	return NULL;
}

static const char *setup_long(struct worker *w)
{
	return upper_setup(w, fill_long);
}

static const char *setup_double(struct worker *w)
{
	return upper_setup(w, fill_double);
}

static const char *upper_verify(const struct worker *w, upper_fill *fill, char *why, size_t n)
{
	const struct upper *u = w->own;
	struct upper before = {.sum = START};

	fill(&before);
	if (u->sum != before.sum)
		snprintf(why, n, "its sum ended as %" PRIu64 ", not %" PRIu64, u->sum, before.sum);
	else if (u->jumps)
		snprintf(why, n, "a comparison whose result is known came out the other way");
	else if (memcmp(u->vector, before.vector, WIDEST))
		snprintf(why, n, "its vector changed");
	else
		return NULL;
	return why;
}

static const char *verify_long(const struct worker *w, char *why, size_t n)
{
	return upper_verify(w, fill_long, why, n);
}

static const char *verify_double(const struct worker *w, char *why, size_t n)
{
	return upper_verify(w, fill_double, why, n);
}

static void upper_teardown(struct worker *w)
{
	free(w->own);
	w->own = NULL;
}

#if defined(__x86_64__)

#define lacks_512vl                                                              \
	(__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") \
			? NULL                                                   \
			: "the processor has no AVX-512 with VL")
#define lacks_512  (__builtin_cpu_supports("avx512f") ? NULL : "the processor has no AVX-512")
#define lacks_avx  (__builtin_cpu_supports("avx") ? NULL : "the processor has no AVX")
#define lacks_fma  (__builtin_cpu_supports("fma") ? NULL : "the processor has no FMA")
#define lacks_none NULL

#define XMM(n) "%%xmm" #n
#define YMM(n) "%%ymm" #n
#define ZMM(n) "%%zmm" #n

/* The list below omits registers 16 and up: without AVX-512 the compiler uses none of them. */
#define CLOBBERS "cc", "memory", "rax", "rdx", "xmm0", "xmm1", "xmm2", "xmm3"

/* do_it and undo_it work on register 0; registers 1 and 2 hold the constants. */
#define SPARSE_LOOP(name, R, do_it, undo_it)                                                   \
	HOT void loop_##name(uint64_t turns, struct upper *u)                                  \
	{                                                                                      \
		__asm__ volatile(                                                              \
			"vmovups (%[x])," R(                                                   \
				0) "\n"                                                        \
				   "vmovups (%[a])," R(                                        \
					   1) "\n"                                             \
					      "vmovups (%[b])," R(                             \
						      2) "\n"                                  \
							 "mov (%[sum]),%%rax\n"                \
							 ".p2align 6\n"                        \
							 "1:\n" do_it ".rept 50\n"             \
							 "add %[k],%%rax\n"                    \
							 "add %[less],%%rax\n"                 \
							 ".endr\n" undo_it ".rept 50\n"        \
							 "add %[k],%%rax\n"                    \
							 "add %[less],%%rax\n"                 \
							 ".endr\n"                             \
							 "sub $1,%[turns]\n"                   \
							 "jne 1b\n"                            \
							 "mov %%rax,(%[sum])\n"                \
							 "vmovups " R(0) ",(%[x])\n"           \
									 "vzeroupper\n"        \
			: [turns] "+&r"(turns)                                                 \
			: [x] "r"(u->vector), [a] "r"(u->k[0]), [b] "r"(u->k[1]),              \
			[sum] "r"(&u->sum), [k] "r"((uint64_t)977), [less] "r"(-(uint64_t)977) \
			: CLOBBERS);                                                           \
	}

/* MERGE moves the elements that a mask selects. Source and target are the same register, so the
 * value of the mask does not change the result, and the loop does not set it. */
#define MOVE(R)  "vmovdqa " R(0) "," R(0) "\n"
#define MOVEZ(R) "vmovdqa32 " R(0) "," R(0) "\n"
#define MERGE(R) "vmovdqa32 " R(0) "," R(0) "%{%%k1%}\n"
#define FMA(R)   "vfmadd231pd " R(1) "," R(1) "," R(0) "\n"
#define UNFMA(R) "vfmadd231pd " R(1) "," R(2) "," R(0) "\n"

SPARSE_LOOP(simd_sparse_move_128, XMM, MOVE(XMM), MOVE(XMM))
SPARSE_LOOP(simd_sparse_move_256, YMM, MOVE(YMM), MOVE(YMM))
SPARSE_LOOP(simd_sparse_move_512, ZMM, MOVEZ(ZMM), MOVEZ(ZMM))
SPARSE_LOOP(simd_sparse_merge_128, XMM, MERGE(XMM), MERGE(XMM))
SPARSE_LOOP(simd_sparse_merge_256, YMM, MERGE(YMM), MERGE(YMM))
SPARSE_LOOP(simd_sparse_merge_512, ZMM, MERGE(ZMM), MERGE(ZMM))
SPARSE_LOOP(simd_sparse_fma_128, XMM, FMA(XMM), UNFMA(XMM))
SPARSE_LOOP(simd_sparse_fma_256, YMM, FMA(YMM), UNFMA(YMM))
SPARSE_LOOP(simd_sparse_fma_512, ZMM, FMA(ZMM), UNFMA(ZMM))

#define IADD16_LOOP(name, R)                                                                       \
	HOT void loop_##name(uint64_t turns, struct upper *u)                                      \
	{                                                                                          \
		__asm__ volatile("vmovdqu64 (%[x])," R(                                            \
			16) "\n"                                                                   \
			    "vmovdqu64 (%[a])," R(                                                 \
				    17) "\n"                                                       \
					"vmovdqu64 (%[b])," R(                                     \
						18) "\n"                                           \
						    ".p2align 6\n"                                 \
						    "1:\n"                                         \
						    ".rept 48\n"                                   \
						    "vpaddq " R(17) "," R(16) "," R(               \
							    16) "\n"                               \
								"vpaddq " R(18) "," R(16) "," R(   \
									16) "\n"                   \
									    ".endr\n"              \
									    "sub $1,%[turns]\n"    \
									    "jne 1b\n"             \
									    "vmovdqu64 " R(        \
										    16) ",(%[x])"  \
											"\n"       \
											"vzeroupp" \
											"er\n"     \
				 : [turns] "+&r"(turns)                                            \
				 : [x] "r"(u->vector), [a] "r"(u->k[0]), [b] "r"(u->k[1])          \
				 : CLOBBERS);                                                      \
	}

IADD16_LOOP(simd_iadd16_i64_128_lat, XMM)
IADD16_LOOP(simd_iadd16_i64_256_lat, YMM)
IADD16_LOOP(simd_iadd16_i64_512_lat, ZMM)

/* dirty: writes data to the upper halves of the registers that the loop uses for its additions. The
 * sum is 1.6 or 1.1, never below the 0 that it is compared with. */
#define UCOMIS_LOOP(name, dirty)                                                           \
	HOT void loop_##name(uint64_t turns, struct upper *u)                              \
	{                                                                                  \
		__asm__ volatile("vzeroupper\n" dirty "movsd (%[x]),%%xmm0\n"              \
				 "movsd (%[a]),%%xmm1\n"                                   \
				 "movsd (%[b]),%%xmm2\n"                                   \
				 "xorpd %%xmm3,%%xmm3\n"                                   \
				 ".p2align 6\n"                                            \
				 "1:\n"                                                    \
				 ".rept 48\n"                                              \
				 "addsd %%xmm1,%%xmm0\n"                                   \
				 "ucomisd %%xmm0,%%xmm3\n"                                 \
				 "ja 2f\n"                                                 \
				 "addsd %%xmm2,%%xmm0\n"                                   \
				 "ucomisd %%xmm0,%%xmm3\n"                                 \
				 "ja 2f\n"                                                 \
				 ".endr\n"                                                 \
				 "sub $1,%[turns]\n"                                       \
				 "jne 1b\n"                                                \
				 "jmp 3f\n"                                                \
				 "2:\n"                                                    \
				 "addq $1,(%[jumps])\n"                                    \
				 "3:\n"                                                    \
				 "movsd %%xmm0,(%[x])\n"                                   \
				 "vzeroupper\n"                                            \
				 : [turns] "+&r"(turns)                                    \
				 : [x] "r"(u->vector), [a] "r"(u->k[0]), [b] "r"(u->k[1]), \
				 [jumps] "r"(&u->jumps)                                    \
				 : CLOBBERS);                                              \
	}

UCOMIS_LOOP(ucomis_clean, "")
UCOMIS_LOOP(ucomis_dirty, "vmovups (%[x]),%%ymm0\nvmovups (%[x]),%%ymm1\nvmovups (%[x]),%%ymm2\n"
			  "vmovups (%[x]),%%ymm3\n")
#else
#define lacks_512vl "AVX-512 is an extension of x86 processors"
#define lacks_512   lacks_512vl
#define lacks_avx   "AVX is an extension of x86 processors"
#define lacks_fma   lacks_avx
#define lacks_none  lacks_avx
#define NO_LOOP(name, ...)                                              \
	static inline void loop_##name(uint64_t turns, struct upper *u) \
	{                                                               \
		(void)turns;                                            \
		(void)u;                                                \
	}
UPPER_KERNELS(NO_LOOP)
#endif

#define TURNS 32 /* in a round */

/* One kernel around loop_NAME, with `units` units per turn. */
#define UPPER_KERNEL(name, units, what, content, lacking, text)       \
	static const char *name##_lacks(void)                         \
	{                                                             \
		return lacks_##lacking;                               \
	}                                                             \
	static uint64_t name##_run(struct worker *w, uint64_t passes) \
	{                                                             \
		loop_##name(passes *TURNS, w->own);                   \
		return passes * TURNS * (units);                      \
	}                                                             \
	const struct kernel name##_kernel = {                         \
		.summary = text,                                      \
		.unit = what,                                         \
		.lacks = name##_lacks,                                \
		.per_cycle = 1, /* each waits for the one before */   \
		.setup = setup_##content,                             \
		.run = name##_run,                                    \
		.verify = verify_##content,                           \
		.teardown = upper_teardown,                           \
	};

UPPER_KERNELS(UPPER_KERNEL)
