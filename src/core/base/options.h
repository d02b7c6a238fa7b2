/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Options of a command line, by a table: "--node 3" and "--node=3" are the same. Where a table has
 * --help, --version, --quiet or --output, -h, -V, -q and -o stand for them. --help is made from the
 * table, too.
 */
#ifndef OPTIONS_TABLE_H
#define OPTIONS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

struct option;

/* Sets what an option is for; value is NULL where it takes none, and where that of one with an
 * action is missing. */
typedef void option_take(void *to, const struct option *o, const char *value, struct errors *e);

/* A row without a name ends the table, which has 64 at most. */
struct option {
	const char *name;  /* "--node" */
	const char *value; /* what it takes, for people: "N"; NULL: nothing */
	const char *help;  /* further lines behind '\n' */
	option_take *take; /* NULL: it chooses an action */
	size_t field;      /* in the program's struct: where take() writes */
	const void *row;   /* for take(): how the value is read */
	int action;        /* which one it chooses, ... */
	unsigned with;     /* OPTION_WITH() those with which it has an effect; 0: with all */
	bool once;         /* twice is refused */
	/* may its value be missing? It is then behind a '=', or the next word, too, unless that
	 * begins with '-' */
	enum { OPTION_NEEDED, OPTION_EQUALS, OPTION_NEXT } optional;
};

#define OPTION_WITH(action) (1U << (action))

/* What was read. */
struct options_given {
	const struct option *rows;
	int action;     /* the last one that was chosen */
	uint64_t given; /* bits of rows */
	/* Refuses a word that is no option; NULL: by the nearest of the names. */
	void (*refuse)(const char *word, const char *const *names, size_t count, struct errors *e);
};

/* Common ways to take a value: as a text, as a word of a list (struct words), as such a list
 * between commas, as an enum, whose names up to NULL are `row`, and as bool, which an option
 * without value sets. */
option_take option_text, option_word, option_words, option_choice, option_flag;

/* Where the row's field is. */
static inline void *option_field(void *to, const struct option *o)
{
	return (char *)to + o->field;
}

/* Reads the options at the beginning of words, which NULL ends. The end is the first word that is
 * no option, or the one behind "--": it is returned. All mistakes have a message. */
char **options_take(struct options_given *g, char **words, void *to, struct errors *e);

/* The same of all words: options may stand before and behind others, which path() takes. */
void options_take_all(struct options_given *g, char **words, void *to,
	void (*path)(void *to, const char *word, struct errors *e), struct errors *e);

/* The row of that name; NULL: there is none. */
const struct option *options_find(const struct option *rows, const char *name, size_t length);

/* Was an option given? */
bool options_has(const struct options_given *g, const char *name);

/* The first option from `row` on that was given, but has no effect with what was chosen; NULL: all
 * have one. */
const struct option *options_idle(const struct options_given *g, const struct option *row);

/* Lines of --help, their last column behind `width` characters for name and value. */
void options_print(const struct option *rows, int width, FILE *out);

#endif
