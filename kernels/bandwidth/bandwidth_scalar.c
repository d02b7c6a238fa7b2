/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bandwidth loops on one double at a time, to show the benefit of SIMD. Architectures without
 * stores of 8 bytes past the caches (Arm) have no such loop for store_nt and copy_nt. */
#include "bandwidth.h"
#include "keep.h"

#if defined(__x86_64__)

/* Assembly instead of the intrinsic: clang turns the intrinsic into a plain store when the value
 * comes from an SSE register. */
static inline __attribute__((always_inline)) void stream_double(char *p, double x)
{
	long long bits;

	__builtin_memcpy(&bits, &x, sizeof(bits));
	__asm__ volatile("movnti %1, %0" : "=m"(*(long long *)p) : "r"(bits));
}
#define STREAM(p, x) stream_double(p, x)
#endif

static bool has_scalar(void)
{
	return true;
}

#define ISA scalar
#define TARGET
#define VEC             double
#define WIDTH           sizeof(double)
#define LOAD(p)         (*(const double *)(p))
#define STORE(p, x)     (*(double *)(p) = (x))
#define FILL(s)         ((double)(s))
#define ADD(x, y)       ((x) + (y))
#define MUL(x, y)       ((x) * (y))
#define MULADD(x, y, z) ((z) + (x) * (y))
#define HSUM(x)         (x)
#define KEEP(x)         keep(x)
#define HIDE(x)         keep_changed_fp(x)
#include "bandwidth_loops.h"
