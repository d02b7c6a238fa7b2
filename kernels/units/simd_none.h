/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Other architectures, for which simd.c has no vector instructions. For simd.c only. */
#ifndef SIMD_NONE_H
#define SIMD_NONE_H

#define HAS_128 0
#define HAS_256 0
#define HAS_512 0
#define HAS_sve 0

#define CHOSE_sve NULL

static const char *lacks_fma(void)
{
	return "its vector instructions are not known on this architecture";
}

#define lacks_vshift lacks_fma
#define lacks_lzcnt  lacks_fma
#define lacks_words  lacks_fma
#define lacks_128    lacks_fma
#define lacks_256    lacks_fma
#define lacks_512    lacks_fma
#define lacks_sve    lacks_fma

#endif
