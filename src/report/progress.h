/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The progress line on a terminal: elapsed and remaining time. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct progress {
	bool on;
	uint64_t start_ns, shown_ns;
};

/* Shows nothing if standard error is not a terminal, or if quiet. */
void progress_init(struct progress *p, bool quiet);

/* An experiment_progress (measure/experiment.h); arg is the struct. It is called only between
 * samples, and writes rarely. */
void progress_show(void *arg, const char *label, size_t done, size_t all);

/* Wipes the line. */
void progress_end(struct progress *p);

#endif
