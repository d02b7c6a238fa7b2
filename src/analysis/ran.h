/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a thread that was not bound ran, as far as the samples know. */
#ifndef RAN_H
#define RAN_H

#include <stdio.h>

#include "measure/run.h"

struct ran {
	bool *cpus;         /* [ncpu_index of the topology]: seen on it before or after a sample */
	int64_t migrations; /* within the samples that count; -1: the kernel does not tell */
};

/* Of one thread in one operation's samples, warm-up left out. */
void ran_find(const struct run *r, int op, int thread, struct ran *ran);
void ran_free(struct ran *ran);

/* A line for each thread that is not bound and each operation; nothing where all are bound. */
void ran_report(const struct run *r, FILE *out);

#endif
