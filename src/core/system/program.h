/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs as files: where they are, and whether a library can be preloaded into them. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stddef.h>

#include "base/error.h"

/* Finds the file of a command name as a shell does: a name with a slash is the file itself, any
 * other name is looked up in PATH. The caller frees the result. Returns NULL when no such file may
 * be executed; why[n] says why. */
char *program_find(const char *name, char *why, size_t n);

/* The same for a command that is to be started. NULL with a message (STATUS_FAILED). */
char *program_command(const char *name, struct errors *e);

/* Refuses a program that program_find() did not find, because of `why` (STATUS_USAGE). Returns -1.
 */
int program_missing(const char *name, const char *why, struct errors *e);

/* The file of a program in the folder of this one, to be freed; NULL: it is not there. */
char *program_beside(const char *name);

/* What a program prints on standard output, to be freed; "" if it cannot be started or fails. Its
 * messages are dropped. argv[0] is its path: no shell reads any of these words. */
char *program_output(char *const argv[]);

/* Why the dynamic linker will not preload a library of this program's kind into that file
 * ("statically linked"), written to why[n]; NULL: it will. For a script the interpreter is checked.
 */
const char *program_deaf(const char *path, char *why, size_t n);

#endif
