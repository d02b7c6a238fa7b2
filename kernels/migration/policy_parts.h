/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A policy as its threads share it. Included in policy.c, policy_run.c and their test only. */
#ifndef POLICY_PARTS_H
#define POLICY_PARTS_H

#include "policy.h"

#include "moved_pages.h"
#include "spm.h"
#include "spread.h"
#include "touch.h"

/* Has the runtime, moves pages when they are touched, or copies. */
struct policy {
	struct spm *spm;
	struct touch *touch;
	struct copying copying;
	bool copies;
	bool spreads, pins; /* pages over nodes; threads that are free */
	struct spread spread;
	bool parts;                /* each thread's on a node */
	struct spm *turns;         /* the threads on nodes in turn */
	double balanced;           /* by the kernel, until the sample began */
	int lead;                  /* the thread that brings the pages back and tells of them */
	bool eager, compiled;      /* no calls by hand */
	bool inline_tests, ready;  /* compiled: ready from compiled_begin() to compiled_end() */
	struct moved_pages *pages; /* [n], of the vectors */
	int n;
	char message[256];
};

/* At the end of a sample, by the first thread that comes to it. */
void policy_unready(struct policy *p);

#endif
