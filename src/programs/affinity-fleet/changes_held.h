/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Nodes from which something began to take time, or does so no more (held.h has what that is):
 * costs do not show it.
 *
 * A node is held up from a date on where all dates from it on, three at least (two, where the date
 * is known), are beyond the median of those before it by the tolerance, and by 4 standard
 * deviations of all nodes from date to date. What comes and goes is no change.
 */
#ifndef FLEET_CHANGES_HELD_H
#define FLEET_CHANGES_HELD_H

#include "fleet/shift.h"

/* Changes shifts of nodes that are held up and not known to be slower: their set is fleet_sets(),
 * without an interval. times: as s->values, of all samples. */
void changes_held(const struct fleet_series *s, const double *times, struct fleet_shifts *shifts);

#endif
