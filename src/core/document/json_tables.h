/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables and plots that the argument file requests, as part of the document. */
#ifndef JSON_TABLES_H
#define JSON_TABLES_H

#include <jansson.h>

#include "analysis/view.h"

/* A list with one object for each table of each view. It uses view_tables(), as the
 * pictures do. without: the `table` lines that have no figures. */
json_t *json_tables(const struct experiment *x, const struct views *v, json_t **without);

#endif
