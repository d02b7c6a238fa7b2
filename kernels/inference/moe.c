/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A mixture of experts: each token chooses `top` of `experts` matrices, and is multiplied with
 * these. A vector is a layer: its rows, divided by the experts in the order of memory; what is left
 * is not accessed. Threads that share a vector each have a slice of the rows of every expert, and
 * the same tokens. A token goes through all vectors of the thread, with other experts in each. A
 * unit is a weight. A round is as many tokens as choose each expert once on average; with
 * mode: time it is divided into steps.
 */
#include <stdio.h>
#include <stdlib.h>

#include "gemv_form.h"
#include "layers.h"
#include "moe_draw.h"

#define MOST_EXPERTS 1024
#define MOST_TOP     64

/* Choices are drawn before; after so many tokens they begin again. */
#define TOKENS 1024

/* Activations differ between neighbouring tokens. */
#define X_TOKENS 4

struct moe_args {
	struct layers_args layers; /* first: layers.h */
	struct gemv_form form;
	uint64_t experts, top, hot;
	double hot_share;
};

static const struct param moe_params[] = {
	GEMV_FORM_ROWS(struct moe_args),
	{.name = "experts",
		.type = PARAM_COUNT,
		.offset = offsetof(struct moe_args, experts),
		.fallback = "8",
		.min = 1,
		.max = MOST_EXPERTS,
		.help = "matrices that a vector is divided into"},
	{.name = "top",
		.type = PARAM_COUNT,
		.offset = offsetof(struct moe_args, top),
		.fallback = "2",
		.min = 1,
		.max = MOST_TOP,
		.help = "experts that a token chooses"},
	{.name = "hot",
		.type = PARAM_COUNT,
		.offset = offsetof(struct moe_args, hot),
		.fallback = "0",
		.max = MOST_EXPERTS,
		.help = "experts, the first ones, that are chosen more often; 0: none"},
	{.name = "hot_share",
		.type = PARAM_FRACTION,
		.offset = offsetof(struct moe_args, hot_share),
		.fallback = "0",
		.max = 1,
		.help = "share of the choices that goes to them"},
	LAYERS_ROWS(struct moe_args),
	{0},
};

/* The thread's rows of each expert of a vector. */
struct layer {
	const char *base;
	size_t rows;        /* of an expert */
	size_t from, count; /* the thread's, of these */
	uint32_t *chosen;   /* [TOKENS][top] */
	float *y, *scales;  /* [experts][count] */
	int *last;          /* [experts]: the x that y belongs to, or -1 */
};

/* The state of a thread; setup() allocates it. */
struct moe {
	struct layers_own meetings; /* first: layers.h */
	struct gemv_product product;
	struct layer *layers;
	float *x;
	bool all;        /* allocated */
	uint64_t token;  /* where the next call goes on: this token, ... */
	int layer;       /* ... this vector, ... */
	uint64_t choice; /* ... this of its choices, ... */
	size_t at;       /* ... so many of its rows done */
	uint64_t done;   /* rows since tell() */
};

static const struct gemv_form *form_of(const struct worker *w)
{
	return &((const struct moe_args *)w->args)->form;
}

static struct moe_draw draw_of(const struct moe_args *a)
{
	return (struct moe_draw){
		(uint32_t)a->experts, (uint32_t)a->top, (uint32_t)a->hot, a->hot_share};
}

/* The thread's, of all experts of a vector. */
static size_t rows_of(const struct worker *w, const struct vector *v)
{
	const struct moe_args *args = w->args;
	const size_t rows = gemv_form_rows(&args->form, v) / args->experts;

	return rows * ((size_t)v->rank + 1) / (size_t)v->users -
	       rows * (size_t)v->rank / (size_t)v->users;
}

/* Of a token. */
static uint64_t rows_of_token(const struct worker *w)
{
	uint64_t rows = 0;

	for (const struct vector *v = w->vectors; v < w->vectors + w->nvectors; v++)
		rows += ((const struct moe_args *)w->args)->top * rows_of(w, v);
	return rows;
}

static const char *moe_check(const struct worker *w, char *why, size_t n)
{
	const struct moe_args *args = w->args;
	const struct moe_draw draw = draw_of(args);

	if (gemv_form_check(&args->form, 1, why, n) || moe_draw_check(&draw, why, n))
		return why;
	for (const struct vector *v = w->vectors; v < w->vectors + w->nvectors; v++) {
		const size_t rows = gemv_form_rows(&args->form, v) / args->experts;

		if (rows >= (size_t)v->users)
			continue;
		snprintf(why, n,
			"an expert of a vector has %zu row%s of %zu bytes for %d thread%s; a "
			"larger sizePerVector, fewer experts, or fewer columns",
			rows, rows == 1 ? "" : "s", gemv_form_row(&args->form), v->users,
			v->users == 1 ? "" : "s");
		return why;
	}
	return layers_check(w, rows_of_token(w), why, n);
}

