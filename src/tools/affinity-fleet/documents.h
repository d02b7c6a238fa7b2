/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What affinity-fleet tells of its findings. */
#ifndef FLEET_DOCUMENTS_H
#define FLEET_DOCUMENTS_H

#include <stdio.h>

#include "affinity-fleet/findings.h"

/* People. */
void fleet_report(const struct findings *f, FILE *out);

/* The names of the nodes that must be run again, one a line. */
void fleet_suspects(const struct findings *f, FILE *out);

/* Other programs: JSON (results/schema-fleet-1.json, or schema-fleet-changes-1.json), CSV with a
 * row for each node, metrics for the textfile collector of Prometheus's node_exporter. */
void documents_json(const struct findings *f, FILE *out);
void documents_csv(const struct findings *f, FILE *out);
void documents_metrics(const struct findings *f, FILE *out);

/* Browsers: a map of nodes and resources, over time also of nodes and dates. */
void documents_page(const struct findings *f, FILE *out);

#endif
