/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs as files: where they are, and whether a library can be preloaded into them. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stddef.h>

/* The file that a command name means, as a shell finds it: itself when it has a slash, else looked
 * for in PATH. To be freed. NULL when there is none that may be executed; why[n] says so. */
char *program_find(const char *name, char *why, size_t n);

/* Why the dynamic linker will not preload a library of this program's kind into that file
 * ("statically linked"), written to why[n]; NULL: it will. Of a script its interpreter counts. */
const char *program_deaf(const char *path, char *why, size_t n);

#endif
