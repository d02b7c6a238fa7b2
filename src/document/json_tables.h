/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables and plots that the argument file asks for, as the document has them. */
#ifndef JSON_TABLES_H
#define JSON_TABLES_H

#include <jansson.h>

#include "analysis/view.h"

/* A list with an object for each table of each view, from the same view_tables() that the text
 * report and the pictures take. */
json_t *json_tables(const struct experiment *x, const struct views *v);

#endif
