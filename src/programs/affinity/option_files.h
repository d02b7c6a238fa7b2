/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which files of results the command line asks for. */
#ifndef OPTION_FILES_H
#define OPTION_FILES_H

#include "base/error.h"
#include "programs/affinity/options.h"

/* The text report goes to the operand OUT, to what --output names, or to standard output. */
void option_files_report(struct options *o, struct errors *e);

/* Rejects an output that is also the argument file or another output, because writing it would
 * destroy the other one. */
void option_files_check(const struct options *o, struct errors *e);

/* What is measured: where a folder is named, the results of one argument file get its name there;
 * those of several need a folder, or a stream that takes one after another. */
void option_files_name(struct options *o, struct errors *e);

/* The options for one of several argument files, with results of its own; to be freed by
 * option_files_free(), before o. */
void option_files_for(
	struct options *own, const struct options *o, const char *args, struct errors *e);

void option_files_free(struct options *o);

#endif
