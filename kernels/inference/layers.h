/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Layers: what a token needs is done in so many equal parts, one after the other, and all threads
 * meet after each, as those of an engine do before the next layer begins. The words by which they
 * meet lie in memory of their own, on the node of the first thread.
 *
 * A kernel with layers puts struct layers_args first into its parameters and struct layers_own
 * first into what each thread owns; w->shared is a struct layers *, NULL without layers.
 *
 * Every thread notes when it came to a meeting and when it went on. Of thread i of n:
 *
 *   waiting = sum over meetings (max_j came_j - came_i) / time    until the slowest has come
 *   meeting = sum over meetings (went_i - max_j came_j) / time    the meeting itself
 *
 * with the time from the first layer's beginning to the last meeting's end, all in percent. Reading
 * the clock twice a meeting is part of the second. Of a sample with more meetings, the first
 * LAYERS_NOTED count.
 */
#ifndef LAYERS_H
#define LAYERS_H

#include <stdint.h>

#include "lines/barriers.h"
#include "kernel.h"

#define LAYERS_NOTED 8192
#define LAYERS_MOST  4096

struct layers_args {
	uint64_t layers;
	int by, wait;
};

/* Rows of a parameter table, for a struct args with a member `layers`. */
/* clang-format off */
#define LAYERS_ROWS(args) \
	{.name = "layers", .type = PARAM_COUNT, .offset = offsetof(args, layers.layers), \
		.fallback = "0", .max = LAYERS_MOST, \
		.help = "equal parts of a token; all threads meet after each; 0: they do not meet"}, \
	{.name = "by", .type = PARAM_CHOICE, .offset = offsetof(args, layers.by), \
		.fallback = "central", .max = BY_PTHREAD, .choices = layers_names, \
		.help = "how the threads meet, with layers"}, \
	{.name = "wait", .type = PARAM_CHOICE, .offset = offsetof(args, layers.wait), \
		.fallback = "spin", .max = WAIT_SLEEP, .choices = barriers_waits, \
		.help = "a thread that waits looks again and again, or sleeps in the kernel"}

/* clang-format on */

/* The two figures of layers_tell(), and tokens a second: of a kernel whose threads work for the
 * same tokens, it tells their number as values[2]. */
extern const struct kernel_figure layers_figures[];
extern const struct kernel_figure layers_shares_only[]; /* without these */

/* Those of barriers_names that meet. */
extern const char *const layers_names[];

struct layers;

/* What a thread notes of its last run. */
struct layers_own {
	uint64_t begin;        /* ns */
	uint32_t meeting;      /* the number of the last one */
	uint64_t noted;        /* meetings, at most LAYERS_NOTED */
	uint64_t *came, *went; /* [LAYERS_NOTED], ns */
};

/* For struct kernel. */
bool layers_meets(const void *args);
const char *layers_share(struct worker *w);
void layers_unshare(struct worker *w);
void layers_tell(const struct worker *w, double *values); /* the two shares */

/* For check() and setup(), which has allocated w->own: NULL, or what is wrong. `rows` are those of
 * a token. */
const char *layers_check(const struct worker *w, uint64_t rows, char *why, size_t n);
const char *layers_setup(struct worker *w);
void layers_teardown(struct layers_own *own);

/* Does `passes` times `rows` rows, with the meetings, by go_on(), which returns the units that it
 * did; returns their sum. */
uint64_t layers_run(const struct worker *w, uint64_t passes, uint64_t rows,
	uint64_t (*go_on)(const struct worker *w, uint64_t rows));

/* Writes the two shares of thread `member` of these n; NAN without meetings. */
void layers_shares(const struct layers_own *const owns[], int n, int member, double *values);

#endif
