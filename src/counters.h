/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hardware counters: the only user of PAPI, which may be absent at build time. */
#ifndef COUNTERS_H
#define COUNTERS_H

#include <stddef.h>

/* Whether hardware counters count on this machine, in one line for reports: "PAPI 7.0.0, cycles
 * count" or why not. Found by counting: PAPI calls events available that then cannot be added, or
 * never count. */
const char *counters_state(char *buffer, size_t n);

#endif