static const char *moe_lacks(const struct worker *w, char *why, size_t n)
{
	return gemv_form_lacks(form_of(w), 1, "moe", why, n);
}

static bool moe_takes_loop(const struct worker *w, const char *loop)
{
	return gemv_form_takes_loop(form_of(w), 1, loop);
}

static struct work moe_work(const void *given)
{
	return gemv_form_work(&((const struct moe_args *)given)->form);
}

/* Experts that no token chooses are not read. */
static double moe_reach(const struct worker *w)
{
	const struct moe_draw d = draw_of(w->args);

	return gemv_form_reach(w) * (d.hot_share < 1 ? 1 : (double)d.hot / d.experts);
}

static const char *moe_finds(const struct worker *w, int k)
{
	(void)k;
	return gemv_form_contents(form_of(w));
}

/* The first row of the thread's, of an expert. */
static size_t first_row(const struct layer *l, size_t expert)
{
	return expert * l->rows + l->from;
}

static void fill(const struct worker *w, struct layer *l)
{
	const struct moe_args *args = w->args;
	const enum gemv_type type = gemv_form_type(&args->form);

	for (size_t expert = 0; expert < args->experts; expert++) {
		const size_t from = first_row(l, expert), to = from + l->count;

		gemv_fill(
			type, (char *)l->base, from * args->form.columns, to * args->form.columns);
		for (size_t row = from; row < to; row++)
			l->scales[expert * l->count + row - from] =
				(float)gemv_row_scale(type, row);
		l->last[expert] = -1;
	}
}

static bool make_layer(const struct worker *w, int number, struct layer *l)
{
	const struct moe_args *args = w->args;
	const struct vector *v = &w->vectors[number];
	const struct moe_draw draw = draw_of(args);
	const size_t rows = gemv_form_rows(&args->form, v) / args->experts;
	const size_t from = rows * (size_t)v->rank / (size_t)v->users;

	*l = (struct layer){v->base, rows, from, .count = rows_of(w, v)};
	l->chosen = own_pages(TOKENS * args->top, sizeof(*l->chosen));
	l->y = own_pages(args->experts * l->count, sizeof(*l->y));
	l->scales = own_pages(args->experts * l->count, sizeof(*l->scales));
	l->last = own_pages(args->experts, sizeof(*l->last));
	if (!l->chosen || !l->y || !l->scales || !l->last)
		return false;
	for (uint64_t token = 0; token < TOKENS; token++)
		moe_choose(&draw, (uint64_t)number * TOKENS + token, l->chosen + token * args->top);
	fill(w, l);
	return true;
}

static const char *weights_at(const struct worker *w, const struct layer *l, size_t expert)
{
	return l->base + first_row(l, expert) * gemv_form_row(form_of(w));
}

static void moe_choose_way(struct worker *w)
{
	struct moe *m = w->own;
	const struct layer *l = m->layers;
	const struct gemv_rows rows = {weights_at(w, l, 0), l->count, 0};

	m->product.way =
		gemv_form_choose(form_of(w), m->product, X_TOKENS, rows, l->scales, m->x, l->y);
}

static const char *moe_setup(struct worker *w)
{
	struct moe *m = w->own = calloc(1, sizeof(*m));

	if (!m)
		return "no memory left for its state";
	m->product = gemv_form_product(form_of(w), 1);
	m->x = gemv_form_x(form_of(w), X_TOKENS);
	m->layers = calloc((size_t)w->nvectors, sizeof(*m->layers));
	m->all = m->x && m->layers;
	for (int i = 0; i < w->nvectors && m->all; i++)
		m->all = make_layer(w, i, &m->layers[i]);
	if (!m->all)
		return "no memory left for x, y, and the choices";
	return layers_setup(w);
}

static void moe_chose(const struct worker *w, char *text, size_t n)
{
	gemv_form_chose(form_of(w), &((const struct moe *)w->own)->product, text, n);
}

