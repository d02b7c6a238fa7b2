/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Result files: a run writes all of its files, or none. Results are made in memory and written to
 * temporary files beside their targets. The files are renamed only when all of them are on the
 * disk, so that a failure leaves no incomplete file, no damaged earlier file and no mixture of
 * files of different runs (base/turns.h). No file or link that another user may have planted is
 * written to, replaced or followed (base/target.h).
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

/* Checks before the measurement whether `path` can be written. "-" is standard output; a file that
 * exists must be writable, and its folder must allow files to be made and replaced. Returns 0, or
 * -1 with a message (STATUS_FAILED). */
int output_check(const char *path, struct errors *e);

/* Writes all outputs. Devices, pipes and descriptors (-, /dev/stdout, /dev/fd/7) are not replaced;
 * data are appended to them. A failure there does not prevent the replacement of files. Either all
 * files are replaced or none. Returns 0, or -1 with a message for each that could not be written.
 */
int output_write_all(const struct output *outputs, size_t count, struct errors *e);

/* The same for one output. */
int output_write(const char *path, const char *data, size_t size, struct errors *e);

/* Is it a device, a pipe or a descriptor? Results are appended to it. */
bool output_is_stream(const char *path);

/* Do both names refer to the same file, pipe or descriptor? Links count as their targets. Devices
 * may be named twice: /dev/null takes everything. */
bool output_same(const char *a, const char *b);

/* A message for each pair of names that refer to the same file: an output that is also an input, or
 * that is written twice, would lose content. NULL is no name. Returns 0, or -1 with messages. */
int output_distinct(const char *const *files, size_t count, struct errors *e);

#endif
