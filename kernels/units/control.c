/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Branches, by the names of SMT-Bench. A unit is one decision: an if, a switch, or the end of a
 * loop that does nothing else. A round takes a fixed number of them.
 *
 *   branch           an if that alternates, then a switch whose case increases by one each time
 *   ctl_conditional  an if that alternates
 *   ctl_random       an if on a bit of a shift register (LFSR), four in a row: unpredictable
 *   ctl_switch       ten cases; the case changes after a thousand times
 *   ctl_complex      nested switches of six cases on two counters, 36 places
 *   ctl_small_bbl    an empty loop: the smallest basic block
 *
 * Every place adds its own number to a sum, in an instruction of its own, between barriers with
 * that number. So the compiler cannot compute the number without a branch or load it from a table.
 * verify() compares the sum with the sum that the decisions must give. keep_changed(turns) prevents
 * the compiler from deriving one decision from another and skipping it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "keep.h"
#include "kernel.h"

struct control {
	uint64_t sum, expected;
	uint64_t decisions; /* of ctl_random: about half of them add 1 */
	uint32_t lfsr, at;
};

/* clang-format off */
#define PLACE(k) { sum += (k); __asm__ volatile("" : "+r"(sum) : "i"(k)); }
#define CASE(at, k) case (at): PLACE(k) break;
#define SIX_CASES(k) CASE(0, (k) + 1) CASE(1, (k) + 2) CASE(2, (k) + 3) \
	CASE(3, (k) + 4) CASE(4, (k) + 5) CASE(5, (k) + 6)
/* clang-format on */

#define BRANCH_TURNS 2048 /* a multiple of the 8 cases */

HOT uint64_t loop_branch(uint64_t turns, uint64_t sum)
{
	do {
		keep_changed(turns);
		if (turns & 1)
			PLACE(1)
		else
			PLACE(2)
		keep_changed(turns);
		switch (turns & 7) {
			SIX_CASES(0)
			CASE(6, 7)
			CASE(7, 8)
		}
		keep_changed(turns);
	} while (--turns);
	return sum;
}

static uint64_t branch_run(struct worker *w, uint64_t passes)
{
	struct control *c = w->own;
	const uint64_t turns = passes * BRANCH_TURNS;

	c->sum = loop_branch(turns, c->sum);
	c->expected += turns / 2 * (1 + 2) + turns / 8 * (1 + 2 + 3 + 4 + 5 + 6 + 7 + 8);
	return turns * 2;
}

#define CONDITIONAL_TURNS 4096

HOT uint64_t loop_ctl_conditional(uint64_t turns, uint64_t sum)
{
	do {
		if (turns & 1)
			PLACE(1)
		else
			PLACE(2)
		keep_changed(turns);
	} while (--turns);
	return sum;
}

static uint64_t ctl_conditional_run(struct worker *w, uint64_t passes)
{
	struct control *c = w->own;
	const uint64_t turns = passes * CONDITIONAL_TURNS;

	c->sum = loop_ctl_conditional(turns, c->sum);
	c->expected += turns / 2 * (1 + 2);
	return turns;
}

#define RANDOM_TURNS 1024

/* A Galois register of 32 bits with a maximal period; its last bit decides. */
#define LFSR_STEP                                               \
	{                                                       \
		lfsr = lfsr >> 1 ^ (-(lfsr & 1) & 0xd0000001u); \
		if (lfsr & 1)                                   \
			PLACE(1)                                \
	}

HOT uint64_t loop_ctl_random(uint64_t turns, uint64_t sum, uint32_t *state)
{
	uint32_t lfsr = *state;

	do {
		LFSR_STEP
		LFSR_STEP
		LFSR_STEP
		LFSR_STEP
	} while (--turns);
	*state = lfsr;
	return sum;
}

static uint64_t ctl_random_run(struct worker *w, uint64_t passes)
{
	struct control *c = w->own;
	const uint64_t turns = passes * RANDOM_TURNS;

	c->sum = loop_ctl_random(turns, c->sum, &c->lfsr);
	c->decisions += turns * 4;
	return turns * 4;
}

#define SWITCH_CASES 10
#define SWITCH_TURNS 1000 /* with one case */
#define SWITCH_TIMES 4    /* cases in a round */

