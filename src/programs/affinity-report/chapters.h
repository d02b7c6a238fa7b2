/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the page says and in which order, as data: the chapters of the thesis and of SMT-Bench, with
 * the results that belong to each, and under which numbers and captions they are shown.
 */
#ifndef CHAPTERS_H
#define CHAPTERS_H

#include <stdbool.h>

/* A piece of an experiment's section. {NAME} in a caption is the value of the sweep's variable NAME
 * in the run that is shown, {baseline} the run that is its baseline. */
enum block_kind {
	BLOCK_END,
	BLOCK_PLACEMENT, /* drawing of the run */
	BLOCK_NODES,     /* table: node of the data by node of the thread, of one operation */
	BLOCK_STRIDES,   /* table: every run's costs; figure */
	BLOCK_TYPES,     /* for each operation a figure: ns of an access by stride and type */
	BLOCK_THREADS,   /* table: each thread's cost in each operation */
	BLOCK_SLOWDOWNS, /* table: against each thread alone; nothing without solo */
	BLOCK_GAINS,     /* table: against the baseline; nothing without one */
	BLOCK_SHARES,    /* drawing of each thread's accesses */
	BLOCK_PAIRS,     /* figure 3 of SMT-Bench: bars of a sweep over pairs of kernels */
	BLOCK_ALL_COSTS, /* table: every run and thread */
	BLOCK_PICTURES,  /* the file's pictures: the first only, or with `all` each */
};

struct block {
	enum block_kind kind;
	const char *what; /* "Table 5.1"; "" or NULL: no number of its own */
	const char *caption;
	const char *operation; /* of BLOCK_NODES */
	bool all;              /* of BLOCK_PICTURES */
};

enum layout {
	LAYOUT_ROW,          /* side by side, as wide as each needs */
	LAYOUT_PLOTS,        /* a grid of pictures */
	LAYOUT_PLOTS_OF_MANY /* the first block alone; the others a grid, or a row of a single run
			      */
};

/* A file's results. */
struct experiment_text {
	const char *name;     /* "pruebas_solape/lr": its path without .json */
	const char *title;    /* of the section */
	const char *numbers;  /* what is missing without it: "Table 5.12" */
	const char *variable; /* the run with this value is shown; NULL: the first that was done */
	const char *value;
	const char *no_run; /* what to say without such a run */
	enum layout layout;
	struct block blocks[8];
};

enum piece_kind {
	PIECE_END,
	PIECE_HEADING,    /* id, text */
	PIECE_SUBHEADING, /* text */
	PIECE_MINOR,      /* text; opens a grid of the figures that follow */
	PIECE_MINOR_END,
	PIECE_PARAGRAPH,  /* text */
	PIECE_EXPERIMENT, /* experiment */
	PIECE_OVERHEADS,  /* text: number, caption: of its experiments */
	PIECE_SOURCES,    /* text: id of the experiment whose nodes are drawn */
	PIECE_SERIES,     /* a figure: costs of an operation by a variable of a sweep */
	PIECE_MIX,        /* figure 1a of SMT-Bench */
};

struct piece {
	enum piece_kind kind;
	const char *id;      /* of a heading; of other kinds the name of the results */
	const char *text;    /* heading, paragraph; number of a table or figure */
	const char *caption; /* of a table or figure; of a series the words "reads, LR" */
	const char *operation, *variable; /* of a series */
	const struct experiment_text *experiment;
};

/* A chapter with a heading, ended by PIECE_END. */
extern const struct piece chapters_thesis[];
/* Shown only if there are results below units_folder. */
extern const struct piece chapters_units[];
extern const char units_folder[];

/* Results that no chapter names. */
extern const struct experiment_text other_experiment;

/* Table 5.11: its columns, ended by name NULL. */
struct overhead_column {
	const char *name, *title;
};
extern const struct overhead_column overhead_columns[];

/* The kernels of SMT-Bench's figure 1a, NULL at the end. */
extern const char *const mix_kernels[];

#endif
