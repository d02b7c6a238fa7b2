/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The places of a machine, as mapping.h wants them. */
#ifndef SEATS_H
#define SEATS_H

#include "mapping/mapping.h"
#include "topology/topo.h"

/* Every hardware thread that this process may use, to be freed; how many in *n. */
struct mapping_seat *seats_usable(const struct topo *t, int *n);

#endif
