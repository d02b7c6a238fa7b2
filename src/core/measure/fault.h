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
 *		fault.number and fault.address say what happened
 *	fault_disarm();
 *
 * Each thread arms its own struct fault, one at a time. The function that calls sigsetjmp() must
 * not have returned before fault_disarm(). A fault of code that is not guarded goes to the former
 * handler. Memory and locks that the kernel held at that moment are lost.
 */
#ifndef FAULT_H
#define FAULT_H

#include <setjmp.h>
#include <stddef.h>

#include "contract/kernel.h"

struct fault {
	sigjmp_buf at;
	int number;          /* of the signal */
	const void *address; /* that was accessed; NULL also if the processor reports none */
};

void fault_arm(struct fault *f);
void fault_disarm(void);

/* Describes the fault relative to the thread's vectors, whose numbers in the argument file are ids:
 * "SIGSEGV 8 bytes after the end of vector 2, which has 4096 bytes". Writes it to text[n] and
 * returns text. */
const char *fault_text(
	const struct fault *f, const struct worker *w, const int *ids, char *text, size_t n);

#endif
