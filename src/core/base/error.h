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

/* A place in the arguments. file NULL: no particular place; line 0: the whole file. */
struct place {
	const char *file; /* not owned */
	int line;
};

#define NOWHERE ((struct place){NULL, 0})

struct message {
	enum status status; /* STATUS_OK: a warning */
	int line;           /* 0: no line */
	char *text;         /* "FILE:LINE: what is wrong", owned */
	char *hint;         /* what to do, or NULL, owned */
	const char *about;  /* constant: the fact of the machine that a warning is about, or NULL */
};

struct errors {
	struct message *list;
	size_t count;
	size_t failures; /* how many of these are not warnings */
	size_t room;     /* for messages of further files, beyond the hundred of one */
	size_t shown;    /* how many errors_print_short() has printed */
	char *last;      /* said after all messages, where warnings are; owned, or NULL */
	bool repeated;   /* the last message was there already, and was not added again */
};

/* Adds a message, unless the list already contains the same one (one bad value, seen by every
 * kernel) or a hundred others; then one more message stands for the rest. STATUS_OK makes it a
 * warning, STATUS_READER_LEFT one that is not printed. Always returns -1, so that a function can
 * return it. */
int error_add(struct errors *e, enum status status, struct place at, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Adds a message about an unknown word, and asks whether the known word `nearest` was meant
 * (text_nearest(); NULL: none is near). Returns -1. */
int error_unknown(struct errors *e, enum status status, struct place at, const char *nearest,
	const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Gives the newest message a hint: what to write or to run instead, with the names that files of
 * the project have where it is installed (installed.h). Returns -1. */
int error_hint(struct errors *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Says which fact of the machine the newest message is about; `fact` is a constant. */
void error_about(struct errors *e, const char *fact);

/* A warning without a place in the arguments. */
void error_warn(struct errors *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds a copy of another list's message with its hint, unless the list already contains the same
 * one. */
void error_copy(struct errors *e, const struct message *m);

/* What is said after all messages: a line without its end, which the list frees, or NULL. */
void errors_conclude(struct errors *e, char *line);

/* STATUS_OK when there are only warnings; else what the process must exit with. Bad arguments take
 * precedence over placement: while the file is wrong, it is unknown which placement it asks for. */
enum status errors_status(const struct errors *e);

/* The text of the first message that is not a warning, or NULL. */
const char *errors_failure(const struct errors *e);

/* Gives the newest message, which repeats errors_failure() of another list, that one's hint. */
void error_hint_of(struct errors *e, const struct errors *other);

/* Sorts messages by their line in the file; those without a line come first. */
void errors_sort(struct errors *e);

/* Puts `to` in the place of the key `from` in all texts and hints. A key of small letters, which
 * may be a word of a sentence, is a key where ':', '=' or 'takes' follows, or "key '" stands before
 * it. */
void errors_rename(struct errors *e, const char *from, const char *to);

/* Prints every message and hint from index `first` on, one per line. */
void errors_print(const struct errors *e, size_t first, FILE *out);

/* The same without warnings. */
void errors_print_failures(const struct errors *e, FILE *out);

/* Did failures find no room in the list? */
bool errors_left_out(const struct errors *e);

/* Prints what a user reads at once of the messages that it has not printed yet: the first 20
 * failures, with how many more there are, and the warnings if these are asked for. Of many failures
 * that differ in numbers only, such as those of a range, the first stands for all. */
void errors_print_short(struct errors *e, bool warnings, FILE *out);

/* The text of a warning without the name of the program that says it and without "warning: ", for
 * where it stands below a heading. */
const char *error_plain(const char *text);

void errors_free(struct errors *e);

#endif
