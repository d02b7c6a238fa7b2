/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernels of vector units: simd_OPERATION_ELEMENT_WIDTH_lat and _tput. Every machine knows all
 * names; simd_x86.h and simd_arm.h have the instructions.
 */
#ifndef SIMD_H
#define SIMD_H

/* clang-format off */
/* X(K, operation, element, width) for every operation and element. */
#define SIMD_WIDTH(X, K, width) \
	X(K, add, f32, width) X(K, add, f64, width) \
	X(K, mul, f32, width) X(K, mul, f64, width) \
	X(K, fma, f32, width) X(K, fma, f64, width) \
	X(K, iadd, i32, width) X(K, iadd, i64, width) \
	X(K, imul, i32, width) X(K, lzcnt, i32, width) \
	X(K, shift, i32, width) X(K, vshift, i32, width) \
	X(K, permute, i16, width) X(K, permute, i32, width) \
	X(K, permute, f32, width) X(K, permute, f64, width) \
	X(K, move, f32, width) X(K, move, f64, width)

#define SIMD_ALL(X, K) \
	SIMD_WIDTH(X, K, 128) SIMD_WIDTH(X, K, 256) SIMD_WIDTH(X, K, 512) SIMD_WIDTH(X, K, sve)

/* KERNEL(id, symbol) for every kernel: its lines of the function map. */
#define SIMD_KERNELS(KERNEL) SIMD_ALL(SIMD_ENTRIES, KERNEL)
#define SIMD_ENTRIES(KERNEL, op, type, width) \
	KERNEL(simd_##op##_##type##_##width##_lat, simd_##op##_##type##_##width##_lat_kernel) \
	ALIAS_##op##_##type(KERNEL, width, , simd_##op##_##type##_##width##_lat_kernel) \
	KERNEL(simd_##op##_##type##_##width##_tput, simd_##op##_##type##_##width##_tput_kernel) \
	ALIAS_##op##_##type(KERNEL, width, _t, simd_##op##_##type##_##width##_tput_kernel)

/* SMT-Bench's names: avx512_vlzcnt, and avx512_vlzcnt_t for independent ones. */
#define ALIAS_add_f32(K, width, t, symbol)
#define ALIAS_add_f64(K, width, t, symbol)
#define ALIAS_mul_f32(K, width, t, symbol)
#define ALIAS_mul_f64(K, width, t, symbol)
#define ALIAS_fma_f32(K, width, t, symbol)
#define ALIAS_fma_f64(K, width, t, symbol)     SMT_##width(K, fma##t, symbol)
#define ALIAS_iadd_i32(K, width, t, symbol)
#define ALIAS_iadd_i64(K, width, t, symbol)    SMT_##width(K, iadd##t, symbol)
#define ALIAS_imul_i32(K, width, t, symbol)    SMT_##width(K, imul##t, symbol)
#define ALIAS_lzcnt_i32(K, width, t, symbol)   SMT_##width(K, vlzcnt##t, symbol)
#define ALIAS_shift_i32(K, width, t, symbol)
#define ALIAS_vshift_i32(K, width, t, symbol)  SMT_##width(K, vshift##t, symbol)
#define ALIAS_permute_i16(K, width, t, symbol) SMT_##width(K, vpermw##t, symbol)
#define ALIAS_permute_i32(K, width, t, symbol) SMT_##width(K, vpermd##t, symbol)
#define ALIAS_permute_f32(K, width, t, symbol)
#define ALIAS_permute_f64(K, width, t, symbol)
#define ALIAS_move_f32(K, width, t, symbol)
#define ALIAS_move_f64(K, width, t, symbol)
#define SMT_128(K, name, symbol) K(avx128_##name, symbol)
#define SMT_256(K, name, symbol) K(avx256_##name, symbol)
#define SMT_512(K, name, symbol) K(avx512_##name, symbol)
#define SMT_sve(K, name, symbol)
/* clang-format on */

#endif
