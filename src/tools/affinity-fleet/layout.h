/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which figures of a group are judged, and what they belong to. */
#ifndef FLEET_LAYOUT_H
#define FLEET_LAYOUT_H

#include "affinity-fleet/group.h"

/* Chooses the experiments, figures, resources and domains of a group whose hosts are known: what at
 * least half of the nodes have. Nodes that have none of it become refused and leave the group. No
 * figures: nothing is common. A resource is an experiment; where there are fewer than three, which
 * could not say which of them is slow, an operation of one. */
void layout_of(struct group *g, const struct intake *in, struct host *hosts);

/* The column of a figure of the intake; layout.figures: it has none. */
size_t layout_find(const struct group *g, size_t figure);

#endif
