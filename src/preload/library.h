/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State and functions that the parts of the library share. */
#ifndef MAP_LIBRARY_H
#define MAP_LIBRARY_H

#include <dlfcn.h>
#include <stdbool.h>

#include "share.h"

#define EXPORT __attribute__((visibility("default")))

/* NULL: not started by affinity-map, or the shared memory cannot be reached. */
extern struct map_share *share;

/* Returns the function that this one replaces. */
static inline void *next(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

/* If the library has bound the calling thread, lets it use all CPUs of the program; a new program
 * inherits that mask. Does nothing for unbound threads and for threads that the program has bound
 * itself. */
void unbind_thread(void);

/* Binds the thread again to the CPU that it had before unbind_thread(). */
void rebind_thread(void);

/* Call this before main(). */
void find_exec(void);

#endif
