/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hot loops: how their functions are declared, and compiler barriers that make -O2 keep exactly
 * the loads and stores that are written, and emit no instruction themselves.
 */
#ifndef KEEP_H
#define KEEP_H

/* A function with a hot loop. Not inlined: it stands alone in the object, where tests find it. It
 * begins at a line: a strided loop that goes over two takes up to a sixth longer in L2 (Zen 3), and
 * must not do so by the chance of what comes before it. Threads that share a vector race on
 * purpose. */
#define HOT static __attribute__((noinline, aligned(64), no_sanitize("thread")))

/* The register class that holds a floating-point value, so that keeping one costs no move. */
#if defined(__x86_64__)
#define KEEP_FP "x"
#elif defined(__aarch64__)
#define KEEP_FP "w"
#else
#define KEEP_FP "f"
#endif

/* x must exist in a register here: the compiler can neither drop nor merge the load that produced
 * it. The constraint is a register and not "g", because with memory allowed the compiler could
 * leave an element unread. Each type has a function: a char widened to long would be loaded with
 * its sign extended, and a load just after the store then took a tenth longer (read_write_read in
 * L2, Zen 3). */
/* clang-format off */
#define keep(x) \
	_Generic((x), \
		char: keep_char, short: keep_short, int: keep_int, \
		float: keep_float, double: keep_double, default: keep_long)(x)
/* clang-format on */

static inline __attribute__((always_inline)) void keep_char(char x)
{
	__asm__ volatile("" : : "r"(x));
}

static inline __attribute__((always_inline)) void keep_short(short x)
{
	__asm__ volatile("" : : "r"(x));
}

static inline __attribute__((always_inline)) void keep_int(int x)
{
	__asm__ volatile("" : : "r"(x));
}

static inline __attribute__((always_inline)) void keep_long(long x)
{
	__asm__ volatile("" : : "r"(x));
}

static inline __attribute__((always_inline)) void keep_float(float x)
{
	__asm__ volatile("" : : KEEP_FP(x));
}

static inline __attribute__((always_inline)) void keep_double(double x)
{
	__asm__ volatile("" : : KEEP_FP(x));
}

/* The variable x must exist in a register here and may have another value from here on: the
 * compiler cannot merge or reorder operations on it across this point, nor do them once for all
 * turns of a loop. */
#define keep_changed(x)    __asm__ volatile("" : "+r"(x))
#define keep_changed_fp(x) __asm__ volatile("" : "+" KEEP_FP(x))

/* All stores up to here have been made, and memory may have changed from here on: the compiler
 * cannot delay or merge a store, and must load a stored value again. */
static inline __attribute__((always_inline)) void keep_memory(void)
{
	__asm__ volatile("" : : : "memory");
}

#endif
