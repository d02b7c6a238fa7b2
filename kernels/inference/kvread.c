/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The keys and values of attention, read from a paged cache as decoding reads them: a vector is the
 * cache of a layer, in blocks of so many tokens, first their keys, then their values, a row each.
 * Threads that share a vector each have a slice of its blocks, and sequences of their own in these.
 * The lengths of sequences are drawn; each has a table of its blocks. A row is multiplied with
 * `queries` vectors, values as keys: for memory these are the same, and it can be verified. A unit
 * is a number of a row. A round reads all sequences of the thread; mode: time has steps.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gemv_form.h"
#include "kernel.h"
#include "kvread_read.h"
#include "kvread_table.h"
#include "layers.h"

#define MOST_TOKENS (1u << 24)

/* In the order of enum kv_order. */
static const char *const order_names[] = {"random", "sequential", NULL};

struct kvread_args {
	struct layers_args layers; /* first: layers.h */
	struct gemv_form form;
	struct kv_form kv;
	uint64_t queries;
	int follow;
};

static const struct param kvread_params[] = {
	GEMV_FORM_ROWS(struct kvread_args),
	{.name = "context",
		.type = PARAM_COUNT,
		.offset = offsetof(struct kvread_args, kv.context),
		.fallback = "4096",
		.min = 1,
		.max = MOST_TOKENS,
		.help = "tokens of the longest sequence"},
	{.name = "spread",
		.type = PARAM_FRACTION,
		.offset = offsetof(struct kvread_args, kv.spread),
		.fallback = "50%",
		.max = 1,
		.help = "how much shorter the shortest one may be; lengths are drawn evenly"},
	{.name = "block",
		.type = PARAM_COUNT,
		.offset = offsetof(struct kvread_args, kv.block),
		.fallback = "16",
		.min = 1,
		.max = 4096,
		.help = "tokens of a block: their keys, then their values"},
	{.name = "sequences",
		.type = PARAM_COUNT,
		.offset = offsetof(struct kvread_args, kv.sequences),
		.fallback = "0",
		.max = 1e6,
		.help = "of each thread; 0: as many as its blocks suffice for"},
	{.name = "queries",
		.type = PARAM_COUNT,
		.offset = offsetof(struct kvread_args, queries),
		.fallback = "1",
		.min = 1,
		.max = 64,
		.help = "vectors that each row is multiplied with: heads that share a key"},
	{.name = "order",
		.type = PARAM_CHOICE,
		.offset = offsetof(struct kvread_args, kv.order),
		.fallback = "random",
		.max = KV_SEQUENTIAL,
		.choices = order_names,
		.help = "in which the tables go through the blocks"},
	{.name = "follow",
		.type = PARAM_CHOICE,
		.offset = offsetof(struct kvread_args, follow),
		.fallback = "auto",
		.max = KV_FOLLOW_YES,
		.choices = kv_follow_names,
		.help = "lines are fetched 8 KiB ahead in the order of the tables, over the ends "
			"of "
			"blocks, where prefetch stops; auto: what is quicker"},
	LAYERS_ROWS(struct kvread_args),
	{0},
};

/* The state of a thread; setup() allocates it. */
struct kvread {
	struct layers_own layers; /* first: layers.h */
	struct kv_reading reading;
	float *x;
	uint64_t all; /* rows of all caches */
};

static const struct gemv_form *form_of(const struct worker *w)
{
	return &((const struct kvread_args *)w->args)->form;
}

static struct kv_share share_of(const struct kvread_args *a, const struct vector *v)
{
	return kv_share_of(&a->kv, gemv_form_rows(&a->form, v), v);
}

#define PLURAL(n) ((n) == 1 ? "" : "s")

static const char *check_follow(const struct kvread_args *a, char *why, size_t n)
{
	if (a->follow != KV_FOLLOW_YES || !gemv_ahead(a->form.prefetch))
		return NULL;
	snprintf(why, n,
		"prefetch = %s fetches up to the end of a block, follow = yes over it; give one "
		"of them",
		gemv_ahead_names[a->form.prefetch]);
	return why;
}

