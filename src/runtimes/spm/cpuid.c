/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The caches that an x86 processor names itself: Intel's Software Developer's Manual, CPUID leaf 4;
 * AMD's Programmer's Manual, volume 3, leaf 0x8000001D, of the same form. */
#include "spm/machine.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>

#define MAX_LEVELS 8

enum { NO_CACHE, DATA, INSTRUCTIONS, UNIFIED };

static int levels_of(unsigned leaf, struct spm_cache *levels)
{
	unsigned a, b, c, d;
	int n = 0;

	for (unsigned sub = 0; sub < MAX_LEVELS; sub++) {
		if (!__get_cpuid_count(leaf, sub, &a, &b, &c, &d) || (a & 31) == NO_CACHE)
			break;
		if ((a & 31) == INSTRUCTIONS)
			continue;
		levels[n++] = (struct spm_cache){
			.level = (int)(a >> 5 & 7),
			.cpus = (a >> 14 & 0xfff) + 1,
			/* ways * partitions * bytes of a line * sets, each less one */
			.bytes = (uint64_t)((b >> 22) + 1) * ((b >> 12 & 0x3ff) + 1) *
				 ((b & 0xfff) + 1) * ((uint64_t)c + 1),
		};
	}
	return n;
}

struct spm_caches spm_caches_cpuid(void)
{
	struct spm_cache levels[MAX_LEVELS];
	int n = levels_of(4, levels);

	return spm_caches_of(levels, n ? n : levels_of(0x8000001D, levels));
}

#else

struct spm_caches spm_caches_cpuid(void)
{
	return (struct spm_caches){0};
}

#endif
