/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Options of a command line, by a table: "--node 3" and "--node=3" are the same. Where a table has
 * --help, --version, --quiet or --output, -h, -V, -q and -o stand for them.
 */
#ifndef OPTIONS_TABLE_H
#define OPTIONS_TABLE_H

#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

/* What a row of a program's own table begins with. A row without a name ends the table. */
struct option_head {
	const char *name;  /* "--node" */
	const char *value; /* what it takes, for people: "N"; NULL: nothing */
	const char *help;
};

struct option_table {
	const void *rows;
	size_t size; /* of a row */
};

/* The row of an option that stands in words[0], which NULL ends; NULL with a message: there is
 * none, or its value is missing or one too many. The next word is its value, but not "--". *value:
 * NULL where it takes none. *used: how many words it took. */
const void *options_read(const struct option_table *t, char **words, const char **value, int *used,
	struct errors *e);

/* The message that another option stands where the value of one should. Returns -1. */
int options_say_wanted(const struct option_head *o, const char *found, struct errors *e);

/* The row of a program whose options only take a value or choose what it does. */
struct option_row {
	struct option_head head;
	void (*take)(void *to, const char *value, struct errors *e); /* NULL: takes no value */
	int action;                                                  /* which one it chooses */
};

/* Reads the options at the beginning of words, which NULL ends; t's rows are struct option_row.
 * Values go into `to` by take(); an option without value sets *action. The end is the first word
 * that is no option, or the one behind "--": it is returned. */
char **options_take(
	const struct option_table *t, char **words, void *to, int *action, struct errors *e);

/* The option that a letter stands for ("-h": "--help"); any other word itself. */
const char *options_long(const char *word);

/* A line of --help, its last column behind `width` characters for name and value. */
void options_print(const struct option_head *o, int width, FILE *out);

#endif
