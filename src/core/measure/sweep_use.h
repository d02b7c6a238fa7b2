/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Does a file use the variables that it sweeps? */
#ifndef SWEEP_USE_H
#define SWEEP_USE_H

#include "input/sweep.h"

/* A variable that no key uses makes identical runs with different names. 0, or -1 with a message
 * (STATUS_USAGE) for each such variable and with the line to write. */
int sweep_check_use(const struct sweep *s, const struct args *a, struct errors *e);

#endif