static const char *kvread_check(const struct worker *w, char *why, size_t n)
{
	const struct kvread_args *args = w->args;
	uint64_t tokens = 0;

	if (gemv_form_check(&args->form, args->queries, why, n) || check_follow(args, why, n))
		return why;
	for (const struct vector *v = w->vectors; v < w->vectors + w->nvectors; v++) {
		const struct kv_share s = share_of(args, v);
		const uint64_t length = kv_length(&args->kv, v, 0);
		const uint64_t needed = kv_blocks(&args->kv, length);

		tokens += s.tokens;
		if (s.sequences && s.needed <= s.count)
			continue;
		if (!s.sequences)
			snprintf(why, n,
				"a sequence of %" PRIu64 " token%s has %" PRIu64
				" block%s, and the thread %" PRIu64
				" of a vector; a larger sizePerVector, or a shorter context",
				length, PLURAL(length), needed, PLURAL(needed), s.count);
		else
			snprintf(why, n,
				"its %" PRIu64 " sequence%s ha%s %" PRIu64
				" block%s, and the thread %" PRIu64
				" of a vector; a larger sizePerVector, or fewer sequences",
				s.sequences, PLURAL(s.sequences), s.sequences == 1 ? "s" : "ve",
				s.needed, PLURAL(s.needed), s.count);
		return why;
	}
	return layers_check(w, 2 * tokens, why, n);
}

static const char *kvread_lacks(const struct worker *w, char *why, size_t n)
{
	return gemv_form_lacks(
		form_of(w), ((const struct kvread_args *)w->args)->queries, "kvread", why, n);
}

static bool kvread_takes_loop(const struct worker *w, const char *loop)
{
	return gemv_form_takes_loop(
		form_of(w), ((const struct kvread_args *)w->args)->queries, loop);
}

static struct work kvread_work(const void *given)
{
	return gemv_form_work(&((const struct kvread_args *)given)->form);
}

static const char *kvread_finds(const struct worker *w, int k)
{
	(void)k;
	return gemv_form_contents(form_of(w));
}

/* What is read of the vectors, of the blocks that the thread's copy is read from: of each block
 * what its sequence has. */
static double kvread_reach(const struct worker *w)
{
	const struct kvread_args *args = w->args;
	double lines = 0;

	for (const struct vector *v = w->vectors; v < w->vectors + w->nvectors; v++) {
		const struct kv_share s = share_of(args, v);

		lines += (double)s.tokens / (double)(s.count * args->kv.block) * v->sharers /
			 v->users;
	}
	return lines / w->nvectors;
}

static bool make_cache(const struct worker *w, int number, struct kv_cache *c)
{
	const struct kvread_args *a = w->args;
	const struct vector *v = &w->vectors[number];
	const struct kv_share s = share_of(a, v);
	const uint64_t key = (uint64_t)number * (uint64_t)w->workers + (uint64_t)v->rank;

	*c = (struct kv_cache){
		.base = v->base, .pieces = kv_pieces(&a->kv, &s, v, key), .npieces = 2 * s.needed};
	for (size_t i = 0; c->pieces && i < c->npieces; i++)
		c->rows += c->pieces[i].count;
	c->y = own_pages(c->rows * a->queries, sizeof(*c->y));
	c->scales = own_pages(c->rows, sizeof(*c->scales));
	return c->pieces && c->y && c->scales;
}

static void fill(const struct worker *w, const struct vector *v, struct kv_cache *c)
{
	const struct kvread_args *a = w->args;
	const enum gemv_type type = gemv_form_type(&a->form);
	const struct kv_share s = share_of(a, v);
	const uint64_t numbers = 2 * a->kv.block * a->form.columns; /* of a block */
	float *scale = c->scales;

	gemv_fill(type, v->base, s.from * numbers, (s.from + s.count) * numbers);
	for (const struct kv_piece *p = c->pieces; p < c->pieces + c->npieces; p++)
		for (size_t row = p->row; row < p->row + p->count; row++)
			*scale++ = (float)gemv_row_scale(type, row);
}

static void kvread_choose(struct worker *w)
{
	struct kvread *k = w->own;
	const struct kvread_args *args = w->args;
	struct kv_reading *r = &k->reading;
	struct gemv_way ways[GEMV_WAYS];
	const char *without;

	r->product.x = k->x;
	kv_choose(r, ways, gemv_form_ways(&args->form, &r->product, ways, &without), args->follow);
	gemv_form_arrange(&r->product, args->queries, k->x);
	for (struct kv_cache *c = r->caches; c < r->caches + r->ncaches; c++)
		memset(c->y, 0, c->rows * args->queries * sizeof(*c->y));
}

static const char *kvread_setup(struct worker *w)
{
	const struct kvread_args *args = w->args;
	struct kvread *k = w->own = calloc(1, sizeof(*k));

	if (!k)
		return "no memory left for its state";
	k->reading.product = gemv_form_product(&args->form, args->queries);
	k->x = gemv_form_x(&args->form, args->queries);
	k->reading.row_bytes = gemv_form_row(&args->form);
	k->reading.ncaches = (size_t)w->nvectors;
	k->reading.caches = calloc(k->reading.ncaches, sizeof(*k->reading.caches));
	if (!k->x || !k->reading.caches)
		return "no memory left for queries";
	for (int i = 0; i < w->nvectors; i++) {
		struct kv_cache *c = &k->reading.caches[i];

		if (!make_cache(w, i, c))
			return "no memory left for tables and results";
		fill(w, &w->vectors[i], c);
		k->all += c->rows;
	}
	return layers_setup(w);
}

