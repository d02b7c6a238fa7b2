/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of the thesis (thesis.csv) as runs that a model can learn. */
#ifndef TABLES_H
#define TABLES_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/learn.h"

#define TABLE_RUNS    128
#define TABLE_THREADS 2
#define ACCESSES      209715200.0
#define NODES         4

enum { EXPERIMENTS = 5 }; /* alone first */

struct table_run {
	struct model_thread threads[TABLE_THREADS];
	double ends[TABLE_THREADS];
	size_t experiment, placement;
	char name[24];
};

struct tables {
	struct table_run all[TABLE_RUNS];
	struct learn_run runs[TABLE_RUNS];
	size_t count, placements;
};

static const char *const experiment_names[EXPERIMENTS] = {
	"alone", "private", "shared", "half", "delayed"};
static const char *const kernel_names[] = {"read", "write", "read_write", "write_read"};
static const struct model_kernel table_kernels[] = {{1, false}, {1, true}, {1, true}, {1, true}};

/* Its tables 3.2 (ns) and 3.3 (GB/s); classes are hops of the ring. */
static const double latencies[NODES * NODES] = {87.7, 254.2, 271.2, 255.4, 254.9, 86.0, 253.2,
	271.5, 271.4, 252.7, 86.0, 254.7, 255.1, 271.9, 254.3, 85.7};
static const double bandwidths[NODES * NODES] = {61.255, 12.709, 12.002, 12.368, 12.153, 61.176,
	12.210, 12.007, 12.028, 12.395, 61.288, 12.689, 12.371, 11.992, 12.704, 61.261};
static const size_t hops[NODES * NODES] = {0, 1, 2, 1, 1, 0, 1, 2, 2, 1, 0, 1, 1, 2, 1, 0};

static const struct model_machine ring = {.nodes = NODES,
	.classes = 3,
	.kernels = 4,
	.latency = latencies,
	.bandwidth = bandwidths,
	.pair_class = hops,
	.kernel = table_kernels};

static size_t index_of(const char *name, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(name, names[i]))
			return i;
	return n;
}

/* The runs that share experiment and placement are one placement, whatever their kernels. */
static size_t placement_of(struct tables *t, const struct table_run *r)
{
	for (size_t i = 0; i < t->count; i++)
		if (t->all[i].experiment == r->experiment && !strcmp(t->all[i].name, r->name))
			return t->all[i].placement;
	return t->placements++;
}

static int tables_line(struct tables *t, const char *line)
{
	char experiment[16], kernel[16];
	int at = 0;
	struct table_run *r = &t->all[t->count];

	if (sscanf(line, "%*[^,],%15[^,],%23[^,],%15[^,]%n", experiment, r->name, kernel, &at) != 3)
		return -1;
	r->experiment = index_of(experiment, experiment_names, EXPERIMENTS);
	r->placement = placement_of(t, r);
	struct learn_run *run = &t->runs[t->count++];

	*run = (struct learn_run){r->threads, r->ends, 0, r->placement, r->experiment > 0, false};
	for (const char *rest = line + at; *rest == ',' && run->count < TABLE_THREADS;) {
		struct model_thread *m = &r->threads[run->count];
		double start, end;
		int used = 0;

		if (sscanf(rest, ",%zu,%zu,%zu,%lf,%lf,%lf%n", &m->node, &m->memory, &m->vector,
			    &m->share, &start, &end, &used) != 6)
			return -1;
		m->kernel = index_of(kernel, kernel_names, ring.kernels);
		m->units = ACCESSES;
		m->start = start * 1e9;
		r->ends[run->count++] = end * 1e9;
		rest += used;
	}
	return 0;
}

/* 0, or -1: no such file, or a line that is none. */
static int tables_read(struct tables *t)
{
	FILE *in = fopen("tests/unit/model/thesis.csv", "r");
	char line[256];
	int failed = in ? 0 : -1;

	memset(t, 0, sizeof(*t));
	while (in && !failed && fgets(line, sizeof(line), in))
		if (*line != '#')
			failed = tables_line(t, line);
	if (in)
		fclose(in);
	return failed;
}

static inline size_t hops_of(const struct model_thread *t)
{
	return hops[t->node * NODES + t->memory];
}

#endif
