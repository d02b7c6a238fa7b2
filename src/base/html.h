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

/* What a browser would show of the pieces of a paragraph, without their links. */
void html_plain(FILE *out, const char *html);

#endif
