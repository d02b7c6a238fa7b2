/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kinds of cores in the runs of a sweep. */
#ifndef ANALYSIS_KINDS_H
#define ANALYSIS_KINDS_H

#include "measure/experiment.h"

/* The kinds of cores, divided by commas, that begin with this run: its threads use them, and no
 * thread of an earlier run does. NULL: none, or it is the first run that can be done, or the file
 * itself says which cores threads use. To be freed. */
char *kinds_begin(const struct experiment *x, size_t run);

/* Does a run have threads on cores of a kind? */
bool kinds_use(const struct run *r, int kind);

/* Does any run have threads on cores of several kinds? */
bool kinds_mixed(const struct experiment *x);

#endif
