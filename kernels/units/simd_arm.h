/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The vector instructions of 64-bit Arm: Advanced SIMD (NEON), and SVE. For simd.c only. */
#ifndef SIMD_ARM_H
#define SIMD_ARM_H

#include <sys/auxv.h>

/* Twenty-four chains: three of the 32 registers hold the constants and the target of a move;
 * latency times pipelines is 16 on a large core. */
#define CHAINS     "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23"
#define TPUT_TIMES TIMES_2

/* R, the letter of a register, differs between NEON and SVE. */
#define REGISTER_128 v
#define REGISTER_sve z

/* clang-format off */
#define PASTE(a, b)  PASTE_(a, b)
#define PASTE_(a, b) a##b

/* Registers with elements of the type in the name; \() ends the name of the chain \r. */
#define v_f32(n) "v" n "\\().4s"
#define v_i32(n) "v" n "\\().4s"
#define v_f64(n) "v" n "\\().2d"
#define v_i64(n) "v" n "\\().2d"
#define v_i16(n) "v" n "\\().8h"
#define v_all(n) "v" n "\\().16b"
#define z_f32(n) "z" n "\\().s"
#define z_i32(n) "z" n "\\().s"
#define z_f64(n) "z" n "\\().d"
#define z_i64(n) "z" n "\\().d"
#define z_i16(n) "z" n "\\().h"
#define z_all(n) "z" n "\\().d"
#define v_MASK ","
#define z_MASK ",p0/m,"

/* x = x op k, of the chain \r and the constant in register 24 or 25. */
#define THREE(name, V, k)        name " " V("\\r") "," V("\\r") "," V(k) "\n"
#define WITH_ITSELF(name, V, n)  name " " V("\\r") "," V("\\r") n "\n"
#define FMA(V, M, a, b)          "fmla " V("\\r") M V(a) "," V(b) "\n"

#define DO_add_f32(R, width)     THREE("fadd", PASTE(R, _f32), "24")
#define UNDO_add_f32(R, width)   THREE("fadd", PASTE(R, _f32), "25")
#define DO_add_f64(R, width)     THREE("fadd", PASTE(R, _f64), "24")
#define UNDO_add_f64(R, width)   THREE("fadd", PASTE(R, _f64), "25")
#define DO_mul_f32(R, width)     THREE("fmul", PASTE(R, _f32), "24")
#define UNDO_mul_f32(R, width)   THREE("fmul", PASTE(R, _f32), "25")
#define DO_mul_f64(R, width)     THREE("fmul", PASTE(R, _f64), "24")
#define UNDO_mul_f64(R, width)   THREE("fmul", PASTE(R, _f64), "25")
#define DO_fma_f32(R, width)     FMA(PASTE(R, _f32), PASTE(R, _MASK), "24", "24")
#define UNDO_fma_f32(R, width)   FMA(PASTE(R, _f32), PASTE(R, _MASK), "24", "25")
#define DO_fma_f64(R, width)     FMA(PASTE(R, _f64), PASTE(R, _MASK), "24", "24")
#define UNDO_fma_f64(R, width)   FMA(PASTE(R, _f64), PASTE(R, _MASK), "24", "25")
#define DO_iadd_i32(R, width)    THREE("add", PASTE(R, _i32), "24")
#define UNDO_iadd_i32(R, width)  THREE("add", PASTE(R, _i32), "25")
#define DO_iadd_i64(R, width)    THREE("add", PASTE(R, _i64), "24")
#define UNDO_iadd_i64(R, width)  THREE("add", PASTE(R, _i64), "25")
#define DO_imul_i32(R, width)    MASKED("mul", R, PASTE(R, _i32), "24")
#define UNDO_imul_i32(R, width)  MASKED("mul", R, PASTE(R, _i32), "25")
#define DO_lzcnt_i32(R, width) \
	"clz " PASTE(R, _i32)("\\r") PASTE(R, _MASK) PASTE(R, _i32)("\\r") "\n"
#define UNDO_lzcnt_i32(R, width) DO_lzcnt_i32(R, width)
#define DO_vshift_i32(R, width)   VSHIFT_LEFT_##width
#define UNDO_vshift_i32(R, width) VSHIFT_RIGHT_##width
#define VSHIFT_LEFT_128  THREE("ushl", v_i32, "24")
#define VSHIFT_RIGHT_128 THREE("ushl", v_i32, "25") /* a negative count */
#define VSHIFT_LEFT_sve  MASKED("lsl", z, z_i32, "24")
#define VSHIFT_RIGHT_sve MASKED("lsr", z, z_i32, "24")
#define MASKED(name, R, V, k) \
	name " " V("\\r") PASTE(R, _MASK) V("\\r") "," V(k) "\n"
