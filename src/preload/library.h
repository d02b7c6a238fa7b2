/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of the library know of the process that they are in. */
#ifndef MAP_LIBRARY_H
#define MAP_LIBRARY_H

#include <dlfcn.h>
#include <stdbool.h>

#include "share.h"

#define EXPORT __attribute__((visibility("default")))

/* NULL: not started by affinity-map, or the shared memory cannot be reached. */
extern struct map_share *share;

/* The function that this one replaces. */
static inline void *next(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

/* Lets the calling thread use all CPUs of the program, if the library has bound it; a new program
 * inherits that. For threads that the program has bound itself, and unbound ones: nothing. */
void unbind_thread(void);

/* Back to the CPU that unbind_thread() took it from. */
void rebind_thread(void);

/* To be called before main(). */
void find_exec(void);

#endif
