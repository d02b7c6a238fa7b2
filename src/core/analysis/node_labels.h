/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nodes of memory as labels of tables. */
#ifndef NODE_LABELS_H
#define NODE_LABELS_H

#include "measure/experiment.h"

/* The label of a value of the sweep's variable `v`: the value, with the kind of memory behind it
 * where the variable says where vectors lie: "2 (HBM)". To be freed. */
char *node_label(const struct experiment *x, int v, const char *value);

#endif
