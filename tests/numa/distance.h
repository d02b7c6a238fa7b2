/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the model of near and far memory (distance.c) and its plugin for QEMU. */
#ifndef DISTANCE_H
#define DISTANCE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define LINE_BYTES 64
#define MAX_CPUS   16
#define MAX_NODES  16
#define MAX_CODES  64

struct counts {
	uint64_t loads, stores, memory, caches;
};

struct code {
	const char *name;
	uint64_t first, end;
	struct counts counts[MAX_CPUS][MAX_NODES];
};

/* The lines that a CPU fetches, one after another. */
struct stream {
	int from;            /* node of the memory or cache that gives them */
	bool memory;         /* it is the memory */
	int64_t begin_ns;    /* when it asked for the last one, in the time of the model */
	int64_t interval_ns; /* how long after the one before */
};

struct cpu {
	int node;
	uint32_t fills;  /* lines that its cache took in */
	int64_t owed_ns; /* below 0: it has slept too long */
	int64_t last_ns; /* when it last had to wait */
	bool sleeps_exactly;
	struct stream stream;
};

struct line {
	int64_t arrived_ns;
	uint32_t filled[MAX_CPUS]; /* the owner's `fills` when the line came; 0: not in its cache */
	int8_t changed_by;         /* number of the CPU plus 1 */
	int8_t fetched_by;         /* number of the CPU that fetched it last, plus 1 */
};

struct model {
	int nnodes, ncpus, ncodes, runs;
	uint64_t first_line[MAX_NODES + 1];
	int distance[MAX_NODES][MAX_NODES];
	int64_t unit_ns;
	int64_t memory_ns, link_ns; /* how long a line occupies its memory, and its link */
	bool directory;
	uint64_t step, report_at;
	uint32_t cache_lines;
	FILE *out;
	struct cpu cpus[MAX_CPUS];
	struct code codes[MAX_CODES];
	struct line *lines;
	pthread_mutex_t lock;
};

extern struct model model;

/* One access of a CPU to a line of a node's memory: counts it and adds its time to what the CPU
 * owes. */
void distance_access(struct code *code, int cpu, int node, uint64_t number, bool store);

/* Lets the CPU's thread sleep for the time that it owes. */
void distance_pay(struct cpu *p);

#endif
