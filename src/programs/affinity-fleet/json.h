/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts that the JSON documents have in common. */
#ifndef FLEET_JSON_H
#define FLEET_JSON_H

#include "document/value.h"
#include "programs/affinity-fleet/documents.h"

json_t *fleet_json_owned(char *text); /* frees it */
json_t *fleet_json_facts(const struct findings *f, const struct group *g);
json_t *fleet_json_refused(const struct findings *f);

#endif
