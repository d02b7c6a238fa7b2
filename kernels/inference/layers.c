/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts with meetings, and who waited for whom. */
#include "layers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "node_here.h"
#include "now.h"

/* What the threads have in common. Each reads the others' notes when all have ended. */
struct layers {
	void *words;
	struct barriers *barriers;
	const struct layers_own *owns[]; /* [team] of the first vector */
};

const char *const layers_names[] = {
	"central", "tree", "doubling", "openmp", "dissemination", "pthread", NULL};

#define SHARES                                                                               \
	{.name = "waiting",                                                                  \
		.unit = "%",                                                                 \
		.join = FIGURE_MEAN,                                                         \
		.help = "share of its time until the slowest thread has come to a meeting"}, \
	{                                                                                    \
		.name = "meeting", .unit = "%", .join = FIGURE_MEAN,                         \
		.help = "share of its time in meetings when all have come"                   \
	}

const struct kernel_figure layers_shares_only[] = {SHARES, {0}};
const struct kernel_figure layers_figures[] = {SHARES,
	{.name = "tokens_per_s",
		.unit = "token/s",
		.join = FIGURE_LEAST,
		.each_second = true,
		.help = "tokens that went through all vectors, if these are the model"},
	{0}};

bool layers_meets(const void *args)
{
	return ((const struct layers_args *)args)->layers;
}

const char *layers_check(const struct worker *w, uint64_t rows, char *why, size_t n)
{
	const struct layers_args *a = w->args;
	const struct vector *first = w->vectors;

	if (!a->layers)
		return NULL;
	if (first->team == 1 && w->workers > 1) {
		snprintf(why, n,
			"with layers all threads of its first vector meet, but thread %d has that "
			"for itself; vectorPerThread: all, and nodePerVector: slices for rows "
			"on the node of each thread",
			w->id);
		return why;
	}
	if (rows < a->layers) {
		snprintf(why, n,
			"a token has %" PRIu64 " rows for thread %d, fewer than layers = %" PRIu64
			"; a larger sizePerVector, or fewer columns",
			rows, w->id, a->layers);
		return why;
	}
	return barriers_check(w, (enum barrier_method)a->by, a->wait == WAIT_SLEEP, why, n);
}

static bool make_meetings(const struct layers_args *a, const struct vector *v, struct layers *l)
{
	const enum barrier_method by = (enum barrier_method)a->by;
	const size_t bytes = barriers_bytes(by, (uint64_t)v->team);

	l->words = aligned_alloc(APART, bytes ? bytes : APART);
	if (!l->words)
		return false;
	const struct vector words = {.base = l->words, .users = v->team};

	l->barriers = barriers_make(&words, by, a->wait == WAIT_SLEEP);
	if (!l->barriers)
		return false;
	barriers_reset(l->barriers);
	return true;
}

const char *layers_share(struct worker *w)
{
	const struct layers_args *a = w->args;
	const struct vector *v = w->vectors;

	if (!a->layers)
		return NULL;
	struct layers *l = w->shared = calloc(1, sizeof(*l) + (size_t)v->team * sizeof(l->owns[0]));

	return l && make_meetings(a, v, l) ? NULL : "no memory left for meetings";
}

void layers_unshare(struct worker *w)
{
	struct layers *l = w->shared;

	if (!l)
		return;
	barriers_free(l->barriers);
	free(l->words);
	free(l);
}

/* Touched here, so that no sample has page faults. */
static uint64_t *make_notes(void)
{
	uint64_t *notes = malloc(LAYERS_NOTED * sizeof(*notes));

	if (notes)
		memset(notes, 0, LAYERS_NOTED * sizeof(*notes));
	return notes;
}

const char *layers_setup(struct worker *w)
{
	struct layers_own *own = w->own;
	struct layers *l = w->shared;

	if (!l)
		return NULL;
	if (w->vectors->team > w->workers)
		return "its threads wait for each other, but this one runs alone";
	own->came = make_notes();
	own->went = make_notes();
	if (!own->came || !own->went)
		return "no memory left for the times of meetings";
	l->owns[w->vectors->member] = own;
	barriers_join(l->barriers, w->vectors->member, node_here(w));
	return NULL;
}

void layers_teardown(struct layers_own *own)
{
	free(own->came);
	free(own->went);
}

static void meet(struct layers *l, const struct worker *w, struct layers_own *own)
{
	const uint64_t came = now_ns();

	barriers_meet(l->barriers, w->vectors->member, ++own->meeting);
	if (own->noted == LAYERS_NOTED)
		return;
	own->came[own->noted] = came;
	own->went[own->noted++] = now_ns();
}

uint64_t layers_run(const struct worker *w, uint64_t passes, uint64_t rows,
	uint64_t (*go_on)(const struct worker *w, uint64_t rows))
{
	const uint64_t layers = ((const struct layers_args *)w->args)->layers;
	struct layers_own *own = w->own;
	uint64_t units = 0;

	own->noted = 0;
	own->begin = now_ns();
	if (!layers)
		units = go_on(w, passes * rows);
	for (uint64_t pass = 0; layers && pass < passes; pass++)
		for (uint64_t k = 0; k < layers; k++) {
			units += go_on(w, rows * (k + 1) / layers - rows * k / layers);
			meet(w->shared, w, own);
		}
	return units;
}

static uint64_t last_came(const struct layers_own *const owns[], int n, uint64_t meeting)
{
	uint64_t last = 0;

	for (int i = 0; i < n; i++)
		last = owns[i]->came[meeting] > last ? owns[i]->came[meeting] : last;
	return last;
}

void layers_shares(const struct layers_own *const owns[], int n, int member, double *values)
{
	const struct layers_own *own = owns[member];
	double waited = 0, met = 0;

	values[0] = values[1] = NAN;
	if (!own->noted)
		return;
	for (uint64_t k = 0; k < own->noted; k++) {
		const uint64_t last = last_came(owns, n, k);

		waited += (double)(last - own->came[k]);
		met += own->went[k] > last ? (double)(own->went[k] - last) : 0;
	}
	const double time = (double)(own->went[own->noted - 1] - own->begin);

	values[0] = 100 * waited / time;
	values[1] = 100 * met / time;
}

void layers_tell(const struct worker *w, double *values)
{
	const struct layers_own *own = w->own;
	const struct layers *l = w->shared;

	layers_shares(
		l ? l->owns : &own, l ? w->vectors->team : 1, l ? w->vectors->member : 0, values);
}