#define DO_shift_i32(R, width)   WITH_ITSELF(SHIFT_LEFT_##width, PASTE(R, _i32), ",#1")
#define UNDO_shift_i32(R, width) WITH_ITSELF(SHIFT_RIGHT_##width, PASTE(R, _i32), ",#1")
#define SHIFT_LEFT_128  "shl"
#define SHIFT_RIGHT_128 "ushr"
#define SHIFT_LEFT_sve  "lsl"
#define SHIFT_RIGHT_sve "lsr"

/* NEON: swaps neighbours, or halves; SVE: reverses the order. Doing it twice restores the order. */
#define DO_permute_f32(R, width)   PERMUTE_f32_##width
#define UNDO_permute_f32(R, width) PERMUTE_f32_##width
#define DO_permute_f64(R, width)   PERMUTE_f64_##width
#define UNDO_permute_f64(R, width) PERMUTE_f64_##width
#define DO_permute_i16(R, width)   PERMUTE_i16_##width
#define UNDO_permute_i16(R, width) PERMUTE_i16_##width
#define DO_permute_i32(R, width)   DO_permute_f32(R, width) "// ints: else one loop would serve both\n"
#define UNDO_permute_i32(R, width) UNDO_permute_f32(R, width)
#define PERMUTE_i16_128 WITH_ITSELF("rev64", v_i16, "")
#define PERMUTE_i16_sve WITH_ITSELF("rev", z_i16, "")
#define PERMUTE_f32_128 WITH_ITSELF("rev64", v_f32, "")
#define PERMUTE_f64_128 "ext " v_all("\\r") "," v_all("\\r") "," v_all("\\r") ",#8\n"
#define PERMUTE_f32_sve WITH_ITSELF("rev", z_f32, "")
#define PERMUTE_f64_sve WITH_ITSELF("rev", z_f64, "")

#define DO_move_f32(R, width)   MOVE(PASTE(R, _all), "26", "\\r")
#define UNDO_move_f32(R, width) MOVE(PASTE(R, _all), "\\r", "26")
#define DO_move_f64(R, width)   DO_move_f32(R, width) "// doubles: else one loop would serve both\n"
#define UNDO_move_f64(R, width) UNDO_move_f32(R, width)
#define MOVE(V, to, from)       "mov " V(to) "," V(from) "\n"

#define PREPARE_v ""
#define PREPARE_z ".arch_extension sve\nptrue p0.b\n"
#define LOAD_v(op) op " q\\r,[%[state],#\\r*16]\n"
#define LOAD_z(op) op " z\\r,[%[state],#\\r,mul vl]\n"
#define CONSTANTS_v "ldr q24,[%[a]]\nldr q25,[%[b]]\n"
#define CONSTANTS_z "ldr z24,[%[a]]\nldr z25,[%[b]]\n"

/* A function around the loop. */
#define LOOP(name, R, chains, times, do_it, undo_it)                     \
	HOT void loop_##name(uint64_t turns, struct simd *s)             \
	{                                                                \
		__asm__ volatile(PASTE(PREPARE_, R) PASTE(CONSTANTS_, R) \
				 ".irp r," chains "\n"                   \
				 PASTE(LOAD_, R)("ldr")                  \
				 ".endr\n"                               \
				 ".p2align 6\n"                          \
				 "1:\n"                                  \
				 times(".irp r," chains "\n" do_it ".endr\n" \
				       ".irp r," chains "\n" undo_it ".endr\n") \
				 "subs %[turns],%[turns],#1\n"           \
				 "b.ne 1b\n"                             \
				 ".irp r," chains "\n"                   \
				 PASTE(LOAD_, R)("str")                  \
				 ".endr\n"                               \
				 : [turns] "+&r"(turns)                   \
				 : [state] "r"(s->state), [a] "r"(s->k[0]), [b] "r"(s->k[1]) \
				 : "cc", "memory", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", \
				 "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17", \
				 "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "p0"); \
	}
/* clang-format on */

#define HAS_128 1
#define HAS_256 0
#define HAS_512 0
#define HAS_sve 1

#define CHOSE_sve chose_sve

static const char *lacks_128(void)
{
	return getauxval(AT_HWCAP) & HWCAP_ASIMD ? NULL : "the processor has no Advanced SIMD";
}

static const char *lacks_256(void)
{
	return "AVX2 is an extension of x86 processors";
}

static const char *lacks_512(void)
{
	return "AVX-512 is an extension of x86 processors";
}

static const char *lacks_sve(void)
{
	return getauxval(AT_HWCAP) & HWCAP_SVE ? NULL : "the processor has no SVE";
}

static const char *lacks_fma(void)
{
	return NULL; /* part of both */
}

/* Part of both, too. */
#define lacks_vshift lacks_fma
#define lacks_lzcnt  lacks_fma
#define lacks_words  lacks_fma

/* The processor, or a setting of the process, determines the length of SVE's registers. */
static void chose_sve(const struct worker *w, char *text, size_t n)
{
	uint64_t bytes;

	(void)w;
	__asm__(".arch_extension sve\nrdvl %0,#1" : "=r"(bytes));
	snprintf(text, n, "vectors of %d bits", (int)bytes * 8);
}

#endif
