/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quantities as people read them. */
#ifndef HEADING_H
#define HEADING_H

/* The title of a table or an axis, which begins with a quantity, in words: "time (ns per access),
 * chase" of "ns_per_unit (ns), chase", "whole time (s)" of "whole_time (s)", "tokens (token/s)" of
 * "tokens_per_s (token/s)". Names of events, which
 * have points, colons or capitals, stay. counted: what a unit is; NULL: several things, or not
 * known. To be freed. */
char *heading_words(const char *title, const char *counted);

/* The same without unit and what follows: "time per access". To be freed. */
char *heading_subject(const char *title, const char *counted);

#endif
