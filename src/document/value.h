/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures, texts and messages as values of JSON. */
#ifndef VALUE_H
#define VALUE_H

#include <jansson.h>

#include "base/amount.h"
#include "base/error.h"

/* JSON has no NaN: a figure that does not exist is null. */
json_t *value_number(double number);

/* {value, low, high} */
json_t *value_amount(struct amount a);

/* A text that is not UTF-8, as a host name or path may be, would make the document no JSON: it
 * becomes "(not UTF-8)". */
json_t *value_string(const char *text);

/* A list of {text, hint}; hint is null where there is none. */
json_t *value_messages(const struct errors *e);

#endif
