/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scales of q4 as the loops of gemv read them: bf16, the upper half of a float. */
#ifndef GEMV_SCALE_H
#define GEMV_SCALE_H

#include <stdint.h>

typedef uint16_t scale_bits __attribute__((aligned(1), may_alias));

static inline __attribute__((always_inline)) uint32_t gemv_scale(const char *p)
{
	return (uint32_t) * (const scale_bits *)p << 16;
}

#endif
