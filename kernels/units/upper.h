/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of upper.c, for the function map and for the file itself. */
#ifndef UPPER_H
#define UPPER_H

/* clang-format off */
#define SPARSE_TEXT(what) "adds, each to the result of the last, with " what " in 100"

/* X(name, units a turn, unit, content, what it needs, summary) */
#define UPPER_KERNELS(X) \
	X(simd_sparse_move_128, 200, "add", double, avx, SPARSE_TEXT("a move of 128 bits")) \
	X(simd_sparse_move_256, 200, "add", double, avx, SPARSE_TEXT("a move of 256 bits")) \
	X(simd_sparse_move_512, 200, "add", double, 512, SPARSE_TEXT("a move of 512 bits")) \
	X(simd_sparse_merge_128, 200, "add", double, 512vl, SPARSE_TEXT("a merge of 128 bits")) \
	X(simd_sparse_merge_256, 200, "add", double, 512vl, SPARSE_TEXT("a merge of 256 bits")) \
	X(simd_sparse_merge_512, 200, "add", double, 512, SPARSE_TEXT("a merge of 512 bits")) \
	X(simd_sparse_fma_128, 200, "add", double, fma, SPARSE_TEXT("an FMA of 128 bits")) \
	X(simd_sparse_fma_256, 200, "add", double, fma, SPARSE_TEXT("an FMA of 256 bits")) \
	X(simd_sparse_fma_512, 200, "add", double, 512, SPARSE_TEXT("an FMA of 512 bits")) \
	X(simd_iadd16_i64_128_lat, 96, "add", long, 512vl, \
		"adds 128-bit vectors of longs in registers 16 and up, each waits for the last") \
	X(simd_iadd16_i64_256_lat, 96, "add", long, 512vl, \
		"adds 256-bit vectors of longs in registers 16 and up, each waits for the last") \
	X(simd_iadd16_i64_512_lat, 96, "add", long, 512, \
		"adds 512-bit vectors of longs in registers 16 and up, each waits for the last") \
	X(ucomis_clean, 96, "comparison", double, avx, \
		"adds doubles and compares by SSE, upper halves of registers clean") \
	X(ucomis_dirty, 96, "comparison", double, avx, \
		"adds doubles and compares by SSE, upper halves of registers in use")

/* Lines of the function map, each with SMT-Bench's name where that differs. */
#define UPPER_IDS(K) \
	K(simd_sparse_move_128, simd_sparse_move_128_kernel) \
	K(avx128_mov_sparse, simd_sparse_move_128_kernel) \
	K(simd_sparse_move_256, simd_sparse_move_256_kernel) \
	K(avx256_mov_sparse, simd_sparse_move_256_kernel) \
	K(simd_sparse_move_512, simd_sparse_move_512_kernel) \
	K(avx512_mov_sparse, simd_sparse_move_512_kernel) \
	K(simd_sparse_merge_128, simd_sparse_merge_128_kernel) \
	K(avx128_merge_sparse, simd_sparse_merge_128_kernel) \
	K(simd_sparse_merge_256, simd_sparse_merge_256_kernel) \
	K(avx256_merge_sparse, simd_sparse_merge_256_kernel) \
	K(simd_sparse_merge_512, simd_sparse_merge_512_kernel) \
	K(avx512_merge_sparse, simd_sparse_merge_512_kernel) \
	K(simd_sparse_fma_128, simd_sparse_fma_128_kernel) \
	K(avx128_fma_sparse, simd_sparse_fma_128_kernel) \
	K(simd_sparse_fma_256, simd_sparse_fma_256_kernel) \
	K(avx256_fma_sparse, simd_sparse_fma_256_kernel) \
	K(simd_sparse_fma_512, simd_sparse_fma_512_kernel) \
	K(avx512_fma_sparse, simd_sparse_fma_512_kernel) \
	K(simd_iadd16_i64_128_lat, simd_iadd16_i64_128_lat_kernel) \
	K(avx128_iadd16, simd_iadd16_i64_128_lat_kernel) \
	K(simd_iadd16_i64_256_lat, simd_iadd16_i64_256_lat_kernel) \
	K(avx256_iadd16, simd_iadd16_i64_256_lat_kernel) \
	K(simd_iadd16_i64_512_lat, simd_iadd16_i64_512_lat_kernel) \
	K(avx512_iadd16, simd_iadd16_i64_512_lat_kernel) \
	K(ucomis_clean, ucomis_clean_kernel) \
	K(ucomis_dirty, ucomis_dirty_kernel)
/* clang-format on */

#endif
