/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How busy the machine is with other work (from /proc/stat), and how much time a CPU quota takes.
 */
#ifndef LOAD_H
#define LOAD_H

#include "system/quota.h"

struct load {
	struct quota quota;            /* of this process's control groups */
	double all_s, busy_s, steal_s; /* of all CPUs together, since boot */
	double kernel_s;               /* part of busy_s: interrupts and the system's own threads;
					  NAN: these are not shown, as in a container */
	double own_s;                  /* of this process */
};

void load_take(struct load *l);

/* Since `before`: fractions of the time of all CPUs; 0 when the kernel does not report them. */
struct load_share {
	double steal;       /* taken by the hypervisor */
	double others;      /* busy with other processes or the kernel's own work */
	double kernel;      /* the part of it that is the kernel's own; NAN: not known */
	double quota_cpus;  /* the quota, when it was lowest */
	double throttled_s; /* seconds for which a CPU quota stopped CPUs of this process, summed */
	uint64_t periods;   /* periods of the quota in which it did so */
};
struct load_share load_since(const struct load *before);

#endif
