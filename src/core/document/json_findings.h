/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes findings into the JSON document. */
#ifndef JSON_FINDINGS_H
#define JSON_FINDINGS_H

#include <jansson.h>

#include "analysis/finding.h"

json_t *json_findings(const struct finding_list *f);

#endif
