/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the kernels of a run move: as the program sees it, and with the lines that are fetched only
 * to be stored to (write-allocate). */
#ifndef WORK_H
#define WORK_H

#include "run.h"

/* What one unit of a job does, its parameters considered. */
struct work work_of(const struct plan_job *job);

/* Bytes of one thread's part of a sample; *fills those that write-allocate adds to them. */
double work_bytes(const struct run *r, int op, const struct sample *s, int thread, double *fills);

/* Bytes with write-allocate / bytes as the program sees them, of one thread (or of all together,
 * thread < 0) in the last sample: what turns the one bandwidth into the other. NAN without bytes.
 */
double work_traffic_ratio(const struct run *r, int op, int thread);

#endif
