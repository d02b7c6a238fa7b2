/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files that a run writes: one row for each format of results, and pictures beside the first
 * file. */
#ifndef OUTPUTS_H
#define OUTPUTS_H

#include "affinity/options.h"
#include "report/report.h"

struct output_format {
	const char *option; /* NULL: the operand OUT */
	const char *suffix; /* of its name in a folder */
	const char *help;
	void (*show)(const struct document *d, FILE *out); /* what --show prints too; or NULL: */
	int (*write)(const struct document *d, FILE *out); /* 0, or -1: out of memory */
};

/* OUTPUT_TEXT is the first row; suffix is NULL in the last one. A new format needs a writer and a
 * row in this table. */
extern const struct output_format output_formats[];

/* Rejects an output that is an argument file: `option` would replace it. 0, or -1 with a message.
 */
int outputs_spare_args(const char *option, const char *path, struct errors *e);

/* Can all files of results be written? Checked before anything else is done. 0, or -1 with
 * messages. */
int outputs_check(const struct options *o, struct errors *e);

/* Can this experiment give the mixes that --mix asks for? 0, or -1 with a message. */
int outputs_check_mix(const struct options *o, const struct experiment *x, struct errors *e);

/* Checks pictures in the same way. Also checks that neither a picture nor a result replaces another
 * one or a file that the arguments name. 0, or -1 with messages. */
int outputs_check_pictures(const struct options *o, const struct experiment *x,
	const struct views *v, struct errors *e);

/* Creates every requested format, then writes them: all files or none. 0, or -1 with messages. */
int outputs_write(const struct options *o, const struct document *d, struct errors *e);

/* Is --json asked for, by what measures nothing: --list, --topology, --plan, --check? */
bool telling_json(const struct options *o);

/* Is the text printed? Not where standard output takes JSON. */
bool telling_text(const struct options *o);

/* 0, or -1 with a message: --json cannot be written. Before anything is printed. */
int telling_check(const struct options *o, struct errors *e);

/* Writes --json and frees the document. */
void telling_write(const struct options *o, char *document, struct errors *e);

#endif
