/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The scalar integer units, on ints (32 bits): one add, multiplication or division is a unit.
 *
 *   int_add, int_mul  enough independent chains to keep every unit busy. A multiplication by the
 *                     inverse modulo 2^32 undoes a multiplication.
 *   int_div           every division begins with the same number, so none waits for another. x86
 *                     divides two fixed registers and needs two moves for that (no execution unit
 *                     does them): a third of its instructions divide. Many x86 processors divide
 *                     64 bits by microcode, which uses more than the divider.
 *   dep_chainN        adds on N chains: with one, each add waits for the last; with six, hardly
 *                     any add waits.
 *
 * units.h explains the values.
 */
#include "units.h"

/* Two constants, the turns, the pointer to the state and the chains must fit into the registers. */
#ifdef __x86_64__
#define INT_CHAINS CHAINS_8
#define INT_TIMES  TIMES_6
#else
#define INT_CHAINS CHAINS_12
#define INT_TIMES  TIMES_4
#endif
#define INT_OPS 96
#define DIV_OPS 30
#define DEP_OPS 120 /* a multiple of all chains, done and undone */

#define DIVIDEND 0xee6b0000u /* one instruction puts it into a register, also on Arm */
#define DIVISOR  54321u

/* Assembly: gcc 16 makes some additions an lea, which other units execute. */
/* clang-format off */
#if defined(__x86_64__)
#define ADD(x, y) __asm__ volatile("add %1,%0" : "+r"(x) : "r"(y) : "cc");
#elif defined(__aarch64__)
#define ADD(x, y) __asm__ volatile("add %w0,%w0,%w1" : "+r"(x) : "r"(y));
#else
#define ADD(x, y) x += y; keep_changed(x);
#endif
#define MUL(x, y) x *= y; keep_changed(x);
#define DIV(x, y) { uint32_t n = DIVIDEND; keep_changed(n); x = n / y; keep_changed(x); }
/* clang-format on */

#define INT_KERNEL(name, CHAINS, TIMES, ops, op, a, b, start, what, text)         \
	CHAIN_KERNEL(name, , uint32_t, CHAINS, TIMES, ops, op, a, b, start, NULL, \
		CHAINS(CHAIN_ONE, ), what, text)
#define DEP_KERNEL(name, CHAINS, TIMES, text) \
	INT_KERNEL(name, CHAINS, TIMES, DEP_OPS, ADD, 12345, -12345u, 1, "add", text)

INT_KERNEL(int_add, INT_CHAINS, INT_TIMES, INT_OPS, ADD, 12345, -12345u, 1, "add",
	"adds ints, independent of each other")
INT_KERNEL(int_mul, INT_CHAINS, INT_TIMES, INT_OPS, MUL, 0x2c1b3c6d, 0x64ea2d65, 12345, "multiply",
	"multiplies ints, independent of each other")
INT_KERNEL(int_div, CHAINS_1, TIMES_15, DIV_OPS, DIV, 12345, DIVISOR, DIVIDEND / DIVISOR, "divide",
	"divides ints, independent of each other")

DEP_KERNEL(dep_chain1, CHAINS_1, TIMES_60, "adds ints, each to the result of the last")
DEP_KERNEL(dep_chain2, CHAINS_2, TIMES_30, "adds ints in 2 chains that do not wait for each other")
DEP_KERNEL(dep_chain3, CHAINS_3, TIMES_20, "adds ints in 3 chains that do not wait for each other")
DEP_KERNEL(dep_chain4, CHAINS_4, TIMES_15, "adds ints in 4 chains that do not wait for each other")
DEP_KERNEL(dep_chain5, CHAINS_5, TIMES_12, "adds ints in 5 chains that do not wait for each other")
DEP_KERNEL(dep_chain6, CHAINS_6, TIMES_10, "adds ints in 6 chains that do not wait for each other")
