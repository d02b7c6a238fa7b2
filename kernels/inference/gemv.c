/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * y = W x: weights times activations, what a language model does for each token in each layer. W is
 * what a thread's vectors hold, row after row; the rest behind the last whole row is not accessed.
 * Threads that share a vector each have a slice of its rows; x and y are each thread's own. A unit
 * is a weight: it is multiplied with `batch` activations, of so many tokens, and loaded once for up
 * to four of them, as a rule from a cache after the first time. A round multiplies all rows of the
 * thread once; with mode: time it is divided into steps. `bytes` are those of W, with the scales
 * that stand in it; those of x and y come on top.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gemv_form.h"
#include "kernel.h"
#include "layers.h"

struct gemv_args {
	struct layers_args layers; /* first: layers.h */
	struct gemv_form form;
	uint64_t batch;
};

static const struct param gemv_params[] = {
	GEMV_FORM_ROWS(struct gemv_args),
	{.name = "batch",
		.type = PARAM_COUNT,
		.offset = offsetof(struct gemv_args, batch),
		.fallback = "1",
		.min = 1,
		.max = 64,
		.help = "tokens whose activations each weight is multiplied with"},
	LAYERS_ROWS(struct gemv_args),
	{0},
};

/* The state of a thread; setup() allocates it. */
struct gemv {
	struct layers_own layers; /* first: layers.h */
	struct gemv_product product;
	float *x, *y, *scales; /* y[row][token] and scales[row]: of all rows of the thread */
	size_t all;            /* rows of the thread */
	int vector;            /* where the next call goes on: this vector ... */
	size_t at, before;     /* ... so many of its rows done, so many in vectors before */
	bool whole;            /* all rows have been multiplied */
	uint64_t done;         /* rows since tell() */
};

/* Rows of a vector that are the thread's: [from, to), counted in the vector. */
struct rows {
	size_t from, to;
};

static const struct gemv_form *form_of(const struct worker *w)
{
	return &((const struct gemv_args *)w->args)->form;
}

static struct rows rows_of(const struct worker *w, const struct vector *v)
{
	const size_t rows = gemv_form_rows(form_of(w), v), rank = (size_t)v->rank,
		     users = (size_t)v->users;

	return (struct rows){rows * rank / users, rows * (rank + 1) / users};
}

static size_t count(struct rows r)
{
	return r.to - r.from;
}

static uint64_t rows_of_all(const struct worker *w)
{
	uint64_t rows = 0;

	for (const struct vector *v = w->vectors; v < w->vectors + w->nvectors; v++)
		rows += count(rows_of(w, v));
	return rows;
}

static const char *gemv_check(const struct worker *w, char *why, size_t n)
{
	if (gemv_form_check(form_of(w), ((const struct gemv_args *)w->args)->batch, why, n))
		return why;
	for (const struct vector *v = w->vectors; v < w->vectors + w->nvectors; v++) {
		const size_t rows = gemv_form_rows(form_of(w), v);

		if (rows >= (size_t)v->users)
			continue;
		snprintf(why, n,
			"a vector has %zu row%s of %zu bytes for %d thread%s; a larger "
			"sizePerVector, or fewer columns",
			rows, rows == 1 ? "" : "s", gemv_form_row(form_of(w)), v->users,
			v->users == 1 ? "" : "s");
		return why;
	}
	return layers_check(w, rows_of_all(w), why, n);
}

static const char *gemv_lacks(const struct worker *w, char *why, size_t n)
{
	return gemv_form_lacks(
		form_of(w), ((const struct gemv_args *)w->args)->batch, "gemv", why, n);
}

static bool gemv_takes_loop(const struct worker *w, const char *loop)
{
	return gemv_form_takes_loop(form_of(w), ((const struct gemv_args *)w->args)->batch, loop);
}

static struct work gemv_work(const void *given)
{
	return gemv_form_work(&((const struct gemv_args *)given)->form);
}

static const char *gemv_finds(const struct worker *w, int k)
{
	(void)k;
	return gemv_form_contents(form_of(w));
}

static const char *weights_at(const struct worker *w, const struct vector *v, size_t row)
{
	return (const char *)v->base + row * gemv_form_row(form_of(w));
}

static bool allocate(struct gemv *g, const struct gemv_args *args)
{
	g->x = gemv_form_x(&args->form, args->batch);
	g->y = own_pages(g->all * args->batch, sizeof(*g->y));
	g->scales = own_pages(g->all, sizeof(*g->scales));
	return g->x && g->y && g->scales;
}

static void fill(const struct worker *w, struct gemv *g)
{
	const struct gemv_product *p = &g->product;
	float *scale = g->scales;

	for (const struct vector *v = w->vectors; v < w->vectors + w->nvectors; v++) {
		const struct rows r = rows_of(w, v);

		gemv_fill(p->type, v->base, r.from * p->columns, r.to * p->columns);
		for (size_t row = r.from; row < r.to; row++)
			*scale++ = (float)gemv_row_scale(p->type, row);
	}
}