static void kvread_chose(const struct worker *w, char *text, size_t n)
{
	const struct kv_reading *r = &((const struct kvread *)w->own)->reading;

	gemv_form_chose(form_of(w), &r->product, text, n);
	if (((const struct kvread_args *)w->args)->follow == KV_FOLLOW_AUTO)
		gemv_form_add(text, n, "follow", r->follows ? "yes" : "no");
}

static uint64_t go_on(const struct worker *w, uint64_t rows)
{
	struct kvread *k = w->own;

	kv_read(&k->reading, rows);
	return rows * k->reading.product.columns;
}

static uint64_t kvread_run(struct worker *w, uint64_t passes)
{
	return layers_run(w, passes, ((const struct kvread *)w->own)->all, go_on);
}

static uint64_t kvread_step(struct worker *w, uint64_t steps)
{
	const struct kvread *k = w->own;

	return go_on(w, steps * gemv_form_step(&k->reading.product, k->all));
}

/* Products that verify() checks at most, of each vector: rows at the same distance. */
#define CHECKED ((size_t)1 << 22)

static const char *wrong_row(
	const struct worker *w, size_t row, const float *y, char *why, size_t n)
{
	const struct kvread_args *args = w->args;

	for (size_t query = 0; query < args->queries; query++) {
		const double right = gemv_form_expected(&args->form, row, query);

		if (y[query] == right)
			continue;
		snprintf(why, n, "row %zu of block %zu times query %zu is %g, not %g",
			row % (2 * args->kv.block), row / (2 * args->kv.block), query,
			(double)y[query], right);
		return why;
	}
	return NULL;
}

static const char *wrong_cache(
	const struct worker *w, const struct kv_cache *c, char *why, size_t n)
{
	const struct kvread_args *args = w->args;
	const size_t most = CHECKED / (args->form.columns * args->queries),
		     some = c->rows < most ? c->rows : most;
	const struct kv_piece *p = c->pieces;
	size_t before = 0;

	for (size_t k = 0; k < some; k++) {
		const size_t i = k * (c->rows - 1) / (some > 1 ? some - 1 : 1);

		while (i - before >= p->count)
			before += p++->count;
		if (wrong_row(w, p->row + i - before, c->y + i * args->queries, why, n))
			return why;
	}
	return NULL;
}

static const char *kvread_verify(const struct worker *w, char *why, size_t n)
{
	struct kv_reading *r = &((struct kvread *)w->own)->reading;

	kv_read_whole(r);
	for (const struct kv_cache *c = r->caches; c < r->caches + r->ncaches; c++)
		if (wrong_cache(w, c, why, n))
			return why;
	return NULL;
}

static void kvread_teardown(struct worker *w)
{
	struct kvread *k = w->own;

	if (!k)
		return;
	struct kv_cache *caches = k->reading.caches;

	for (size_t i = 0; caches && i < k->reading.ncaches; i++) {
		own_pages_free(caches[i].pieces);
		own_pages_free(caches[i].y);
		own_pages_free(caches[i].scales);
	}
	free(caches);
	own_pages_free(k->x);
	layers_teardown(&k->layers);
	free(k);
	w->own = NULL;
}

const struct kernel kvread_kernel = {
	.summary = "bandwidth of a paged cache of keys and values: blocks by a table",
	.unit = "number",
	.run = kvread_run,
	.step = kvread_step,
	.per_unit = {.loads = 1, .bytes = 2},
	.work = kvread_work,
	.params = kvread_params,
	.args_size = sizeof(struct kvread_args),
	.min_vectors = 1,
	.check = kvread_check,
	.lacks_for = kvread_lacks,
	.takes_loop = kvread_takes_loop,
	.share = layers_share,
	.setup = kvread_setup,
	.choose = kvread_choose,
	.chose = kvread_chose,
	.figures = layers_shares_only,
	.tell = layers_tell,
	.verify = kvread_verify,
	.teardown = kvread_teardown,
	.unshare = layers_unshare,
	.prepares = true,
	.meetings.meets = layers_meets,
	.accesses.divides = true,
	.accesses.reach = kvread_reach,
	.finds = kvread_finds,
};
