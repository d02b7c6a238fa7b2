/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A result: filled in from an experiment (result/result.h), or read from a JSON document. The rows
 * of rows_*.c say how each field is called in JSON; results/schema-3.json is made of them. A field
 * that is missing or null in a document is NAN, NULL, 0 or an empty list here, unless its comment
 * says otherwise. One that no row has is left out, with a warning: later versions may add fields.
 *
 * A run that is there more than once, to the last digit of each sample, counts once, and is named.
 *
 * The document owns all memory; document_free() frees it at once.
 */
#ifndef DOCUMENT_H
#define DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/finding.h"
#include "analysis/heading.h"
#include "base/error.h"
#include "document/run.h"
#include "system/fact.h"

/* No other was ever released. */
#define DOCUMENT_SCHEMA 3

/* The result of a `table` or `plot` line of the argument file, as analysis/view.h computed it. */
enum document_shown { SHOWN_TABLE, SHOWN_PLOT, SHOWN_HEAT };

struct document_cell {
	struct document_marked figure;
	const char *word; /* of a range without value: statistics/crossing.h; NULL: none */
};

/* Pairs of CPUs that are equally near, as analysis/pair_classes.h has them. */
struct document_class {
	const char *name, *at; /* at NULL: all of the table */
	int64_t measured, pairs;
	struct amount fewest, median, most;
	struct document_mark mark;
};

struct document_table {
	const char *drawn, *title, *kind; /* "plot", "cost (s), read", "quantity" */
	const char *quantity;             /* "ns_per_unit" */
	const char *along;                /* the variable along which it is found; NULL: none */
	const char *unit;
	const char *operation;        /* NULL: on an axis, or not the same in all runs */
	int thread;                   /* -1: all threads together, or on an axis */
	struct document_pairs values; /* of the sweep's variables on no axis */
	const char *row_axis, *row_kind, *column_axis, *column_kind;
	struct document_texts rows, columns;
	const char *mean; /* "geometric": the last row, and the last of several columns, are means;
			     "scenarios": of the columns of analysis/means.h; NULL: none */
	struct document_cells {
		struct document_cell *list;
		size_t count;
	} * cells_by_row;
	size_t ncells_by_row;
	bool has_place;
	const char *place, *place_unit; /* the quantity that it is drawn against; NULL: none */
	struct document_numbers {
		double *list;
		size_t count;
	} * places_by_row;
	size_t nplaces_by_row;
	const char *held; /* what holds the data of the cells; NULL: not known */
	bool ranges;      /* cells are those of statistics/crossing.h */
	/* what begins at rows and columns, as analysis/begins.h has it; list NULL: nothing does */
	struct document_texts row_begins, column_begins;
	struct document_class *classes;
	size_t nclasses;
	/* what follows from these */
	enum document_shown shown;
	enum quantity id; /* QUANTITY_COUNTER or _FIGURE: of which `quantity` is the name */
	int rows_are,
		columns_are; /* AXIS_NONE, _THREAD, _OPERATION, _TIME or _VARIABLE (heading.h) */
	size_t *by_row; /* [nruns] by their values of the row's variable; NULL: some have none */
	struct amount *cells;        /* [rows.count * columns.count] */
	struct document_mark *marks; /* the same */
	double *places; /* the same for the quantity that it is drawn against; NULL: none */
};

struct document_side {
	const char *quantity, *run, *operation; /* NULL: there is none, or it was not measured */
	int thread;                             /* -1: all */
	struct amount value;
};

/* A test of a claim of the argument file. */
struct document_claim {
	const char *claim, *label, *verdict;
	const char *reason;    /* NULL: the figures say it */
	const char *unit;      /* of left and right */
	const char *figure_is; /* "left / right" or "left - right" */
	struct document_side left, right;
	struct amount figure;
	double above, below;
};

/* What was counted, and how: analysis/counters.h. */
struct document_metric {
	const char *name, *group, *kind, *help, *formula, *missing;
	const char
		*share_of; /* the type of instructions of a mix (mapping/mapping.h); NULL: none */
	int pass;          /* -1: several, or none */
};

struct document_pass {
	bool in_system;
	struct document_event {
		const char *event, *native, *remark;
		double self_check, expected, empty;
	} * events;
	size_t nevents;
};

struct document_counting {
	int samples_per_pass;
	struct document_metric *metrics;
	size_t nmetrics;
	struct document_pass *passes;
	size_t npasses;
};

/* A `table` line that has no figures. */
struct document_lacking {
	const char *title, *reason; /* reason NULL: its runs have no such figure */
	size_t before;              /* how many of the document's tables come before it */
};

struct document {
	char *path;
	struct document_program *programs; /* programs.h; none: it is of the driver */
	size_t nprograms;
	const char *figure;                  /* what costs are, a regular expression; NULL: times */
	const char *figure_unit;             /* the word after it; NULL: not known */
	bool larger, simulated, interrupted; /* larger: costs are 1 / figure */
	bool quick;                          /* a trial, not for conclusions */
	int schema;
	const char *program;
	double elapsed_s;
	struct environment environment;
	struct {
		const char *path, *text;
		struct document_texts set; /* KEY=VALUE of --set; document/arguments.h reads both */
	} arguments;
	struct document_message *warnings;
	size_t nwarnings;
	struct document_method method;
	bool has_trust;
	struct {
		const char *word, *conditions, *text;
		int64_t firm, fair, weak;
	} trust;
	struct document_run *runs;
	size_t nruns;
	uint64_t hash; /* of the runs as they stand in the file */
	struct document_table *tables;
	size_t ntables;
	struct document_lacking *lacking;
	size_t nlacking;
	bool has_claims, has_counting;
	struct document_claim *claims;
	size_t nclaims;
	double claims_confidence, claims_each; /* of all intervals of figures together, and each */
	int64_t claims_asked;
	struct finding_list findings; /* made anew from the others: findings/findings.h */
	struct document_counting counting;
	bool borrowed; /* the environment is another's */
	void *source;  /* the parsed JSON that the texts belong to; NULL: there is none */
	void **blocks;
	size_t nblocks;
};

/* Opens the file once and reads all of it. 0, or -1 with messages (STATUS_USAGE): the file does not
 * exist, is not JSON (with line), is from another program or of another schema, or lacks a field
 * that it must have. Call document_free() in both cases. */
int document_read(struct document *d, const char *path, struct errors *e);
void document_free(struct document *d);
/* 0, or -1 if it could not be written. */
int document_write(const struct document *d, FILE *out);

/* Do both have the same runs, to the last digit of each sample? */
bool document_equal_runs(const struct document *a, const struct document *b);

/* Used if the document does not contain the fact. */
#define NOT_RECORDED "not recorded"
const char *document_fact(const struct document *d, const char *name);

/* The value of a variable of the sweep in a run; NULL: none. */
const char *document_value(const struct document_run *r, const char *variable);

/* One of the samples of a thread; behind the timed ones come those that were counted. What it
 * points to stays until the next one is asked for. */
struct document_sample document_sample(const struct document_job *j, size_t i);

/* Seconds from the common start of a sample to where the thread began its work. */
double document_begin_s(const struct document_run *r, const struct document_job *j, size_t sample);

/* The first operation of a run with that name; NULL: none. */
const struct document_operation *document_operation(const struct document_run *r, const char *name);

/* Are several of its pairs of CPUs equally near? */
bool document_has_classes(const struct document_table *t);

/* The run with that label, if it was measured; NULL: there is none, or label is NULL. */
const struct document_run *document_measured(const struct document *d, const char *label);

#endif
