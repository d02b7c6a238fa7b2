/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The progress line on a terminal: what is done now, elapsed and remaining time. Elsewhere it is a
 * line a minute, for the logs of batches. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "measure/experiment.h"

struct progress {
	bool on, terminal;
	uint64_t start_ns, shown_ns;
};

/* Shows nothing if quiet. */
void progress_init(struct progress *p, bool quiet);

/* Tells at once, on a line that stays, what takes so long before the file is measured. */
void progress_begin(struct progress *p, const char *what, double guess_s);

/* An experiment_progress (measure/experiment.h); arg is the struct. It is called only between
 * samples, and writes rarely. */
void progress_show(void *arg, const struct experiment_step *step);

/* "run 3 of 12, d=10: read, sample 7 of 11; 12 s, about 30 s to go", without an end of the line. */
void progress_text(const struct experiment_step *s, double elapsed_s, FILE *out);

/* Wipes the line. */
void progress_end(struct progress *p);

#endif
