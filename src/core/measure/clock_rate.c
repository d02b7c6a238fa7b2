/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures the clock rate by a chain of dependent additions. */
#include "measure/clock_rate.h"

#include "base/clock.h"

#define TURN 64 /* additions for each branch, which runs beside them */

/* Additions of two registers: some processors (Intel, since 2021) carry out additions of constants
 * before execution, several in a cycle. */
#define ADD_4 ADD ADD ADD ADD
#define ADD_64                                                                                    \
	ADD_4 ADD_4 ADD_4 ADD_4 ADD_4 ADD_4 ADD_4 ADD_4 ADD_4 ADD_4 ADD_4 ADD_4 ADD_4 ADD_4 ADD_4 \
		ADD_4

#if defined(__x86_64__)
#define ADD "add %1, %0\n\t"
#elif defined(__aarch64__)
#define ADD "add %0, %0, %1\n\t"
#endif

/* The compiler can neither remove nor reorder volatile assembler, and the results of one turn are
 * the operands of the next. */
static uint64_t chain_ns(void)
{
#ifdef ADD
	uint64_t sum = 0, one = 1, begin = clock_ns();

	for (int i = 0; i < CLOCK_RATE_STEPS / TURN; i++)
		__asm__ volatile(ADD_64 : "+r"(sum) : "r"(one) : "cc");
	return clock_ns() - begin;
#else
	return 0;
#endif
}

struct clock_rate clock_rate_of(const uint64_t *ns, int chains)
{
	uint64_t fastest = UINT64_MAX, sum = 0;

	for (int i = 0; i < chains; i++) {
		fastest = ns[i] < fastest ? ns[i] : fastest;
		sum += ns[i];
	}
	if (!fastest)
		return CLOCK_RATE_NONE;
	return (struct clock_rate){
		CLOCK_RATE_STEPS * 1e9 / (double)fastest, sum - (uint64_t)chains * fastest};
}

struct clock_rate clock_rate_take(void)
{
	uint64_t ns[CLOCK_RATE_CHAINS];

	for (int i = 0; i < CLOCK_RATE_CHAINS; i++)
		ns[i] = chain_ns();
	return clock_rate_of(ns, CLOCK_RATE_CHAINS);
}