static void gemv_choose(struct worker *w)
{
	struct gemv *g = w->own;
	const struct gemv_args *args = w->args;
	const struct rows first = rows_of(w, w->vectors);
	const struct gemv_rows rows = {weights_at(w, w->vectors, first.from), count(first), 0};

	g->product.way =
		gemv_form_choose(&args->form, g->product, args->batch, rows, g->scales, g->x, g->y);
	memset(g->y, 0, g->all * args->batch * sizeof(*g->y));
}

static const char *gemv_setup(struct worker *w)
{
	const struct gemv_args *args = w->args;
	struct gemv *g = w->own = calloc(1, sizeof(*g));

	if (!g)
		return "no memory left for its state";
	g->product = gemv_form_product(&args->form, args->batch);
	g->all = rows_of_all(w);
	if (!allocate(g, args))
		return "no memory left for x and y";
	g->product.x = g->x;
	fill(w, g);
	return layers_setup(w);
}

static void gemv_chose(const struct worker *w, char *text, size_t n)
{
	gemv_form_chose(form_of(w), &((const struct gemv *)w->own)->product, text, n);
}

/* Multiplies the next rows, at most n, up to the end of a vector; returns how many. */
static size_t some_rows(const struct worker *w, struct gemv *g, size_t n)
{
	const struct vector *v = w->vectors + g->vector;
	const struct rows r = rows_of(w, v);
	const size_t rest = count(r) - g->at, rows = n < rest ? n : rest, first = g->before + g->at;

	gemv_multiply(&g->product,
		&(struct gemv_rows){weights_at(w, v, r.from + g->at), rows, rest - rows},
		g->scales + first, g->y + first * g->product.batch);
	g->at += rows;
	if (rows < rest)
		return rows;
	g->before += count(r);
	g->at = 0;
	if (++g->vector < w->nvectors)
		return rows;
	g->vector = 0;
	g->before = 0;
	g->whole = true;
	return rows;
}

static uint64_t go_on(const struct worker *w, uint64_t rows)
{
	struct gemv *g = w->own;

	for (uint64_t left = rows; left;)
		left -= some_rows(w, g, left);
	g->done += rows;
	return rows * g->product.columns;
}

static uint64_t gemv_run(struct worker *w, uint64_t passes)
{
	return layers_run(w, passes, ((const struct gemv *)w->own)->all, go_on);
}

static void gemv_tell(const struct worker *w, double *values)
{
	const struct gemv_args *args = w->args;
	struct gemv *g = w->own;

	layers_tell(w, values);
	values[2] = (double)g->done / (double)g->all * (double)args->batch;
	g->done = 0;
}

static uint64_t gemv_step(struct worker *w, uint64_t steps)
{
	const struct gemv *g = w->own;

	return go_on(w, steps * gemv_form_step(&g->product, g->all));
}

/* Products that verify() checks at most, of each vector: rows at the same distance. */
#define CHECKED ((size_t)1 << 23)

static const char *wrong_row(
	const struct worker *w, size_t row, const float *y, char *why, size_t n)
{
	const struct gemv_args *args = w->args;

	for (size_t token = 0; token < args->batch; token++) {
		const double right = gemv_form_expected(&args->form, row, token);

		if (y[token] == right)
			continue;
		snprintf(why, n, "row %zu times token %zu is %g, not %g", row, token,
			(double)y[token], right);
		return why;
	}
	return NULL;
}

static const char *gemv_verify(const struct worker *w, char *why, size_t n)
{
	const struct gemv_args *args = w->args;
	struct gemv *g = w->own;
	const size_t most = CHECKED / (args->form.columns * args->batch);
	const float *y = g->y;

	while (!g->whole)
		some_rows(w, g, g->all);
	for (const struct vector *v = w->vectors; v < w->vectors + w->nvectors; v++) {
		const struct rows r = rows_of(w, v);
		const size_t rows = count(r), some = rows < most ? rows : most;

		for (size_t k = 0; k < some; k++) {
			const size_t i = k * (rows - 1) / (some > 1 ? some - 1 : 1);

			if (wrong_row(w, r.from + i, y + i * args->batch, why, n))
				return why;
		}
		y += rows * args->batch;
	}
	return NULL;
}

static void gemv_teardown(struct worker *w)
{
	struct gemv *g = w->own;

	if (!g)
		return;
	own_pages_free(g->x);
	own_pages_free(g->y);
	own_pages_free(g->scales);
	layers_teardown(&g->layers);
	free(g);
	w->own = NULL;
}

const struct kernel gemv_kernel = {
	.summary = "bandwidth of weights that are multiplied with activations: y = W x",
	.unit = "weight",
	.run = gemv_run,
	.step = gemv_step,
	.per_unit = {.loads = 1, .bytes = 2},
	.work = gemv_work,
	.params = gemv_params,
	.args_size = sizeof(struct gemv_args),
	.min_vectors = 1,
	.check = gemv_check,
	.lacks_for = gemv_lacks,
	.takes_loop = gemv_takes_loop,
	.share = layers_share,
	.setup = gemv_setup,
	.choose = gemv_choose,
	.chose = gemv_chose,
	.figures = layers_figures,
	.tell = gemv_tell,
	.verify = gemv_verify,
	.teardown = gemv_teardown,
	.unshare = layers_unshare,
	.prepares = true,
	.meetings.meets = layers_meets,
	.accesses.divides = true,
	.accesses.reach = gemv_form_reach,
	.finds = gemv_finds,
};
