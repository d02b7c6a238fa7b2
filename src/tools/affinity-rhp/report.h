/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the programs of a command got. */
#ifndef REPORT_H
#define REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "preload/rhp_memory.h"

/* A paragraph for each program that asked for large blocks. */
void report_programs(const struct rhp_share *s, FILE *out);

/* How many records there are. */
int report_records(const struct rhp_share *s);

/* Adds where the pages of all programs lay when they were released or a program ended. false: of
 * some it is not known. */
bool report_found(const struct rhp_share *s, struct rhp_pages *sum);

/* Warns of programs that did not load the library, that have an allocator of their own, or of which
 * something is not known. name: the command's, path: its file. */
void report_warnings(
	const struct rhp_share *s, const char *name, const char *path, struct errors *e);

#endif
