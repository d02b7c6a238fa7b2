/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Is this machine only simulated? Then its times are those of a model or an emulator. */
#ifndef SIMULATED_H
#define SIMULATED_H

#include <stddef.h>

/* Writes what simulates the machine to text; returns NULL when nothing shows that the machine is
 * simulated. A test machine sets the environment variable AFFINITY_SIMULATED; QEMU's software
 * emulation is detected on x86. */
const char *simulated_by(char *text, size_t size);

#endif
