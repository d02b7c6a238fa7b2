/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What --plan does with a file, for the fuzz targets: any bytes, no exit, nothing printed. */
#ifndef PIPELINE_H
#define PIPELINE_H

#include <stddef.h>
#include <stdint.h>

#include "topology/topo.h"

/* Reads the bytes as an argument file, plans it for the machine and checks what must hold of every
 * plan and of every refusal; calls abort() when it does not hold. */
void pipeline(const uint8_t *data, size_t size, const struct topo *t);

/* Loads a machine: a description for HWLOC_SYNTHETIC, or FILE.xml of tests/topologies. Returns 0 or
 * -1. */
int pipeline_machine(struct topo *t, const char *machine);

#endif
