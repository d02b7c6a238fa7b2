/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figure of merit that a program prints, found by a regular expression. */
#ifndef MAP_FIGURE_H
#define MAP_FIGURE_H

#include <regex.h>
#include <stdio.h>

#include "base/error.h"

struct figure_pattern {
	regex_t compiled; /* with one group at least: the number */
	const char *text;
};

struct figure {
	double value;  /* NAN: none was found, or it is in doubt */
	char *doubt;   /* why the last match is not taken for a number, owned; NULL: it is */
	char unit[16]; /* the word behind it; "": none */
};

/* Compiles --figure. 0, or -1 with a message. figure_free() after success only. */
int figure_compile(struct figure_pattern *p, const char *text, struct errors *e);
void figure_free(struct figure_pattern *p);

/* The group of the last match: programs print their sums at the end. Separators of thousands are
 * taken off where they cannot be anything else; a number of which the group has only a part is in
 * doubt. Free f->doubt. */
void figure_find(FILE *in, const struct figure_pattern *p, struct figure *f);

enum figure_better { FIGURE_UNKNOWN, FIGURE_SMALLER, FIGURE_LARGER };

/* Which figures of a unit are better: rates ("tokens/s", "GFLOPS", "MB/s") where they are large,
 * times ("ms", "ns/op") where they are small. */
enum figure_better figure_better(const char *unit);

/* Whether numbers in these two units must not be compared: the same quantity in other units, as
 * MB/s and GB/s. Other words are no units. */
bool figure_other_unit(const char *a, const char *b);

#endif
