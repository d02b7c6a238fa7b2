/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Page faults of a thread, and what they prove. */
#ifndef MINOR_H
#define MINOR_H

#include <stdbool.h>

#include "kernel.h"

/* Of the calling thread, without those that needed a disk. */
uint64_t minor_faults(void);

struct minor_count {
	uint64_t expected, counted; /* of all samples */
	uint64_t ever;              /* counted since the thread began */
	bool balancing; /* kernel.numa_balancing: it adds faults of its own, and spares none */
};

/* As prove() of struct kernel_system; what: "first writes". */
enum event_proof minor_judge(const struct minor_count *c, const char *what, char *text, size_t n);

#endif
