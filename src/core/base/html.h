/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts in HTML. */
#ifndef BASE_HTML_H
#define BASE_HTML_H

#include <stddef.h>
#include <stdio.h>

/* Writes text from files: escapes every character that has a meaning in HTML, and leaves out
 * control characters. Writes n bytes, or all. */
void html_text(FILE *out, const char *text);
void html_text_n(FILE *out, const char *text, size_t n);

/* A value that writes itself. */
struct html_part {
	void (*write)(FILE *out, const struct html_part *p);
	const char *text;
};

/* As fprintf(), but %s is written as html_text() does. %-s is HTML as it is, %p a struct html_part,
 * %a a coordinate, with the fewest digits that give the same number when read back. Of the others
 * there are %c, %d, %u, %f and %g; only %s, %f and %g may have a `*`. */
void html(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
