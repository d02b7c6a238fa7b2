/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Evicts lines from all caches, as far as a program may do so without the kernel's help. The line
 * leaves the caches of all cores, no matter which core executes the instruction (x86: Intel SDM and
 * AMD APM on CLFLUSH; Arm: DC CIVAC to the point of coherency, which Linux allows programs by
 * SCTLR_EL1.UCI).
 */
#ifndef FLUSH_H
#define FLUSH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__)
#include <cpuid.h>

#define FLUSH_POSSIBLE true

static inline size_t flush_line_bytes(void)
{
	return 64; /* of every processor of this architecture */
}

/* CLFLUSHOPT is not ordered with itself, so that many of them are under way at a time. */
static inline bool flush_has_opt(void)
{
	unsigned a, b, c, d;

	return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_CLFLUSHOPT);
}

static inline void flush_fence(void)
{
	__asm__ volatile("mfence" : : : "memory");
}

static inline void flush_line(char *line, bool opt)
{
	if (opt)
		__asm__ volatile("clflushopt %0" : "+m"(*line));
	else
		__asm__ volatile("clflush %0" : "+m"(*line));
}

#elif defined(__aarch64__)

#define FLUSH_POSSIBLE true

/* CTR_EL0.DminLine: the smallest line of all data caches, as log2 of words of 4 bytes. */
static inline size_t flush_line_bytes(void)
{
	uint64_t ctr;

	__asm__("mrs %0, ctr_el0" : "=r"(ctr));
	return (size_t)4 << ((ctr >> 16) & 15);
}

static inline bool flush_has_opt(void)
{
	return false;
}

static inline void flush_fence(void)
{
	__asm__ volatile("dsb ish" : : : "memory");
}

static inline void flush_line(char *line, bool opt)
{
	(void)opt;
	__asm__ volatile("dc civac, %0" : : "r"(line) : "memory");
}

#else

#define FLUSH_POSSIBLE false

static inline size_t flush_line_bytes(void)
{
	return 64;
}

static inline bool flush_has_opt(void)
{
	return false;
}

static inline void flush_fence(void)
{
}

static inline void flush_line(char *line, bool opt)
{
	(void)line;
	(void)opt;
}

#endif

/* Flushes all lines of [base, base + bytes); they are flushed when it returns. */
static inline void flush_lines(char *base, size_t bytes)
{
	size_t line = flush_line_bytes();
	bool opt = flush_has_opt();

	flush_fence();
	for (size_t at = 0; at < bytes; at += line)
		flush_line(base + at, opt);
	flush_fence();
}

#endif