HOT uint64_t loop_ctl_switch(uint64_t turns, uint64_t sum, uint32_t at)
{
	do {
		keep_changed(at);
		switch (at) {
			SIX_CASES(0)
			CASE(6, 7)
			CASE(7, 8)
			CASE(8, 9)
			CASE(9, 10)
		}
	} while (--turns);
	return sum;
}

static uint64_t ctl_switch_run(struct worker *w, uint64_t passes)
{
	struct control *c = w->own;
	const uint64_t times = passes * SWITCH_TIMES;

	for (uint64_t i = 0; i < times; i++) {
		c->sum = loop_ctl_switch(SWITCH_TURNS, c->sum, c->at);
		c->expected += SWITCH_TURNS * (c->at + 1);
		c->at = (c->at + 1) % SWITCH_CASES;
	}
	return times * SWITCH_TURNS;
}

#define COMPLEX_TURNS 1800 /* a multiple of the 36 places */

#define INNER(k)                           \
	case (k):                          \
		switch (inner) {           \
			SIX_CASES(6 * (k)) \
		}                          \
		break;

HOT uint64_t loop_ctl_complex(uint64_t turns, uint64_t sum)
{
	uint32_t outer = 0, inner = 0;

	do {
		keep_changed(outer);
		keep_changed(inner);
		switch (outer) {
			INNER(0)
			INNER(1)
			INNER(2)
			INNER(3)
			INNER(4)
			INNER(5)
		}
		if (++inner == 6) {
			inner = 0;
			if (++outer == 6)
				outer = 0;
		}
	} while (--turns);
	return sum;
}

static uint64_t ctl_complex_run(struct worker *w, uint64_t passes)
{
	struct control *c = w->own;
	const uint64_t turns = passes * COMPLEX_TURNS;

	c->sum = loop_ctl_complex(turns, c->sum);
	c->expected += turns / 36 * (36 * 37 / 2);
	return turns * 2;
}

#define SMALL_TURNS 4096

HOT uint64_t loop_ctl_small_bbl(uint64_t turns)
{
	do
		__asm__ volatile("");
	while (--turns);
	return turns;
}

static uint64_t ctl_small_bbl_run(struct worker *w, uint64_t passes)
{
	(void)w;
	return passes * SMALL_TURNS - loop_ctl_small_bbl(passes * SMALL_TURNS);
}

static const char *control_setup(struct worker *w)
{
	struct control *c = w->own = calloc(1, sizeof(*c));

	if (!c)
		return "no memory";
	c->lfsr = 0xace1u;
	return NULL;
}

static void control_teardown(struct worker *w)
{
	free(w->own);
	w->own = NULL;
}

static const char *control_verify(const struct worker *w, char *why, size_t n)
{
	const struct control *c = w->own;

	if (c->sum == c->expected)
		return NULL;
	snprintf(why, n, "its decisions added %" PRIu64 ", not %" PRIu64, c->sum, c->expected);
	return why;
}

/* With a thousand random decisions or more, between 40 and 60 % take the branch: five standard
 * deviations are 8 %. */
static const char *ctl_random_verify(const struct worker *w, char *why, size_t n)
{
	const struct control *c = w->own;
	const double share = (double)c->sum / (double)c->decisions;

	if (share > 0.4 && share < 0.6)
		return NULL;
	snprintf(why, n, "%.1f %% of its random decisions went one way", 100 * share);
	return why;
}

#define CONTROL_KERNEL(name, check_result, text) \
	const struct kernel name##_kernel = {    \
		.summary = text,                 \
		.unit = "decision",              \
		.setup = control_setup,          \
		.run = name##_run,               \
		.verify = check_result,          \
		.teardown = control_teardown,    \
	};

CONTROL_KERNEL(branch, control_verify, "takes an if-else and a switch in turn")
CONTROL_KERNEL(ctl_complex, control_verify, "takes nested switches on two counters")
CONTROL_KERNEL(ctl_conditional, control_verify, "takes an if that alternates")
CONTROL_KERNEL(ctl_random, ctl_random_verify, "takes an if on a random bit")
CONTROL_KERNEL(ctl_small_bbl, control_verify, "goes round an empty loop")
CONTROL_KERNEL(ctl_switch, control_verify, "takes a switch of ten cases that rarely moves on")
