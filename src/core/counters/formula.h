/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arithmetic on named values: "100 * ( A + B ) / C". */
#ifndef FORMULA_H
#define FORMULA_H

#include <stddef.h>

/* Blanks separate all parts, so that a name may contain any other character: "perf::CPU-CYCLES". */
struct formula {
	char *text; /* as written; all owned */
	char **names;
	size_t nnames; /* each once */
	struct formula_step {
		char kind;    /* 'n' a name, '1' a number, else one of + - * / */
		size_t name;  /* index */
		double value; /* of a number */
	} * steps;            /* in reverse Polish order */
	size_t nsteps;
};

/* 0, or -1 when text is no formula. */
int formula_read(struct formula *f, const char *text);
void formula_free(struct formula *f);

/* NAN when a value is NAN or on division by 0, so that a missing value does not look like a number.
 */
double formula_value(const struct formula *f, double (*value)(const void *arg, const char *name),
	const void *arg);

#endif
