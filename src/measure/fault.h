/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Survives an invalid memory access (SIGSEGV, SIGBUS) of a kernel, so that it can be reported:
 *
 *	struct fault fault;
 *
 *	fault_arm(&fault);
 *	if (sigsetjmp(fault.at, 0) == 0)
 *		call_the_kernel();
 *	else
 *		fault.number, fault.address tell what happened
 *	fault_disarm();
 *
 * Each thread arms its own; one is armed at a time. The function that calls sigsetjmp() must not
 *have returned before fault_disarm(). A fault of code that is not guarded goes to whoever handled
 *it before. What the kernel held at that moment, memory or locks, is lost.
 */
#ifndef FAULT_H
#define FAULT_H

#include <setjmp.h>
#include <stddef.h>

#include "contract/kernel.h"

struct fault {
	sigjmp_buf at;
	int number;          /* of the signal */
	const void *address; /* that was accessed; NULL also where the processor does not tell */
};

void fault_arm(struct fault *f);
void fault_disarm(void);

/* What happened, relative to the thread's vectors, whose numbers in the argument file are ids:
 * "SIGSEGV 8 bytes behind the end of vector 2, which has 4096 bytes", written to text[n]. Returns
 * text. */
const char *fault_text(
	const struct fault *f, const struct worker *w, const int *ids, char *text, size_t n);

#endif
