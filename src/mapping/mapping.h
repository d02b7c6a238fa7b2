/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads without a place get one. Plain arrays in and out: this knows no machine, no plan and no
 * program, and touches nothing.
 */
#ifndef MAPPING_H
#define MAPPING_H

#include <stdbool.h>
#include <stddef.h>

enum mapping_method {
	MAPPING_COMPACT,     /* hardware thread by hardware thread, core by core */
	MAPPING_SCATTER,     /* packages, then nodes in turn, whole cores before siblings */
	MAPPING_ROUNDROBIN,  /* CPUs in the order of their numbers, applications in turn */
	MAPPING_OS,          /* not bound: the operating system decides */
	MAPPING_INSTRUCTION, /* on one core those whose instructions differ most */
	MAPPING_METHODS
};

/* Types of instructions, as the paper counts them. */
enum mapping_type {
	MAPPING_BRANCH,
	MAPPING_FP,
	MAPPING_INT,
	MAPPING_LOAD,
	MAPPING_STORE,
	MAPPING_TYPES,
	MAPPING_SPREAD = MAPPING_TYPES /* choose: the type whose share differs most */
};

extern const char *const mapping_methods[]; /* by enum mapping_method, NULL at the end */
extern const char *const mapping_types[];   /* by enum mapping_type, with "spread", NULL */

/* A hardware thread that may be used. Equal numbers: the same package, node, core; -1 is a number
 * too. */
struct mapping_seat {
	int package, node, core;
	int thread; /* which of its core */
	int cpu;    /* of the operating system */
};

struct mapping_thread {
	int application; /* whose thread it is */
	/* Of the instructions it executes, which part (0 .. 1) is of each type; NAN: not known.
	 * Shares, not totals: a thread that runs twice as long does not press a unit twice as hard.
	 * Looked at by MAPPING_INSTRUCTION only. */
	double share[MAPPING_TYPES];
};

struct mapping_request {
	enum mapping_method method;
	enum mapping_type by; /* of MAPPING_INSTRUCTION: a type, or MAPPING_SPREAD */
	bool oversubscribe;   /* more threads than seats take turns on them */
};

/*
 * Fills place[i] of every thread: an index into seats, -1 for MAPPING_OS. why[n]: how it was found,
 * or why it cannot be, one line. Returns the type sorted by, MAPPING_TYPES where none was, or -1:
 * more threads than seats without oversubscribe, no seat at all, a share that is not known.
 *
 * Instruction-aware mapping is Algorithm 1 of Serpa, Cruz, Diener, Beck and Navaux, "Atenuando a
 * Contencao nas Unidades de Execucao com Mapeamento Instruction-Aware": threads sorted by their
 * instructions of one type, each core takes the first and the last of those left. Here with any
 * number of threads on cores of any number of hardware threads, also different ones: cores fill
 * evenly, each first with one thread, and a core that holds more takes first, last, first, ... of
 * the sorted list. Threads of equal share stay in their order. With twice as many threads as cores
 * of two hardware threads it is the algorithm as printed.
 */
int mapping_make(const struct mapping_request *r, const struct mapping_seat *seats, int nseats,
	const struct mapping_thread *threads, int nthreads, int *place, char *why, size_t n);

#endif
