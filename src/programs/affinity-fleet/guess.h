/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nodes that their facts call alike, and that seem to be of two kinds (fleet/kinds.h). */
#ifndef FLEET_GUESS_H
#define FLEET_GUESS_H

#include "base/error.h"
#include "programs/affinity-fleet/verdicts.h"

/* A warning for the resource that shows it most, where the kinds differ by FLEET_FLOOR at least. */
void guess_kinds(
	const struct group *g, const struct verdicts *v, const struct intake *in, struct errors *e);

#endif
