/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What affinity-fleet tells of changes: people, and other programs
 * (results/schema-fleet-changes-1.json). */
#ifndef FLEET_CHANGES_DOCUMENTS_H
#define FLEET_CHANGES_DOCUMENTS_H

#include "programs/affinity-fleet/changes.h"
#include "programs/affinity-fleet/documents.h"

void changes_report(const struct findings *f, FILE *out);
void changes_json(const struct findings *f, FILE *out);
void changes_csv(const struct findings *f, FILE *out);
void changes_page(const struct findings *f, FILE *out);

#endif
