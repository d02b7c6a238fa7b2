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
	X(K, iadd, i32, width) X(K, shift, i32, width) \
	X(K, permute, f32, width) X(K, permute, f64, width) \
	X(K, move, f32, width) X(K, move, f64, width)

#define SIMD_ALL(X, K) \
	SIMD_WIDTH(X, K, 128) SIMD_WIDTH(X, K, 256) SIMD_WIDTH(X, K, 512) SIMD_WIDTH(X, K, sve)

/* KERNEL(id, symbol) for every kernel: its lines of the function map. */
#define SIMD_KERNELS(KERNEL) SIMD_ALL(SIMD_ENTRIES, KERNEL)
#define SIMD_ENTRIES(KERNEL, op, type, width) \
	KERNEL(simd_##op##_##type##_##width##_lat, simd_##op##_##type##_##width##_lat_kernel) \
	KERNEL(simd_##op##_##type##_##width##_tput, simd_##op##_##type##_##width##_tput_kernel)
/* clang-format on */

#endif
