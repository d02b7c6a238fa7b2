/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether the compiler built the loops that kernels claim: kernels/accesses.claims and units.claims
 * say what each does, scripts/loops looks at every object, and make writes what it found to
 * build/loops.c. */
#ifndef LOOPS_H
#define LOOPS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum loop_state {
	LOOP_AS_CLAIMED,
	LOOP_ANOTHER,    /* its figures would be those of another loop */
	LOOP_NOT_CHECKED /* nothing is known of it */
};

struct loop_verdict {
	const char *kernel; /* its name in the function map */
	const char *loop;   /* the function of the loop that differs; NULL: all loops of the kernel
			       that no line before names */
	enum loop_state state;
	const char *what; /* how it differs, or why it was not checked; "" as claimed */
};

/* The last one has no kernel: it is the verdict of all that are not listed. */
extern const struct loop_verdict loop_verdicts[];

/* Is the loop another one than its kernel claims? What chooses among loops leaves it out. */
static inline bool loop_is_spoiled(const char *loop)
{
	const struct loop_verdict *v = loop_verdicts;

	while (v->kernel && !(v->state == LOOP_ANOTHER && v->loop && !strcmp(v->loop, loop)))
		v++;
	return v->kernel;
}

/* All of them in a line: "as claimed". */
extern const char loops_all[];

#endif
