/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that the environment names. */
#ifndef INSERTED_LOG_H
#define INSERTED_LOG_H

#include <stdio.h>

/* Appends to the file that the variable names; "-" is stderr. NULL: not set, or (told on stderr)
 * not writable. Lines of several threads do not mix. */
FILE *log_open(const char *variable);

#endif
