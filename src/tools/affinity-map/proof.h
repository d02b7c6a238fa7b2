/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the threads and the pages of a candidate really are, looked at while it runs: the CPUs of
 * its threads, and numa_maps and smaps of its processes. It costs the program some time, so the run
 * is one of its own.
 */
#ifndef MAP_PROOF_H
#define MAP_PROOF_H

#include <sys/types.h>

#include "affinity-map/candidates.h"

struct proof {
	int looks;            /* in which a process of the program was there */
	int threads;          /* the most at one time */
	int wide;             /* the most at one time that may use other CPUs than asked for */
	bool on[LINUX_CPUS];  /* CPUs that a thread was seen on */
	uint64_t bytes, huge; /* that no file backs, of the look with most; of them in huge pages */
	uint64_t at[LINUX_NODES]; /* the same by node */
	bool runtime;             /* the process with most of it has loaded affinity-rhp.so */
};

struct proof_watch;

/* Looks at the processes of a group each interval_s, from now on. NULL: no thread for it. */
struct proof_watch *proof_begin(
	struct proof *p, const struct candidate *c, pid_t group, double interval_s);
void proof_end(struct proof_watch *w);

/* What is not as the candidate asks, NULL: nothing that was seen. To be freed. */
char *proof_fault(const struct proof *p, const struct candidate *c);

/* "4 threads, seen on CPU 0-3; 512.0 MiB, on node 0 98 %, on node 1 2 %, in huge pages 90 %". To be
 * freed.
 */
char *proof_text(const struct proof *p);

#endif
