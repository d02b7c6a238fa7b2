/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the compiler was told, and what the processor says of itself. */
#include "system/instructions.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __aarch64__
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

/* 1 where the macro is defined as 1, 0 where it is not defined: GIVEN_1 shifts the 1 to the second
 * place. */
#define GIVEN_1           0,
#define SECOND(a, b, ...) b
#define SECOND_OF(...)    SECOND(__VA_ARGS__)
#define IS_GIVEN_OF(x)    SECOND_OF(GIVEN_##x 1, 0, )
#define IS_GIVEN(x)       IS_GIVEN_OF(x)
#define SET(name, macro, has)              \
	{                                  \
		name, IS_GIVEN(macro), has \
	}
#define X86(name, macro, cpu) SET(name, macro, __builtin_cpu_supports(cpu) != 0)

struct set {
	const char *name;
	bool needed, there;
};

const char *instructions_missing(void)
{
	const struct set sets[] = {
#if defined(__x86_64__) || defined(__i386__)
		X86("SSE3", __SSE3__, "sse3"),
		X86("SSSE3", __SSSE3__, "ssse3"),
		X86("SSE4.1", __SSE4_1__, "sse4.1"),
		X86("SSE4.2", __SSE4_2__, "sse4.2"),
		X86("POPCNT", __POPCNT__, "popcnt"),
		X86("AVX", __AVX__, "avx"),
		X86("AVX2", __AVX2__, "avx2"),
		X86("FMA", __FMA__, "fma"),
		X86("FMA4", __FMA4__, "fma4"),
		X86("XOP", __XOP__, "xop"),
		X86("BMI", __BMI__, "bmi"),
		X86("BMI2", __BMI2__, "bmi2"),
		X86("AVX-512F", __AVX512F__, "avx512f"),
		X86("AVX-512CD", __AVX512CD__, "avx512cd"),
		X86("AVX-512DQ", __AVX512DQ__, "avx512dq"),
		X86("AVX-512BW", __AVX512BW__, "avx512bw"),
		X86("AVX-512VL", __AVX512VL__, "avx512vl"),
		X86("AVX-512VBMI", __AVX512VBMI__, "avx512vbmi"),
		X86("AVX-512VNNI", __AVX512VNNI__, "avx512vnni"),
#elif defined(__aarch64__)
		SET("LSE atomics", __ARM_FEATURE_ATOMICS, getauxval(AT_HWCAP) & HWCAP_ATOMICS),
		SET("SVE", __ARM_FEATURE_SVE, getauxval(AT_HWCAP) & HWCAP_SVE),
#endif
		SET(NULL, none, true),
	};

	for (size_t i = 0; sets[i].name; i++)
		if (sets[i].needed && !sets[i].there)
			return sets[i].name;
	return NULL;
}
