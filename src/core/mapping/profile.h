/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Instruction mixes by name, from a CSV file: the share of each type in the instructions of a
 * kernel or a program. The first line names the columns: `kernel` or `program`, and either `type`
 * and `share` (one row for each type), or one column for each type, as scripts/mix writes them.
 * `simd` counts as fp: the paper's floating-point instructions include vector instructions, and
 * both use the vector units. Other columns are ignored.
 *
 *   kernel,type,share        kernel,branch,fp,int,load,store
 *   fp_add,fp,0.842          fp_add,0.03,0.842,0.1,0.01,0
 *
 * A file may give numbers of instructions in place of shares: a column `count` in place of `share`,
 * or `fp_count` in place of `fp` and so on. A column `thread` gives a thread of the program a row
 * of its own; the row with an empty field is for all its other threads.
 *
 *   program,thread,type,count     program,thread,branch_count,fp_count,int_count,load_count,...
 *   solver,0,fp,842000000         solver,0,30000000,842000000,100000000,10000000,...
 */
#ifndef PROFILE_H
#define PROFILE_H

#include "base/error.h"
#include "mapping/mapping.h"

/* The mix of all threads, or of one thread, of a kernel or program. */
struct profile_row {
	char *name;
	int thread;                  /* -1: all threads that have no row of their own */
	double share[MAPPING_TYPES]; /* 0 .. 1; NAN: the file does not give it */
	double count[MAPPING_TYPES]; /* of instructions; only if `counted` */
	bool counted;
	double simd;          /* NAN after it has been added to fp, or if the file has none */
	double all;           /* all instructions, of the column `instructions`; NAN: not given */
	struct errors faults; /* mistakes in its lines: they matter only to users of the row */
};

struct profile {
	struct profile_row *rows;
	size_t count;
};

/* Adds the rows of a file. 0, or -1 with a message for every mistake (STATUS_USAGE) that is not one
 * of a single row's values. `at` is the line that names the file; the message cites it when the
 * file cannot be read. */
int profile_read(struct profile *p, const char *path, struct place at, struct errors *e);

/* Returns the row of a thread of a kernel or program, or that of all its threads (thread -1: always
 * that one); NULL: there is none, or it has mistakes, which are added to e. */
const struct profile_row *profile_find(
	const struct profile *p, const char *name, int thread, struct errors *e);

/* Does the profile have any row of this kernel or program? */
bool profile_has(const struct profile *p, const char *name);

/* Does the profile have a row of a single thread of this kernel or program? */
bool profile_by_thread(const struct profile *p, const char *name);

void profile_free(struct profile *p);

#endif
