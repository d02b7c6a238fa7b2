/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What affinity-fleet tells other programs: JSON (results/schema-fleet-1.json), CSV with a row for
 * each node, a page of HTML with a map of nodes and experiments, and metrics for the textfile
 * collector of Prometheus's node_exporter. */
#ifndef FLEET_DOCUMENTS_H
#define FLEET_DOCUMENTS_H

#include <stdio.h>

#include "document/value.h"
#include "programs/affinity-fleet/verdicts.h"

struct changes; /* changes.h */

/* All that was found. */
struct findings {
	const struct intake *in;
	const struct host *hosts;
	const struct group *groups;
	const struct verdicts *verdicts; /* [count]; NULL: changes were asked for */
	const struct changes *changes;   /* [count]; NULL: verdicts were */
	double days;                     /* of a date; 0: before and after */
	size_t count;
	double tolerance; /* per cent */
	const struct errors *warnings;
};

void documents_json(const struct findings *f, FILE *out);
void documents_csv(const struct findings *f, FILE *out);

/* A comma and the value; nothing behind it, where there is none. */
void fleet_csv_number(double value, FILE *out);
void documents_page(const struct findings *f, FILE *out);
void documents_metrics(const struct findings *f, FILE *out);

/* ---- parts that pages have in common (page.c) */

void fleet_page_begin(const char *title, FILE *out);
void fleet_page_heading(char *text, FILE *out); /* frees it */

/* Slower is red, faster is blue; what is within the tolerance is white. */
void fleet_page_cell(double effect, double tolerance, FILE *out);

/* What the nodes of a group have in common. */
void fleet_page_facts(const struct findings *f, const struct group *g, FILE *out);

/* The nodes that were not judged, and the end. */
void fleet_page_end(const struct findings *f, FILE *out);

/* ---- parts that JSON documents have in common (json.c) */

json_t *fleet_json_owned(char *text); /* frees it */
json_t *fleet_json_facts(const struct findings *f, const struct group *g);
json_t *fleet_json_refused(const struct findings *f);

#endif
