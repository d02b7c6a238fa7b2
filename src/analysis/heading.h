/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quantities as people read them. */
#ifndef HEADING_H
#define HEADING_H

#include <stdbool.h>

/* The title of a table or an axis, which begins with a quantity, in words: "time (ns per access),
 * chase" of "ns_per_unit (ns), chase", "whole time (s)" of "whole_time (s)", "tokens (token/s)" of
 * "tokens_per_s (token/s)". Names of events, which
 * have points, colons or capitals, stay. counted: what a unit is; NULL: several things, or not
 * known. To be freed. */
char *heading_words(const char *title, const char *counted);

/* The same without unit and what follows: "time per access". To be freed. */
char *heading_subject(const char *title, const char *counted);

/* Makes the first letter large, as a sentence begins, unless the first word is a name, with
 * points, colons, underscores, digits or capitals in it: "mem_load.l3_miss", "nodePerThread".
 * False: it is one, and the text is as it was. */
bool heading_begin(char *text);

#endif
