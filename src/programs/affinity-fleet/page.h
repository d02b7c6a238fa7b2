/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts that the pages have in common. */
#ifndef FLEET_PAGE_H
#define FLEET_PAGE_H

#include "programs/affinity-fleet/documents.h"

void fleet_page_begin(const char *title, FILE *out);
void fleet_page_heading(char *text, FILE *out); /* frees it */

/* Slower is red, faster is blue; what is within the tolerance is white. */
void fleet_page_cell(double effect, double tolerance, FILE *out);

/* What the nodes of a group have in common. */
void fleet_page_facts(const struct findings *f, const struct group *g, FILE *out);

/* The nodes that were not judged, and the end. */
void fleet_page_end(const struct findings *f, FILE *out);

#endif
