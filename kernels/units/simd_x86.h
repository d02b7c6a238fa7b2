/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The vector instructions of x86-64: AVX, AVX2 with FMA, and AVX-512F. For simd.c only. */
#ifndef SIMD_X86_H
#define SIMD_X86_H

/* Twelve chains: three of the 16 registers hold the constants and the target of a move; latency
 * times pipelines is 10 at most. */
#define CHAINS     "0,1,2,3,4,5,6,7,8,9,10,11"
#define TPUT_TIMES TIMES_4

#define REGISTER_128 "%%xmm"
#define REGISTER_256 "%%ymm"
#define REGISTER_512 "%%zmm"

/* clang-format off */
/* x = x op k, of the chain \r and the constant in register 12 or 13. */
#define WITH_CONSTANT(name, R, k) name " " R k "," R "\\r," R "\\r\n"
#define WITH_ITSELF(name, R)      name R "\\r," R "\\r\n"

#define DO_add_f32(R, width)     WITH_CONSTANT("vaddps", R, "12")
#define UNDO_add_f32(R, width)   WITH_CONSTANT("vaddps", R, "13")
#define DO_add_f64(R, width)     WITH_CONSTANT("vaddpd", R, "12")
#define UNDO_add_f64(R, width)   WITH_CONSTANT("vaddpd", R, "13")
#define DO_mul_f32(R, width)     WITH_CONSTANT("vmulps", R, "12")
#define UNDO_mul_f32(R, width)   WITH_CONSTANT("vmulps", R, "13")
#define DO_mul_f64(R, width)     WITH_CONSTANT("vmulpd", R, "12")
#define UNDO_mul_f64(R, width)   WITH_CONSTANT("vmulpd", R, "13")
#define DO_fma_f32(R, width)     "vfmadd231ps " R "12," R "12," R "\\r\n"
#define UNDO_fma_f32(R, width)   "vfmadd231ps " R "12," R "13," R "\\r\n"
#define DO_fma_f64(R, width)     "vfmadd231pd " R "12," R "12," R "\\r\n"
#define UNDO_fma_f64(R, width)   "vfmadd231pd " R "12," R "13," R "\\r\n"
#define DO_iadd_i32(R, width)    WITH_CONSTANT("vpaddd", R, "12")
#define UNDO_iadd_i32(R, width)  WITH_CONSTANT("vpaddd", R, "13")
#define DO_iadd_i64(R, width)    WITH_CONSTANT("vpaddq", R, "12")
#define UNDO_iadd_i64(R, width)  WITH_CONSTANT("vpaddq", R, "13")
#define DO_imul_i32(R, width)    WITH_CONSTANT("vpmuldq", R, "12")
#define UNDO_imul_i32(R, width)  WITH_CONSTANT("vpmuldq", R, "13")
#define DO_lzcnt_i32(R, width)   WITH_ITSELF("vplzcntd ", R)
#define UNDO_lzcnt_i32(R, width) DO_lzcnt_i32(R, width)
#define DO_vshift_i32(R, width)   WITH_CONSTANT("vpsllvd", R, "12")
#define UNDO_vshift_i32(R, width) WITH_CONSTANT("vpsrlvd", R, "12")
#define DO_shift_i32(R, width)   WITH_ITSELF("vpslld $1,", R)
#define UNDO_shift_i32(R, width) WITH_ITSELF("vpsrld $1,", R)

/* Permutes the whole register, to the reverse order where the width allows. Doing it twice restores
 * the order. */
