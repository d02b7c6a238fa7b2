/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A stream into memory. When memory runs out it ends the process with a message. open_memstream()
 * does not: the C library leaves out what finds no room, and neither ferror() nor fclose() says so.
 */
#ifndef BUFFER_H
#define BUFFER_H

#include <stdio.h>

struct buffer {
	char *data; /* after buffer_close(); never NULL, to be freed; a 0 follows it */
	size_t size;
};

/* The stream to write to. */
FILE *buffer_open(struct buffer *b);

/* Closes the stream. */
void buffer_close(struct buffer *b, FILE *out);

/* The same; returns the data. */
char *buffer_text(struct buffer *b, FILE *out);

/* Closes the stream, prints what was written to it as text_print_shown() does, and frees it. */
void buffer_show(struct buffer *b, FILE *out, FILE *to);

#endif
