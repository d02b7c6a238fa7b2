/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages with a place, collected so that a user sees all mistakes at once. Functions add to a
 * list and return -1 or NULL; only a program's main prints the list and ends the process with
 * errors_status().
 */
#ifndef ERROR_H
#define ERROR_H

#include <stdbool.h>
#include <stdio.h>

#include "base/status.h"

/* Where in the arguments something stands. file NULL: nowhere in particular; line 0: the file as a
 * whole. */
struct place {
	const char *file; /* not owned */
	int line;
};

#define NOWHERE ((struct place){NULL, 0})

struct message {
	enum status status; /* STATUS_OK: a warning */
	int line;           /* 0: of no line */
	char *text;         /* "FILE:LINE: what is wrong", owned */
	char *hint;         /* what to do, or NULL, owned */
};

struct errors {
	struct message *list;
	size_t count;
	size_t failures; /* of these, how many are not warnings */
	bool repeated;   /* the last message was there already, and was not added again */
};

/* Adds a message, unless the very same is there already (one bad value, seen by every kernel), or a
 * hundred others are: one more stands for the rest. STATUS_OK makes it a warning. Always returns
 * -1, so that a function can return it. */
int error_add(struct errors *e, enum status status, struct place at, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Adds a message about a word that is none of the known ones, and asks whether `nearest` of them
 * was meant (text_nearest(); NULL: none is near). Returns -1. */
int error_unknown(struct errors *e, enum status status, struct place at, const char *nearest,
	const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Gives the newest message a hint: what to write or to run instead. Returns -1. */
int error_hint(struct errors *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A warning without a place in the arguments. */
void error_warn(struct errors *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds a copy of another list's message, hint included, unless the very same is there already. */
void error_copy(struct errors *e, const struct message *m);

/* STATUS_OK when there are only warnings; else what the process must exit with. Bad arguments come
 * before placement: while the file is wrong, nothing is known about what it asks for. */
enum status errors_status(const struct errors *e);

/* Orders messages as the lines of the file are, those without a line first. */
void errors_sort(struct errors *e);

/* Prints every message and hint from the first-th on, one a line. */
void errors_print(const struct errors *e, size_t first, FILE *out);

void errors_free(struct errors *e);

#endif
