/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time for which a hypervisor took CPUs away while a sample was taken. */
#ifndef STOLEN_H
#define STOLEN_H

#include <stdint.h>

struct stolen {
	int64_t *ns; /* [2 * cpus] before and after; NULL: no hypervisor ever took a CPU */
	int cpus;
};

/* On a machine whose CPUs were never taken away, the stolen time is not read: reading it would cost
 * every sample a millisecond on a large machine. */
void stolen_init(struct stolen *s, int cpus);
void stolen_free(struct stolen *s);

void stolen_before(const struct stolen *s);
/* After this call stolen_of() returns the time that was taken from a CPU in between, in
 * nanoseconds. */
void stolen_after(const struct stolen *s);
int64_t stolen_of(const struct stolen *s, int cpu);

#endif
