/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes a JSON document piece by piece. A tree of the whole document takes ten times the memory of
 * the samples in it; here only the piece that is being written exists as a tree.
 */
#ifndef STREAM_H
#define STREAM_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

struct stream {
	FILE *out;
	int level;   /* open objects and lists: the indentation */
	bool filled; /* the innermost one has a member already */
	bool failed; /* a piece could not be made or written */
};

/* Begins an object ('{') or a list ('['). key: its name in the object around it; NULL in a list and
 * for the document itself. */
void stream_open(struct stream *s, const char *key, char bracket);
/* Ends it: '}' or ']'. */
void stream_close(struct stream *s, char bracket);

/* Writes a value and releases it; a NULL, out of memory, fails. */
void stream_value(struct stream *s, const char *key, json_t *value);

#endif
