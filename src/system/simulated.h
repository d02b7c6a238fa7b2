/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether this machine is only simulated: its times are a model's or an emulator's. */
#ifndef SIMULATED_H
#define SIMULATED_H

#include <stddef.h>

/* By what the machine is simulated, written to text; NULL when nothing tells that it is. A test
 * machine says so in the environment variable AFFINITY_SIMULATED; QEMU's software emulation shows
 * itself on x86.
 */
const char *simulated_by(char *text, size_t size);

#endif
