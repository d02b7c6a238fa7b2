/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that the environment names. */
#ifndef INSERTED_LOG_H
#define INSERTED_LOG_H

#include <stdio.h>

/* Appends to the file that the variable names, line by line; "-" is stderr. NULL: not set, or (told
 * on stderr) not writable. */
FILE *log_open(const char *variable);

/* Held while a line is written or a list is changed: fork() waits for it. */
void log_lock(void);
void log_unlock(void);

#endif
