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

struct factor;

enum quantity {
	QUANTITY_COST,
	QUANTITY_BUSY,
	QUANTITY_NS_PER_UNIT,
	QUANTITY_RATE,
	QUANTITY_BANDWIDTH,
	QUANTITY_SPEEDUP,
	QUANTITY_OVERHEAD,
	QUANTITY_SLOWDOWN,
	QUANTITY_TRAFFIC,
	QUANTITY_HYPOTHETICAL, /* of a thread, speedup: derive_hypothetical() */
	QUANTITY_CLOCK_RATE,   /* of a thread's core: the median of clock_rates() */
	QUANTITY_BREAK_EVEN,   /* these four: crossings.h */
	QUANTITY_BREAK_EVEN_TIME,
	QUANTITY_EXTRA,         /* ns for a unit more than in the baseline's run: extra.h */
	QUANTITY_NUMA_OVERHEAD, /* these five: overheads.h */
	QUANTITY_STALL_COST,
	QUANTITY_COVERAGE_32,
	QUANTITY_CAP_OVERHEAD,
	QUANTITY_RCM_OVERHEAD,
	QUANTITY_HUGE_GAIN,  /* huge_gain.h */
	QUANTITY_WHOLE_TIME, /* whole_time.h */
	QUANTITY_CROSSING,   /* all from here on: of the runs along a variable, not of one */
	QUANTITY_CROSSING_TIME,
	QUANTITY_REACH_1, /* these three: reach.h, of QUANTITY_EXTRA along pages */
	QUANTITY_REACH_2,
	QUANTITY_WALK,
	QUANTITY_BEST_SHARE, /* these three: shares.h */
	QUANTITY_ADVISED_SHARE,
	QUANTITY_KERNEL_SHARE,
	QUANTITIES,
	QUANTITY_COUNTER = QUANTITIES, /* a metric of `counters`; has no name of its own */
	QUANTITY_FIGURE                /* a kernel's own figure; the same */
};

extern const char *const quantity_names[]; /* NULL at the end */
/* For titles and the axes of a picture: "s", "ns", "". */
const char *quantity_unit(const struct experiment *x, enum quantity q);
/* "cost (s)", to be freed. */
char *quantity_title(const struct experiment *x, enum quantity q);

struct amount quantity_of(
	const struct experiment *x, size_t run, int op, int thread, enum quantity q);

#define AXIS_NONE           (-1) /* a single row or column */
#define AXIS_THREAD         (-2)
#define AXIS_OPERATION      (-3)
#define AXIS_TIME           (-4)        /* of QUANTITY_CLOCK_RATE: rows are samples of a run */
#define AXIS_OPERATION_NAME "operation" /* in files also kernel, its old name */
/* from 0 on: a variable of the sweep */

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
	int along;   /* of QUANTITY_CROSSING to _KERNEL_SHARE: the variable along which it is found;
			else   AXIS_NONE */
	int thread;  /* whose figure it is, where thread is no axis; or ALL_THREADS */
	int against; /* a quantity of all threads as the place of each point; -1: the row's label */
	enum mean mean;
	struct place at;
	const struct counted_metric *counter; /* of QUANTITY_COUNTER; else NULL */
	const struct kernel_figure *figure;   /* of QUANTITY_FIGURE; else NULL */
};

/* quantity.c: the same of what a view shows. */
const char *view_unit(const struct experiment *x, const struct view *v);
char *view_title(const struct experiment *x, const struct view *v);

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

/* mean=NAME; "" for MEAN_NONE */
extern const char *const mean_names[];

struct table {
	bool ranges;           /* cells are those of base/crossing.h */
	char *quantity;        /* "cost (s)" */
	const char *unit;      /* "s"; "" without one */
	char *title;           /* "cost (s), read, thread 1, n=2" */
	const char *operation; /* NULL: on an axis, or it differs between runs */
	const char *counted;   /* op_names_unit() of it */
	int thread;            /* whose figures; ALL_THREADS: of all, or thread is an axis */
	struct table_value {
		const char *name, *value;
	} * fixed; /* the variables on no axis */
	size_t nfixed;
	char *row_name, *col_name;
	char **row_labels, **col_labels;
	char **row_kinds; /* [rows]: kinds_of_rows(); NULL: none begins */
	size_t rows, cols;
	struct amount *cells;   /* [rows * cols]; NAN: no such run, or not measured */
	struct factor *factors; /* [rows * cols * FACTORS], for means (factors.h); NULL: none */
	double confidence;      /* of the cells' intervals */
	double *places;         /* [rows * cols] of against, place_name its axis; NULL: by row */
	char *place_name;
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

/* "cost (s), read, thread 1, n=2" of the fields of m, to be freed. */
char *table_title(const struct experiment *x, const struct view *v, const struct table *m);

/* What m points to, not m itself. */
void table_free(struct table *m);

/* How many tables a view has, with or without figures; known before anything is measured. */
size_t view_count(const struct experiment *x, const struct view *v);

/* Calls each(arg, m) for every table of a view that has figures. */
void view_tables(const struct experiment *x, const struct view *v,
	void (*each)(void *arg, const struct table *m), void *arg);

#endif
