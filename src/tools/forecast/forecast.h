/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is predicted of an argument file, for text, CSV and JSON: plain data that others fill in. */
#ifndef FORECAST_H
#define FORECAST_H

#include "base/amount.h"
#include "base/text.h"

#define FORECAST_NO_MEMORY (-2) /* of a thread without a vector */

struct forecast_thread {
	const char *kernel;
	int node, memory; /* of the thread, and of its vector; memory -1: several nodes */
	/* Seconds, as the cost of results: of a sample, of a round if their number is not given, of
	 * a unit in mode: time. No interval: too few runs were left out. */
	struct amount cost;
};

struct forecast_operation {
	const char *name;
	char *refused; /* why nothing is predicted, owned; NULL: threads has figures */
	bool assumed;  /* they depend on parameters that the profile does not show */
	bool as_alone; /* each thread costs what it costs alone: the queues are no better here */
	struct forecast_thread *threads;
	size_t count;
};

struct forecast_run {
	const char *label;   /* "" without a sweep */
	const char *skipped; /* why it cannot be placed here; NULL: it can */
	const char *per;     /* "sample", "round", "unit": what a cost is of */
	struct forecast_operation *operations;
	size_t count;
};

/* A parameter of the model. */
struct forecast_parameter {
	char *name;          /* "read char system, distance 10: ns a unit", "queue"; owned */
	double value, error; /* error: standard error, relative; NAN: none */
	bool assumed;        /* the profile does not show it */
};

/* How far runs that were left out are off, on average: by the queues, and if each thread cost what
 * it costs alone; relative. */
struct forecast_rule {
	const char *of; /* "several threads with a vector each" */
	size_t runs;
	double queues, alone;
	bool as_alone; /* so many runs show that the queues are no better */
};

struct forecast {
	const char *args;            /* its path */
	const struct words *profile; /* the results that the model was learned from */
	size_t learned;              /* operations that taught it */
	bool other_machine, simulated, disturbed, fitted;
	double confidence;
	struct forecast_parameter *parameters;
	size_t nparameters;
	struct forecast_rule rules[3];
	size_t nrules;
	struct forecast_run *runs;
	size_t nruns;
};

/* Room for all marks, also that of CSV for an interaction that is assumed. */
#define FORECAST_MARK 96
/* "of another machine, disturbed": what makes all figures doubtful; "": nothing. */
void forecast_mark(const struct forecast *f, char mark[FORECAST_MARK]);

/* Texts to be freed; of JSON NULL: out of memory. */
char *forecast_text(const struct forecast *f);
char *forecast_csv(const struct forecast *f);
char *forecast_json(const struct forecast *f);

void forecast_free(struct forecast *f);

#endif
