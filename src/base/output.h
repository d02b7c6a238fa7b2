/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Result files: all of a run, or none. Results are made in memory and written to temporary files
 * beside their targets. Only when every one of them is on the disk are they renamed, so that a
 * failure leaves neither half a file, nor a damaged earlier one, nor files of different runs.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stddef.h>

#include "base/error.h"

struct output {
	const char *path; /* not owned */
	const char *data; /* not owned */
	size_t size;      /* bytes of data */
};

/* Finds out before anything is measured whether `path` can be written: "-" is standard output; a
 * file that exists must be writable, its folder must let files be made and replaced. 0, or -1 with
 * a message (STATUS_FAILED). */
int output_check(const char *path, struct errors *e);

/* Writes them all. Devices, pipes and descriptors (-, /dev/stdout, /dev/fd/7) are written to as
 * they are, at their end; what fails there does not keep files from being replaced. Of the files
 * either all are replaced or none. 0, or -1 with a message for each that could not be written. */
int output_write_all(const struct output *outputs, size_t count, struct errors *e);

/* The same for one. */
int output_write(const char *path, const char *data, size_t size, struct errors *e);

/* Do both names mean the same file, pipe or descriptor? Links count as what they lead to. Devices
 * can be named twice: /dev/null takes everything. */
bool output_same(const char *a, const char *b);

#endif
