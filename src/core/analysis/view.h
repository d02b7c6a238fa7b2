/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What `table` and `plot` show: matrices of one quantity over two axes. An axis is a variable of a
 * sweep, thread, or operation. A variable or the operations, when not on an axis,
 * make a separate matrix for each of their values. Without a thread axis, a matrix shows all
 * threads together (the Total line).
 */
#ifndef VIEW_H
#define VIEW_H

#include <stdio.h>

#include "analysis/derive.h"
#include "analysis/heading.h"

struct factor;
struct trust;

/* axis_kind(), but of a variable its name. */
const char *axis_name(const struct experiment *x, int axis);

enum mean {
	MEAN_NONE,
	MEAN_GEOMETRIC, /* of every row and column too */
	MEAN_SCENARIOS, /* in place of the columns: means.h */
};

struct view {
	const char *key; /* of its line, for messages: table, plot, claim */
	enum quantity quantity;
	int rows, cols;
	bool plot;
	bool heat;   /* a plot with rows= and cols= */
	int along;   /* the variable along which the quantity is found; else AXIS_NONE */
	int thread;  /* whose figure it is, where thread is no axis; or ALL_THREADS */
	int against; /* a quantity of all threads as the place of each point; -1: the row's label */
	enum mean mean;
	struct place at;
	const struct counted_metric *counter; /* of QUANTITY_COUNTER; else NULL */
	const struct kernel_figure *figure;   /* of QUANTITY_FIGURE; else NULL */
};

/* table.c: "cost"; its unit; "cost (s)", to be freed. */
const char *view_name(const struct view *v);
const char *view_unit(const struct experiment *x, const struct view *v);
char *view_title(const struct experiment *x, const struct view *v);
struct heading view_heading(const struct experiment *x, const struct view *v);

struct views {
	struct view *list;
	size_t count;
};

/* Reads all `table` and `plot` lines. 0, or -1 with messages (STATUS_USAGE): an unknown quantity or
 * axis, a speedup without baseline, an overhead without solo. */
int views_read(struct views *v, const struct experiment *x, struct errors *e);
void views_free(struct views *v);

/* Parts of views_read(), for other lines that begin with a quantity. Each returns 0, or -1 with a
 * message: view_read_quantity() the word is neither a quantity, nor a counter that is asked for,
 * nor a figure of a kernel; view_check_quantity() the file lacks what it needs. */
struct view view_begin(const struct line *line);
int view_read_quantity(
	struct view *v, const char *word, const struct experiment *x, struct errors *e);
int view_read_thread(struct view *v, const char *number, struct errors *e);
int view_check_quantity(const struct view *v, const struct experiment *x, struct errors *e);
/* A hint with the quantities there are, or those that has() says. -1. */
int view_hint_quantities(
	const char *before, bool (*has)(const struct quantity_row *row), struct errors *e);

/* mean=NAME; "" for MEAN_NONE */
extern const char *const mean_names[];

struct table {
	bool ranges;           /* cells are those of statistics/crossing.h */
	struct heading head;   /* of all figures: name, unit and what follows in the title */
	char *rest;            /* that of head */
	const char *operation; /* NULL: on an axis, or it differs between runs */
	int thread;            /* whose figures; ALL_THREADS: of all, or thread is an axis */
	struct table_value {
		const char *name, *value;
	} * fixed; /* the variables on no axis */
	size_t nfixed;
	char *row_name, *col_name;
	char **row_labels, **col_labels;
	char **row_begins, **col_begins; /* [rows], [cols]: begins_along(); NULL: nothing does */
	struct pair_class *classes;      /* pair_classes_add(); NULL: none */
	size_t nclasses;
	size_t rows, cols;
	struct amount *cells;   /* [rows * cols]; NAN: no such run, or not measured */
	struct trust *trust;    /* [rows * cols] of cells with a value; NULL: they have no marks */
	struct factor *factors; /* [rows * cols * FACTORS], for means (factors.h); NULL: none */
	double confidence;      /* of the cells' intervals */
	double *places;         /* [rows * cols] of `place`; NULL: by row */
	struct heading place;
	struct table_mark {
		struct amount at; /* of the rows' axis, low and high the ends that it may have */
		char *label;
		size_t col; /* whose curve it is */
	} * marks;          /* of a plot; NULL: none */
	size_t nmarks;
	char *held; /* what holds the data of the cells, in one line; NULL: nothing is known */
	const struct topo
		*sizes; /* if rows are sizes of vectors: has this machine's caches; else NULL */
};

/* What m points to, not m itself. */
void table_free(struct table *m);

/* How many tables a view has, with or without figures; known before anything is measured. */
size_t view_count(const struct experiment *x, const struct view *v);

/* Calls each(arg, m) for every table of a view that has figures. */
void view_tables(const struct experiment *x, const struct view *v,
	void (*each)(void *arg, const struct table *m), void *arg);

#endif
