/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The content and order of the page, as data: the chapters of the thesis, of SMT-Bench and of page
 * migration, the results that belong to each, and the numbers and captions of tables and figures.
 */
#ifndef CHAPTERS_H
#define CHAPTERS_H

#include <stdbool.h>

/* Names tables of a document: quantity and axes, as the argument file's line `table` or `plot` has
 * them. */
struct table_key {
	const char *quantity, *rows;
	const char *columns; /* "": a single column */
	bool scenarios;      /* mean=scenarios */
};

/* A piece of an experiment's section. In a caption, {NAME} is the value of the sweep's variable
 * NAME in the run that is shown, {baseline} the run that is its baseline, {unit} the unit of the
 * table, {cost} that of the costs of runs. */
enum block_kind {
	BLOCK_END,
	BLOCK_PLACEMENT, /* drawing of the run */
	BLOCK_SHARES,    /* drawing of each thread's accesses */
	BLOCK_TABLE,     /* a table, and its heat map */
	BLOCK_PLOTS,     /* the picture of each operation, its numbers folded */
	BLOCK_PLOT,      /* one picture, its numbers folded */
	BLOCK_WHEN,      /* when threads worked, in the last run with `only`; where is folded */
	BLOCK_WHERE,     /* where threads worked in that run; when is folded */
	BLOCK_ROW,       /* table: the row of the shown value in each operation's table */
	BLOCK_SLOWDOWNS, /* table: compared with each thread alone; nothing without solo */
	BLOCK_GAINS,     /* table: compared with the baseline; nothing without one */
	BLOCK_BARS,      /* a table as bars, its numbers folded */
	BLOCK_RUNS,      /* table: costs of every run and thread */
	BLOCK_TABLES,    /* all tables and pictures that the file asks for and no BLOCK_PLOT shows;
			  * scenarios only with `all` */
};

/* A curve of a published figure: the column of the table, and what the work calls it. */
struct curve {
	const char *column, *name;
};

struct block {
	enum block_kind kind;
	const char *what; /* "Table 5.1"; "" or NULL: it has no number of its own */
	const char *caption;
	struct table_key key;
	const char *operation; /* NULL: any */
	bool all;
	const char *only; /* "test=no": of the tables or runs with this value; NULL: any */
	const struct curve *curves; /* of BLOCK_PLOT, ended by column == NULL: those that the table
				       lacks are named; NULL: none */
};

enum layout {
	LAYOUT_ROW,          /* side by side, each as wide as its content */
	LAYOUT_PLOTS,        /* a grid of pictures */
	LAYOUT_PLOTS_OF_MANY /* the first block alone; the others as a grid, or as a row if they
				show a single run */
};

/* How the results of a file are shown. */
struct experiment_text {
	const char *name;     /* "pruebas_solape/lr": its path without .json */
	const char *title;    /* of the section */
	const char *numbers;  /* what is missing without this file: "Table 5.12" */
	const char *variable; /* the run with this value is shown; NULL: the first run that was
				 measured */
	const char *value;
	const char *no_run; /* the text if there is no such run */
	enum layout layout;
	struct block blocks[8];
};

enum piece_kind {
	PIECE_END,
	PIECE_HEADING,    /* id, text */
	PIECE_SUBHEADING, /* text */
	PIECE_MINOR,      /* text; starts a grid of the figures that follow */
	PIECE_MINOR_END,
	PIECE_PARAGRAPH,  /* text */
	PIECE_EXPERIMENT, /* experiment */
	PIECE_OVERHEADS,  /* text: number, caption: that of its experiments */
	PIECE_SOURCES,    /* text: id of the experiment with the nodes that are drawn */
	PIECE_SERIES,     /* a figure: costs of an operation by a variable of a sweep */
	PIECE_MIX,        /* figure 1a of SMT-Bench */
};

struct piece {
	enum piece_kind kind;
	const char *id;        /* of a heading; for other kinds the name of the results */
	const char *text;      /* heading, paragraph; number of a table or figure */
	const char *caption;   /* of a table or figure; for a series the words "reads, LR" */
	const char *operation; /* for a series: of the table `key` */
	struct table_key key;
	const struct experiment_text *experiment;
};

/* Chapters, each with a heading, ended by PIECE_END. A chapter is shown only if one of its
 * experiments was measured. */
extern const struct piece chapters_migration[];
/* All of these in the page's order; NULL at the end. */
extern const struct piece *const chapters_all[];

/* Folders of results that no chapter names, and their headings, in the page's order; the last one
 * has folder NULL. Folders of the user's own come before them. */
struct group_title {
	const char *folder, *title;
};
extern const struct group_title group_titles[];

/* For results that no chapter names. */
extern const struct experiment_text other_experiment;

/* The columns of table 5.11; the last one has name NULL. */
struct overhead_column {
	const char *name, *title;
};
extern const struct overhead_column overhead_columns[];

/* The kernels of SMT-Bench's figure 1a; NULL at the end. */
extern const char *const mix_kernels[];

#endif
