/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The limits of x86-64, for units.c: short loops of one instruction on a given number of chains. */
#ifndef UNITS_X86_H
#define UNITS_X86_H

/* clang-format off */
#define GPR_1  "eax"
#define GPR_2  GPR_1 ",ecx"
#define GPR_3  GPR_2 ",edx"
#define GPR_4  GPR_3 ",esi"
#define GPR_5  GPR_4 ",edi"
#define GPR_6  GPR_5 ",r8d"
#define GPR_9  GPR_6 ",r9d,r10d,r11d"
#define GPR_12 GPR_9 ",r12d,r13d,r14d"
#define VEC_1  "0"
#define VEC_5  "0,1,2,3,4"
#define VEC_10 VEC_5 ",5,6,7,8,9"
#define VEC_15 VEC_10 ",10,11,12,13,14"

/* ebx holds an odd number and register 15 a number about 1, so that no value becomes 0 or special;
 * p is an address that points to itself. */
#define LOOP(name, chains, instruction)                                                       \
	static void name(uint64_t turns, void *p)                                             \
	{                                                                                     \
		__asm__ volatile("mov $12345,%%ebx\n"                                         \
				 "vmovups 64(%[p]),%%ymm15\n"                                 \
				 ".irp r," VEC_15 "\nvmovaps %%ymm15,%%ymm\\r\n.endr\n"       \
				 ".irp r," GPR_12 "\nmov %%ebx,%%\\r\n.endr\n"                \
				 ".p2align 6\n"                                               \
				 "1:\n"                                                       \
				 TIMES_8(".irp r," chains "\n" instruction "\n.endr\n")       \
				 "sub $1,%[turns]\njne 1b\n"                                  \
				 "vzeroupper\n"                                               \
				 : [turns] "+&r"(turns), [p] "+&r"(p)                           \
				 :                                                            \
				 : "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", \
				 "r12", "r13", "r14", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", \
				 "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", \
				 "xmm14", "xmm15", "cc", "memory");                           \
	}

#define INT_ADD "add $3,%%\\r"
#define CHASE   "mov (%[p]),%[p]"

/* X(kernel, instruction, chains to try and their number) */
#define SCALARS(X) \
	X(int_add, INT_ADD, GPR_6, 6, GPR_9, 9, GPR_12, 12) \
	X(int_mul, "imul %%ebx,%%\\r", GPR_3, 3, GPR_6, 6, GPR_12, 12) \
	X(int_div, "mov $4000000000,%%eax\nxor %%edx,%%edx\ndiv %%ebx", GPR_1, 1, GPR_2, 2, GPR_4, 4) \
	X(dep_chain1, INT_ADD, GPR_1, 1, GPR_1, 1, GPR_1, 1) \
	X(dep_chain2, INT_ADD, GPR_2, 2, GPR_2, 2, GPR_2, 2) \
	X(dep_chain3, INT_ADD, GPR_3, 3, GPR_3, 3, GPR_3, 3) \
	X(dep_chain4, INT_ADD, GPR_4, 4, GPR_4, 4, GPR_4, 4) \
	X(dep_chain5, INT_ADD, GPR_5, 5, GPR_5, 5, GPR_5, 5) \
	X(dep_chain6, INT_ADD, GPR_6, 6, GPR_6, 6, GPR_6, 6) \
	X(fp_add, "addsd %%xmm15,%%xmm\\r", VEC_5, 5, VEC_10, 10, VEC_15, 15) \
	X(fp_mul, "mulsd %%xmm15,%%xmm\\r", VEC_5, 5, VEC_10, 10, VEC_15, 15) \
	X(fp_div, "divsd %%xmm15,%%xmm\\r", VEC_5, 5, VEC_10, 10, VEC_15, 15) \
	X(fp_fma, "vfmadd231sd %%xmm15,%%xmm15,%%xmm\\r", VEC_5, 5, VEC_10, 10, VEC_15, 15) \
	X(load_ind, "mov 8*\\r(%[p]),%%rax", VEC_5, 5, VEC_10, 10, VEC_15, 15) \
	X(store_ind, "mov %%rax,128+8*\\r(%[p])", VEC_5, 5, VEC_10, 10, VEC_15, 15) \
	X(load_dep, CHASE, VEC_1, 1, VEC_1, 1, VEC_1, 1)

#define ONE_WIDTH(X, R, width) \
	X(simd_add_f32_##width, "vaddps " R "15," R "\\r," R "\\r") \
	X(simd_add_f64_##width, "vaddpd " R "15," R "\\r," R "\\r") \
	X(simd_mul_f32_##width, "vmulps " R "15," R "\\r," R "\\r") \
	X(simd_mul_f64_##width, "vmulpd " R "15," R "\\r," R "\\r") \
	X(simd_fma_f32_##width, "vfmadd231ps " R "15," R "15," R "\\r") \
	X(simd_fma_f64_##width, "vfmadd231pd " R "15," R "15," R "\\r") \
	X(simd_iadd_i32_##width, "vpaddd " R "15," R "\\r," R "\\r") \
	X(simd_shift_i32_##width, "vpslld $1," R "\\r," R "\\r")

#define VECTORS(X) \
	ONE_WIDTH(X, "%%xmm", 128) ONE_WIDTH(X, "%%ymm", 256) ONE_WIDTH(X, "%%zmm", 512) \
	X(simd_permute_f32_128, "vpermilps $0x1b,%%xmm\\r,%%xmm\\r") \
	X(simd_permute_f64_128, "vpermilpd $1,%%xmm\\r,%%xmm\\r") \
	X(simd_permute_f32_256, "vpermps %%ymm\\r,%%ymm15,%%ymm\\r") \
	X(simd_permute_f64_256, "vpermpd $0x1b,%%ymm\\r,%%ymm\\r") \
	X(simd_permute_f32_512, "vpermps %%zmm\\r,%%zmm15,%%zmm\\r") \
	X(simd_permute_f64_512, "vpermpd %%zmm\\r,%%zmm15,%%zmm\\r")
/* clang-format on */

#endif
