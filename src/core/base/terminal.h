/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines for people: as wide as the terminal that shows them. */
#ifndef TERMINAL_H
#define TERMINAL_H

#include <stdio.h>

/* Columns of the terminal that a stream goes to; 0: it goes to none, and lines stay whole. */
int terminal_width(FILE *out);

/* Its lines; 0: it goes to none. */
int terminal_height(FILE *out);

/* How many lines a text has. */
int terminal_lines(const char *text);

/* Prints a text. Lines of more than `width` columns, if that is not 0, are folded between words,
 * and go on below their last column: what follows two blanks or more. */
void terminal_fold(const char *text, int width, FILE *out);

/* Prints what print() writes on standard output, folded to its terminal. */
void terminal_show(void (*print)(FILE *out));

/* Prints the words for which the rest of the line has room, with "..." for the others, and ends the
 * line. */
void terminal_cut(const char *text, int used, int width, FILE *out);

/* Replaces the last line of a terminal by what of the text has room there, without its end; ""
 * wipes it. A longer one would leave a row behind each time. Nothing elsewhere. */
void terminal_status(const char *text, FILE *out);

#endif
