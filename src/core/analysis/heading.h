/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Titles of tables and of axes, as argument files name things and as people read them. */
#ifndef HEADING_H
#define HEADING_H

#include "analysis/quantity.h"

#define AXIS_NONE      (-1) /* a single row or column */
#define AXIS_THREAD    (-2)
#define AXIS_OPERATION (-3)
#define AXIS_TIME      (-4) /* of QUANTITY_CLOCK_RATE: rows are samples of a run */
#define AXIS_VARIABLE  0    /* from here on: a variable of the sweep */

/* "variable", "thread", "operation", "time"; "" for AXIS_NONE. */
const char *axis_kind(int axis);

/* What a title is made of. */
struct heading {
	enum quantity id;    /* QUANTITY_COUNTER or _FIGURE: what `name` names */
	const char *name;    /* "ns_per_unit", "mem_load.l3_miss" */
	const char *along;   /* a variable; NULL: it is of single runs */
	const char *unit;    /* "ns"; "" */
	const char *rest;    /* heading_add(); NULL: nothing */
	const char *counted; /* what a unit is; NULL: several things, or not known */
};

/* Adds to the rest: "chase, thread 1". operation NULL: it differs, or is on an axis; thread
 * ALL_THREADS: the same. */
void heading_add(char **rest, const char *operation, int thread);
/* "n=2" */
void heading_add_value(char **rest, const char *variable, const char *value);

/* All to be freed. "ns_per_unit (ns), chase, n=2" */
char *heading_title(const struct heading *h);
/* "time (ns per access), chase, n=2"; "whole time (s)" of whole_time, "tokens (token/s)" of
 * tokens_per_s. Names of events, which have points, colons or capitals, stay. */
char *heading_words(const struct heading *h);
/* Without unit and rest: "time per access". */
char *heading_subject(const struct heading *h);
/* The name of an axis: "data node". */
char *heading_axis(const char *name);

/* Makes the first letter large, as a sentence begins, unless the first word is a name, with
 * points, colons, underscores, digits or capitals in it: "mem_load.l3_miss", "nodePerThread".
 * False: it is one, and the text is as it was. */
bool heading_begin(char *text);

#endif
