/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The CPUs that the process was given, before its libraries bound the first thread. */
#ifndef GIVEN_CPUS_H
#define GIVEN_CPUS_H

/* Lets the calling thread use all of them again: with OMP_PROC_BIND, OMP_PLACES or
 * GOMP_CPU_AFFINITY in the environment, libgomp binds the first thread to one place before main(),
 * and programs that this one starts would have no other CPUs. 0, or -1 with errno. */
int given_cpus_restore(void);

#endif
