/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The argument file that a document was measured with. Nothing else reads its text: what it asked
 * for is in the document's other fields. */
#ifndef DOCUMENT_ARGUMENTS_H
#define DOCUMENT_ARGUMENTS_H

#include <stdio.h>

#include "document/document.h"
#include "input/args.h"

/* Its entries, and behind them those of --set; args_free() frees them. 0, or -1 with a message for
 * each bad line. */
int document_arguments(struct args *a, const struct document *d, struct errors *e);

/* args_comment(), args_full() and args_lines() of it. */
char *document_comment(const struct document *d);
char *document_full(const struct document *d);
char *document_lines(const struct document *d);

/* Were they measured with the same file, to the last character? */
bool document_same_file(const struct document *a, const struct document *b);
/* And with the same --set? */
bool document_same_arguments(const struct document *a, const struct document *b);

/* Prints "--set KEY=VALUE " for a shell, as often as it was given. */
void document_print_set(const struct document *d, FILE *out);

#endif
