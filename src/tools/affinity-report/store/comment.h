/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The comment at the start of an argument file. */
#ifndef COMMENT_H
#define COMMENT_H

#include <stdbool.h>

struct comment {
	char *all;   /* paragraphs, divided by empty lines */
	char *title; /* its first sentence, or what is before its colon; "": there is no comment */
	char *rest;  /* what follows the title */
};

/* Of args_comment() of a file, which it owns from then on. whole: the title is the whole sentence.
 */
struct comment comment_read(char *all, bool whole);
void comment_free(struct comment *c);

#endif
