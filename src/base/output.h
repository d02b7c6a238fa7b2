/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Result files: whole or not at all. A result is made in memory, written to a temporary file beside
 * its target and renamed, so that a failed run leaves neither half a file nor a damaged earlier
 * one.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stddef.h>

#include "base/error.h"

/* Finds out before anything is measured whether `path` can be written: "-" is standard output; a
 * file that exists must be writable, its folder must let files be made. 0, or -1 with a message
 * (STATUS_FAILED). */
int output_check(const char *path, struct errors *e);

/* Writes size bytes as the file `path`. Devices and pipes are written to as they are. 0, or -1 with
 * a message. */
int output_write(const char *path, const char *data, size_t size, struct errors *e);

/* Do both names mean the same file (or both standard output)? Two that do not exist yet are
 * compared as text. */
int output_same(const char *a, const char *b);

#endif
