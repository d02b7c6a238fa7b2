/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An argument file as lines of `key: value`, and the command line's --set. What keys mean is
 * request.c's. */
#ifndef ARGS_H
#define ARGS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

struct entry {
	char *key, *value; /* trimmed, without comment; owned */
	struct place at;
	bool swept; /* the value of a sweep is in it */
};

struct args {
	char *path;
	char *text; /* the file as it is, for the reports; owned */
	size_t length;
	struct entry *entries;
	size_t count;
	size_t from_file;  /* entries[0..from_file) are the file's, the rest come from --set */
	struct words sets; /* what args_set() took, as it was written */
};

/* What messages and results call an argument file. */
const char *args_name(const char *path);

/* Reads a whole file ("-": standard input); `#` starts a comment, CRLF and a missing last newline
 * are accepted. Every bad line gives its own message (STATUS_USAGE). 0, or -1 when there was one.
 */
int args_read(struct args *a, const char *path, struct errors *e);

/* The same with a text of `length` bytes, which is copied; `path` is for the messages. */
int args_parse(struct args *a, const char *path, const char *text, size_t length, struct errors *e);

/* Adds an entry as it is. */
void args_add(struct args *a, const char *key, const char *value, struct place at);

/* Adds KEY=VALUE behind the file's entries; readers of the entries let it override them. KEY= takes
 * all entries of that key away. Where KEY is a variable of a sweep, its values are set. 0, or -1
 * with a message. */
int args_set(struct args *a, const char *assignment, struct errors *e);

/* Of the text of a file: the comment at its beginning without its marks, and the rest, from the
 * first line that is none on. Both leave out lines for programs (# quick: KEY=VALUE, # full:
 * EXPERIMENT, # SPDX). To be freed. */
char *args_comment(const char *text);
char *args_lines(const char *text);
/* The experiment that measures more of the same: of a line "# full: latency/1_staircase" of that
 * comment. To be freed; NULL: it names none. */
char *args_full(const char *text);

void args_free(struct args *a);

#endif
