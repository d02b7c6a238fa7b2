/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Assigns seats to threads that it knows only by number. It reads and fills plain arrays: it does
 * not depend on the machine, the plan or a program, and has no side effects.
 */
#ifndef MAPPING_H
#define MAPPING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum mapping_method {
	MAPPING_COMPACT,     /* hardware thread by hardware thread, core by core */
	MAPPING_SCATTER,     /* all places in turn, the outermost first; cores before siblings */
	MAPPING_ROUNDROBIN,  /* cores to the applications in turn, each core to one of them */
	MAPPING_OS,          /* not bound: the operating system decides */
	MAPPING_INSTRUCTION, /* threads whose instructions differ most share a core */
	MAPPING_RANDOM,      /* hardware threads in a random order, which a seed repeats */
	MAPPING_GOMP,        /* in the order of the CPUs' numbers, as libgomp binds a team */
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
	MAPPING_SPREAD = MAPPING_TYPES /* automatic: the type whose share differs most */
};

extern const char *const mapping_methods[]; /* by enum mapping_method, NULL at the end */
extern const char *const mapping_types[];   /* by enum mapping_type, with "spread", NULL */

/* Levels of places that can be told apart: from drawers to halves of cores they are seven. */
#define MAPPING_LEVELS 8

/* A hardware thread that may be used. */
struct mapping_seat {
	int place[MAPPING_LEVELS]; /* numbers of the places that it is in, the outermost first; all
				      seats have the same number where there is no such level */
	int node;                  /* -1: none */
	int core;
	int thread; /* which hardware thread of its core, from 0 */
	int cpu;    /* the operating system's number */
	int kind;   /* of its core: the lowest is the quickest; all alike where cores are */
};

struct mapping_thread {
	int application; /* number of the application that has this thread */
	/* The share (0 .. 1) of each type in the instructions that the thread executes; NAN: not
	 * known. These are shares, not totals, because a thread that runs twice as long does not
	 * load a unit twice as much. Only MAPPING_INSTRUCTION reads them. */
	double share[MAPPING_TYPES];
	/* The number of instructions of each type; NAN: not known. Only if `counted`. If all
	 * threads are counted, they are sorted by these numbers, as the paper's Algorithm 1 does.
	 */
	double count[MAPPING_TYPES];
	bool counted;
};

/* A mapping, as a word names it. */
struct mapping_choice {
	enum mapping_method method;
	uint64_t seed;  /* MAPPING_RANDOM only */
	char level[16]; /* MAPPING_SCATTER and _ROUNDROBIN only: the one whose places count; "":
			   all do */
};

struct mapping_request {
	struct mapping_choice choice;
	enum mapping_type by; /* MAPPING_INSTRUCTION only: a type, or MAPPING_SPREAD */
	bool oversubscribe;   /* allows more threads than seats; they take turns on them */
};

/* Reads the name of a mapping: one of mapping_methods, random:SEED, scatter:LEVEL or
 * roundrobin:LEVEL, whose level the machine may lack; random alone is random:1. 0, or -1 with a
 * message that names `key`. */
int mapping_read(const char *key, const char *word, struct place at, struct mapping_choice *choice,
	struct errors *e);

/* "compact", "random:7", "scatter:L3"; to be freed. */
char *mapping_name(const struct mapping_choice *choice);

/*
 * Fills place[i] of every thread: an index into seats, -1 for MAPPING_OS. Writes one line to
 * why[n]: how it found the places, or why there are none. Returns the type that it sorted by,
 * MAPPING_TYPES if it did not sort, or -1: more threads than seats without oversubscribe, no seat
 * at all, or a share that is not known.
 *
 * Where seats differ in kind, every method but random and gomp takes the cores of the quickest
 * kind first, then those of the next, and why[] says so.
 *
 * Round-robin is the mapping that the paper below compares with: the hardware threads of a core get
 * threads of the same application (its section 5). Applications get cores in turn and put one
 * thread on each of their cores before a second. If there are too few cores for each to have only
 * one application, the remaining threads take the remaining seats, and why[] says on how many
 * cores. With a level it deals places of this in place of cores, so that programs share no cache.
 *
 * Instruction-aware mapping is Algorithm 1 of Serpa, Cruz, Diener, Beck and Navaux, "Atenuando a
 * Contencao nas Unidades de Execucao com Mapeamento Instruction-Aware": threads are sorted by their
 * instructions of one type, and each core takes the first and the last of the remaining threads.
 * This version takes any number of threads, and cores with any numbers of hardware threads, which
 * may differ: cores fill evenly, each with one thread first, and a core that holds more takes
 * first, last, first, ... of the sorted list. Threads of equal share keep their order. With twice
 * as many threads as cores, and two hardware threads per core, it is the algorithm as printed.
 */
int mapping_make(const struct mapping_request *r, const struct mapping_seat *seats, int nseats,
	const struct mapping_thread *threads, int nthreads, int *place, char *why, size_t n);

#endif