#define DO_permute_f32(R, width)   PERMUTE_f32_##width(R)
#define UNDO_permute_f32(R, width) PERMUTE_f32_##width(R)
#define DO_permute_f64(R, width)   PERMUTE_f64_##width(R)
#define UNDO_permute_f64(R, width) PERMUTE_f64_##width(R)
#define DO_permute_i16(R, width)   PERMUTE("vpermw", R)
#define UNDO_permute_i16(R, width) PERMUTE("vpermw", R)
#define DO_permute_i32(R, width)   PERMUTE_i32_##width(R)
#define UNDO_permute_i32(R, width) PERMUTE_i32_##width(R)
#define PERMUTE(name, R)   name " " R "\\r," R "12," R "\\r\n"
#define PERMUTE_i32_128(R) WITH_ITSELF("vpshufd $0x1b,", R)
#define PERMUTE_i32_256(R) PERMUTE("vpermd", R)
#define PERMUTE_i32_512(R) PERMUTE("vpermd", R)
#define PERMUTE_f32_128(R) WITH_ITSELF("vpermilps $0x1b,", R)
#define PERMUTE_f64_128(R) WITH_ITSELF("vpermilpd $1,", R)
#define PERMUTE_f32_256(R) PERMUTE("vpermps", R)
#define PERMUTE_f64_256(R) WITH_ITSELF("vpermpd $0x1b,", R)
#define PERMUTE_f32_512(R) PERMUTE("vpermps", R)
#define PERMUTE_f64_512(R) PERMUTE("vpermpd", R)

#define DO_move_f32(R, width)   "vmovaps " R "\\r," R "14\n"
#define UNDO_move_f32(R, width) "vmovaps " R "14," R "\\r\n"
#define DO_move_f64(R, width)   "vmovapd " R "\\r," R "14\n"
#define UNDO_move_f64(R, width) "vmovapd " R "14," R "\\r\n"

/* A function around the loop. \r*64: room for the widest register. */
#define LOOP(name, R, chains, times, do_it, undo_it)                     \
	HOT void loop_##name(uint64_t turns, struct simd *s)             \
	{                                                                \
		__asm__ volatile("vmovups (%[k])," R "12\n"              \
				 "vmovups 256(%[k])," R "13\n"           \
				 ".irp r," chains "\n"                   \
				 "vmovups \\r*64(%[state])," R "\\r\n"   \
				 ".endr\n"                               \
				 ".p2align 6\n"                          \
				 "1:\n"                                  \
				 times(".irp r," chains "\n" do_it ".endr\n" \
				       ".irp r," chains "\n" undo_it ".endr\n") \
				 "sub $1,%[turns]\n"                     \
				 "jne 1b\n"                              \
				 ".irp r," chains "\n"                   \
				 "vmovups " R "\\r,\\r*64(%[state])\n"   \
				 ".endr\n"                               \
				 "vzeroupper\n"                          \
				 : [turns] "+&r"(turns)                   \
				 : [state] "r"(s->state), [k] "r"(s->k)  \
				 : "cc", "memory", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", \
				 "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", \
				 "xmm14", "xmm15");                      \
	}
/* clang-format on */

#define HAS_128 1
#define HAS_256 1
#define HAS_512 1
#define HAS_sve 0

#define CHOSE_sve NULL

static const char *lacks_128(void)
{
	return __builtin_cpu_supports("avx") ? NULL : "the processor has no AVX";
}

static const char *lacks_256(void)
{
	return __builtin_cpu_supports("avx2") ? NULL : "the processor has no AVX2";
}

static const char *lacks_512(void)
{
	return __builtin_cpu_supports("avx512f") ? NULL : "the processor has no AVX-512";
}

static const char *lacks_sve(void)
{
	return "SVE is an extension of Arm processors";
}

static const char *lacks_fma(void)
{
	return __builtin_cpu_supports("fma") ? NULL : "the processor has no FMA";
}

/* Shifts by counts came with AVX2, also those of 128 bits. */
#define lacks_vshift lacks_256

static const char *lacks_lzcnt(void)
{
	return __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512vl")
		       ? NULL
		       : "the processor has no AVX-512 with CD and VL";
}

static const char *lacks_words(void)
{
	return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")
		       ? NULL
		       : "the processor has no AVX-512 with BW and VL";
}

#endif
