/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What libraries share that count the programs which a program executes, and their ends, in memory
 * of the command that preloads them. */
#ifndef PRELOAD_EXEC_H
#define PRELOAD_EXEC_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

/* Returns the function that this one replaces. */
static inline void *next(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

/* The command's memory, of this size and beginning with this number, at the path that the variable
 * has. NULL: there is none, or it is not of this library's version or of this user. */
void *find_share(const char *variable, size_t size, uint32_t magic);

/* Call this before main(). */
void find_exec(void);

/* Each library defines these. A program is about to be executed; replaces: in place of this one.
 * Afterwards, where this program goes on: it was, by another process, or that failed. A child of
 * vfork() calls them too: it shares its parent's memory. */
void exec_begins(bool replaces);
void exec_ends(bool failed);

/* Each library defines this. The process ends; by_exit: destructors of other libraries may follow,
 * and another call. A child of vfork() calls it too. */
void process_ends(bool by_exit);

#endif
