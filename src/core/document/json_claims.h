/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes claims and their verdicts into the JSON document. */
#ifndef JSON_CLAIMS_H
#define JSON_CLAIMS_H

#include <jansson.h>

#include "analysis/claims.h"

json_t *json_claims(const struct experiment *x, const struct claims *c);

#endif
