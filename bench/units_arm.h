/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The limits of 64-bit Arm, for units.c: short loops of one instruction on a given number of
 * chains. */
#ifndef UNITS_ARM_H
#define UNITS_ARM_H

/* clang-format off */
#define GPR_1  "2"
#define GPR_2  GPR_1 ",3"
#define GPR_3  GPR_2 ",4"
#define GPR_4  GPR_3 ",5"
#define GPR_5  GPR_4 ",6"
#define GPR_6  GPR_5 ",7"
#define GPR_12 GPR_6 ",8,9,10,11,12,13"
#define VEC_1  "0"
#define VEC_5  "0,1,2,3,4"
#define VEC_10 VEC_5 ",5,6,7,8,9"
#define VEC_15 VEC_10 ",10,11,12,13,14"
#define VEC_30 VEC_15 ",15,16,17,18,19,20,21,22,23,24,25,26,27,28,29"

/* Register 14 holds an odd number and vector register 31 a number about 1, so that no value becomes
 * 0 or special; p is an address that points to itself. */
#define LOOP(name, chains, instruction)                                                       \
	static void name(uint64_t turns, void *p)                                             \
	{                                                                                     \
		__asm__ volatile(".arch_extension sve\n"                                      \
				 "mov w14,#12345\n"                                           \
				 "ldr q31,[%[p],#64]\n"                                       \
				 ".irp r," VEC_30 "\nmov v\\r\\().16b,v31.16b\n.endr\n"       \
				 ".irp r," GPR_12 "\nmov w\\r,w14\n.endr\n"                   \
				 ".p2align 6\n"                                               \
				 "1:\n"                                                       \
				 TIMES_8(".irp r," chains "\n" instruction "\n.endr\n")       \
				 "subs %[turns],%[turns],#1\nb.ne 1b\n"                       \
				 : [turns] "+&r"(turns), [p] "+&r"(p)                           \
				 :                                                            \
				 : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", \
				 "x13", "x14", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", \
				 "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18", \
				 "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", \
				 "v29", "v30", "v31", "cc", "memory");                        \
	}

#define INT_ADD "add w\\r,w\\r,#3"
#define CHASE   "ldr %[p],[%[p]]"

/* X(kernel, instruction, chains to try and their number) */
#define SCALARS(X) \
	X(int_add, INT_ADD, GPR_4, 4, GPR_6, 6, GPR_12, 12) \
	X(int_mul, "mul w\\r,w\\r,w14", GPR_3, 3, GPR_6, 6, GPR_12, 12) \
	X(int_div, "udiv w3,w2,w14", GPR_1, 1, GPR_2, 2, GPR_4, 4) \
	X(dep_chain1, INT_ADD, GPR_1, 1, GPR_1, 1, GPR_1, 1) \
	X(dep_chain2, INT_ADD, GPR_2, 2, GPR_2, 2, GPR_2, 2) \
	X(dep_chain3, INT_ADD, GPR_3, 3, GPR_3, 3, GPR_3, 3) \
	X(dep_chain4, INT_ADD, GPR_4, 4, GPR_4, 4, GPR_4, 4) \
	X(dep_chain5, INT_ADD, GPR_5, 5, GPR_5, 5, GPR_5, 5) \
	X(dep_chain6, INT_ADD, GPR_6, 6, GPR_6, 6, GPR_6, 6) \
	X(fp_add, "fadd d\\r,d\\r,d31", VEC_10, 10, VEC_15, 15, VEC_30, 30) \
	X(fp_mul, "fmul d\\r,d\\r,d31", VEC_10, 10, VEC_15, 15, VEC_30, 30) \
	X(fp_div, "fdiv d\\r,d\\r,d31", VEC_10, 10, VEC_15, 15, VEC_30, 30) \
	X(fp_fma, "fmadd d\\r,d31,d31,d\\r", VEC_10, 10, VEC_15, 15, VEC_30, 30) \
	X(load_ind, "ldr x2,[%[p],#8*\\r]", VEC_5, 5, VEC_10, 10, VEC_15, 15) \
	X(store_ind, "str x2,[%[p],#128+8*\\r]", VEC_5, 5, VEC_10, 10, VEC_15, 15) \
	X(load_dep, CHASE, VEC_1, 1, VEC_1, 1, VEC_1, 1)

#define ALL_LANES(X, V, width, s, d, masked) \
	X(simd_add_f32_##width, "fadd " V "\\r\\()" s "," V "\\r\\()" s "," V "31" s) \
	X(simd_add_f64_##width, "fadd " V "\\r\\()" d "," V "\\r\\()" d "," V "31" d) \
	X(simd_mul_f32_##width, "fmul " V "\\r\\()" s "," V "\\r\\()" s "," V "31" s) \
	X(simd_mul_f64_##width, "fmul " V "\\r\\()" d "," V "\\r\\()" d "," V "31" d) \
	X(simd_fma_f32_##width, "fmla " V "\\r\\()" s masked "," V "31" s "," V "31" s) \
	X(simd_fma_f64_##width, "fmla " V "\\r\\()" d masked "," V "31" d "," V "31" d) \
	X(simd_iadd_i32_##width, "add " V "\\r\\()" s "," V "\\r\\()" s "," V "31" s)

#define VECTORS(X) \
	ALL_LANES(X, "v", 128, ".4s", ".2d", "") ALL_LANES(X, "z", sve, ".s", ".d", ",p0/m") \
	X(simd_shift_i32_128, "shl v\\r\\().4s,v\\r\\().4s,#1") \
	X(simd_shift_i32_sve, "lsl z\\r\\().s,z\\r\\().s,#1") \
	X(simd_permute_f32_128, "rev64 v\\r\\().4s,v\\r\\().4s") \
	X(simd_permute_f64_128, "ext v\\r\\().16b,v\\r\\().16b,v\\r\\().16b,#8") \
	X(simd_permute_f32_sve, "rev z\\r\\().s,z\\r\\().s") \
	X(simd_permute_f64_sve, "rev z\\r\\().d,z\\r\\().d")
/* clang-format on */

#endif
