/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "base/text.h"

enum action {
	ACTION_MEASURE,
	ACTION_PLAN,
	ACTION_LIST,
	ACTION_TOPOLOGY,
	ACTION_HELP,
	ACTION_VERSION,
	ACTION_COMPARE,
	ACTION_EXPORT,
	ACTION_CACHES,
	ACTION_CHECK,
	ACTION_PREDICT,
	ACTION_ADVISE,
	ACTION_WORTH,
	ACTION_SHOW,
	ACTION_EXPERIMENTS,
	ACTION_START
};

#define MAX_OUTPUTS 8
/* The row of the text report. */
#define OUTPUT_TEXT 0
/* Those of --json and --csv. */
#define OUTPUT_JSON 1
#define OUTPUT_CSV  2

struct options {
	enum action action;
	const char *help_for;             /* --help NAME; NULL: usage */
	struct words operands;            /* first the argument files */
	size_t files;                     /* how many these are */
	const char *args, *out;           /* the first operand and that after the files, or NULL */
	const char *output;               /* --output; NULL: not given */
	char *named[MAX_OUTPUTS];         /* names in folders, of those in outputs; owned */
	const char *outputs[MAX_OUTPUTS]; /* by row of output_formats; NULL: not requested */
	const char *memattrs;             /* --export-memattrs: the file to write */
	const char *caches;               /* --measure-caches: the file to write */
	const char *shown;      /* --show: the result document, an argument file or a folder */
	char *resolved;         /* the path that it is a word for, owned */
	const char *profile;    /* --predict, --advise, --worth: results, files or a folder */
	const char *matrix;     /* results that far() and near() go by, or NULL */
	const char *bandwidths; /* results that weighted:measured goes by, or NULL */
	struct words sets;      /* KEY=VALUE */
	const char *history;    /* --compare: earlier results; NULL: none */
	double tolerance;       /* --compare: a fraction */
	uint64_t verify;        /* --advise: placements to measure */
	struct words accepted;  /* --check: facts that may be as they are */
	bool verify_given, quiet, force, strict;
	bool full;           /* --plan=full */
	bool shows_folder;   /* --show: of results, on one screen */
	bool found;          /* ARGS was a word for an experiment */
	const char *unclear; /* the word of ARGS that several fit; NULL: there is none */
};

/* words: behind the program's name, NULL at the end. 0, or -1 with a message for each mistake. */
int options_parse(struct options *o, char **words, struct errors *e);

/* For a message that `path` cannot be read as an argument file: if it is an option without its
 * dashes, the hint says so. */
void options_hint_bare(const char *path, struct errors *e);

void options_usage(FILE *out);

/* unknown.c: refuses a word that is no option, with what is written here in its place. */
void options_refuse(const char *word, const char *const *names, size_t count, struct errors *e);

void options_free(struct options *o);

/* operands.c. Fills in args and out from the operands; a message if the action takes fewer or more.
 */
void operands_take(struct options *o, struct errors *e);

/* option_files.c: which files of results are asked for. The text report goes to the operand OUT, to
 * what --output names, or to standard output. */
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

bool option_files_folder(const char *path);

void option_files_free(struct options *o);

#endif
