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
 */
#ifndef PROFILE_H
#define PROFILE_H

#include "base/error.h"
#include "mapping/mapping.h"

struct profile_row {
	char *name;
	double share[MAPPING_TYPES]; /* 0 .. 1; NAN: the file does not give it */
	double simd; /* NAN after it has been added to fp, or if the file has none */
};

struct profile {
	struct profile_row *rows;
	size_t count;
};

/* Adds the rows of a file. 0, or -1 with a message for every mistake (STATUS_USAGE). `at` is the
 * line that names the file; the message cites it when the file cannot be read. */
int profile_read(struct profile *p, const char *path, struct place at, struct errors *e);

/* Returns the shares [MAPPING_TYPES] of a kernel or program, or NULL. */
const double *profile_find(const struct profile *p, const char *name);

void profile_free(struct profile *p);

#endif
