/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How busy the machine is with other things, from /proc/stat. */
#ifndef LOAD_H
#define LOAD_H

#include <stdint.h>

struct load {
	double all_s, busy_s, steal_s; /* of all CPUs together, since boot */
	double own_s;                  /* of this process */
};

void load_take(struct load *l);

/* Fractions of the time of all CPUs since `before`; 0 where the kernel does not tell. */
struct load_share {
	double steal;  /* taken by the hypervisor */
	double others; /* busy with other processes or the kernel's own work */
};
struct load_share load_since(const struct load *before);

#endif
