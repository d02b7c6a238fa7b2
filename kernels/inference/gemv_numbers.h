/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of which weights and activations of gemv are made. */
#ifndef GEMV_NUMBERS_H
#define GEMV_NUMBERS_H

#include <stdint.h>

#define GEMV_BLOCK    32 /* columns with one scale */
#define GEMV_NIBBLE_0 8  /* stands for 0 in 4 bits */

/* `bits` bits that follow each other in no obvious way: Fibonacci hashing (Knuth, TAOCP 3, 6.4). */
static inline uint32_t gemv_mixed(uint64_t i, int bits)
{
	return (uint32_t)(i * UINT64_C(0x9e3779b97f4a7c15) >> (64 - bits));
}

/* -8 to 7. */
static inline int gemv_small(uint64_t i)
{
	return (int)gemv_mixed(i, 4) - GEMV_NIBBLE_0;
}

#endif
