/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures, texts and messages as JSON values. */
#ifndef VALUE_H
#define VALUE_H

#include <jansson.h>
#include <stdint.h>

#include "base/amount.h"
#include "base/error.h"

/* JSON has no NaN: a missing figure becomes null. */
double value_rounded(double number); /* with the digits of JSON; NAN: it has none there */
json_t *value_number(double number);

/* {value, low, high} */
json_t *value_amount(struct amount a);

/* A text that is not UTF-8, such as a host name or path, would make the document invalid JSON. Its
 * bytes that are no character become "\xHH". */
json_t *value_string(const char *text);

/* Equal values (json_equal()) have equal hashes; unlike ones hardly ever do. */
uint64_t value_hash(const json_t *value);

/* For a document of somebody else, in all texts and names: what a terminal would obey becomes text,
 * "\xHH". */
void value_show_controls(json_t *value);

/* A list of {text, hint}; hint is null if there is none. */
json_t *value_messages(const struct errors *e);

/* How all documents are written. 12 digits: a nanosecond of a thousand seconds. */
#define VALUE_DIGITS 12
#define VALUE_FORMAT (JSON_INDENT(1) | JSON_REAL_PRECISION(VALUE_DIGITS))

/* Writes a document (NULL: it could not be made) and releases it. 0 or -1. */
int value_write(json_t *document, FILE *out);

#endif
