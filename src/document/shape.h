/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A text of fixed form, such as "2 nodes, 8 cores", and the JSON object of its fields: each is made
 * of the other by one description of both, the shape: "{nodes} node(s), {cores} core(s)".
 *
 *   {name}     a number
 *   {x_bytes}  a size, "48 KiB" in the text, bytes in JSON; {bytes} is one, too
 *   {*name}    a text, up to the character that follows in the shape
 *   (s)        "s" if the number before is not 1; a text that is read may have it or not
 */
#ifndef SHAPE_H
#define SHAPE_H

#include <jansson.h>

/* NULL: the text is not of the shape. */
json_t *shape_read(const char *shape, const char *text);
/* The text, to be freed; NULL: a field is missing or of another type. */
char *shape_write(const char *shape, const json_t *o);

/* `text` and `more`, of which the first is freed. */
char *shape_append(char *text, const char *separator, const char *more);

#endif
