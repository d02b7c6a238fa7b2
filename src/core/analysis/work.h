/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes that the kernels of a run move: as the program sees them, and with the lines that are
 * fetched only to be stored to (write-allocate). */
#ifndef WORK_H
#define WORK_H

#include "measure/samples.h"

/* Bytes of a unit that write-allocate adds; NAN where they are not known, because caches may hold a
 * part of the lines or another thread may have fetched them. */
double work_fills(const struct plan_job *job);
/* Bytes with write-allocate / bytes as the program sees them: the factor from the one bandwidth to
 * the other. NAN without bytes, and where it is not known. */
double work_traffic(const struct plan_job *job);

#endif