/* Multiplies the next rows, at most n, up to the end of an expert; returns how many. */
static size_t some_rows(const struct worker *w, struct moe *m, size_t n)
{
	const struct moe_args *args = w->args;
	const int x = (int)(m->token % X_TOKENS);
	struct layer *l = &m->layers[m->layer];
	const uint32_t expert = l->chosen[m->token % TOKENS * args->top + m->choice];
	const size_t rest = l->count - m->at, rows = n < rest ? n : rest;
	const size_t first = expert * l->count + m->at;
	struct gemv_product p = m->product;

	p.x = m->x + (size_t)x * gemv_stride(p.type, p.activations, p.columns);
	gemv_multiply(&p,
		&(struct gemv_rows){weights_at(w, l, expert) + m->at * gemv_form_row(form_of(w)),
			rows, rest - rows},
		l->scales + first, l->y + first);
	m->at += rows;
	if (rows < rest)
		return rows;
	l->last[expert] = x;
	m->at = 0;
	if (++m->choice < args->top)
		return rows;
	m->choice = 0;
	if (++m->layer < w->nvectors)
		return rows;
	m->layer = 0;
	m->token++;
	return rows;
}

static uint64_t go_on(const struct worker *w, uint64_t rows)
{
	struct moe *m = w->own;

	for (uint64_t left = rows; left;)
		left -= some_rows(w, m, left);
	m->done += rows;
	return rows * m->product.columns;
}

static uint64_t moe_run(struct worker *w, uint64_t passes)
{
	const struct moe_args *a = w->args;

	return layers_run(
		w, passes * ((a->experts + a->top - 1) / a->top), rows_of_token(w), go_on);
}

static void moe_tell(const struct worker *w, double *values)
{
	struct moe *m = w->own;

	layers_tell(w, values);
	values[2] = (double)m->done / (double)rows_of_token(w);
	m->done = 0;
}

static uint64_t moe_step(struct worker *w, uint64_t steps)
{
	return go_on(w,
		steps * gemv_form_step(&((const struct moe *)w->own)->product, rows_of_token(w)));
}

/* Products that verify() checks at most, of each expert: rows at the same distance. */
#define CHECKED ((size_t)1 << 18)

static const char *wrong_expert(
	const struct worker *w, const struct layer *l, size_t expert, char *why, size_t n)
{
	const size_t most = CHECKED / form_of(w)->columns, some = l->count < most ? l->count : most;
	const size_t token = (size_t)l->last[expert];

	for (size_t k = 0; k < some; k++) {
		const size_t i = k * (l->count - 1) / (some > 1 ? some - 1 : 1);
		const size_t row = first_row(l, expert) + i;
		const double right = gemv_form_expected(form_of(w), row, token);
		const double is = l->y[expert * l->count + i];

		if (is == right)
			continue;
		snprintf(why, n, "row %zu of expert %zu times a token is %g, not %g",
			row - expert * l->rows, expert, is, right);
		return why;
	}
	return NULL;
}

static const char *moe_verify(const struct worker *w, char *why, size_t n)
{
	const struct moe_args *args = w->args;
	struct moe *m = w->own;

	while (m->at)
		some_rows(w, m, SIZE_MAX);
	for (const struct layer *l = m->layers; l < m->layers + w->nvectors; l++)
		for (size_t expert = 0; expert < args->experts; expert++)
			if (l->last[expert] >= 0 && wrong_expert(w, l, expert, why, n))
				return why;
	return NULL;
}

static void moe_teardown(struct worker *w)
{
	struct moe *m = w->own;

	if (!m)
		return;
	for (int i = 0; m->layers && i < w->nvectors; i++) {
		own_pages_free(m->layers[i].chosen);
		own_pages_free(m->layers[i].y);
		own_pages_free(m->layers[i].scales);
		own_pages_free(m->layers[i].last);
	}
	free(m->layers);
	own_pages_free(m->x);
	layers_teardown(&m->meetings);
	free(m);
	w->own = NULL;
}

const struct kernel moe_kernel = {
	.summary = "bandwidth of weights when each token chooses some: a mixture of experts",
	.unit = "weight",
	.run = moe_run,
	.step = moe_step,
	.per_unit = {.loads = 1, .bytes = 2},
	.work = moe_work,
	.params = moe_params,
	.args_size = sizeof(struct moe_args),
	.min_vectors = 1,
	.check = moe_check,
	.lacks_for = moe_lacks,
	.takes_loop = moe_takes_loop,
	.share = layers_share,
	.setup = moe_setup,
	.choose = moe_choose_way,
	.chose = moe_chose,
	.figures = layers_figures,
	.tell = moe_tell,
	.verify = moe_verify,
	.teardown = moe_teardown,
	.unshare = layers_unshare,
	.prepares = true,
	.meetings.meets = layers_meets,
	.accesses.divides = true,
	.accesses.reach = moe_reach,
	.finds = moe_finds,
};
