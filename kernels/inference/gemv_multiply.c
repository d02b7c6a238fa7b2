/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products of rows and tokens by the loops of gemv. */
#include <stdio.h>
#include <string.h>

#include "gemv.h"

/* How many of the tokens that are left are multiplied at once, if at most so many can be: about the
 * same number each time. */
static size_t tokens_of(size_t left, size_t most)
{
	const size_t times = (left + most - 1) / most;

	return (left + times - 1) / times;
}

/* Tokens of the largest tile; if there is none, of a row. */
static size_t most_of_tiles(const struct gemv_isa *isa, enum gemv_type type)
{
	size_t most = GEMV_TOKENS;

	while (most > 1 && !isa->tiles[type][most - 1])
		most--;
	return most > 1 ? most : GEMV_TOKENS;
}

/* Without a division, which takes as long as a short row: columns of a turn are powers of two. */
static size_t turns_of(const struct gemv_product *p)
{
	return p->columns >> __builtin_ctzll(p->way.isa->columns[p->type]);
}

static void multiply_row(
	const struct gemv_product *p, const char *w, size_t ahead, float scale, float *y)
{
	const size_t turns = turns_of(p);
	gemv_loop *const *loops = p->way.isa->loops[p->type];
	float sums[GEMV_TOKENS];

	if (p->batch == 1) {
		loops[0](w, p->x, 0, turns, (ptrdiff_t)ahead, sums);
		*y = scale * sums[0];
		return;
	}
	const size_t stride = gemv_stride(p->type, p->activations, p->columns);

	for (size_t token = 0, n; token < p->batch; token += n) {
		n = tokens_of(p->batch - token, GEMV_TOKENS);
		loops[n - 1](w, p->x + token * stride, stride, turns, (ptrdiff_t)ahead, sums);
		for (size_t k = 0; k < n; k++)
			y[token + k] = scale * sums[k];
	}
}

/* What the k-th of so many tiles of the same rows fetches: its part of each of the next rows, which
 * follow these. tiles = 0: there are none. */
static void fetch_part(struct gemv_tile *t, size_t bytes, size_t k, size_t tiles)
{
	t->next = tiles ? t->w + bytes + k * (bytes / tiles) : t->w;
	t->step = tiles ? bytes / tiles / t->turns : 0;
}

/* With so many tokens: a tile, or what there is instead. */
static void multiply_tile(const struct gemv_product *p, struct gemv_tile *t, size_t n)
{
	const struct gemv_isa *isa = p->way.isa;
	float sums[GEMV_ROWS];

	if (isa->tiles[p->type][n - 1]) {
		isa->tiles[p->type][n - 1](t);
		return;
	}
	if (n > 1 || !isa->rows[p->type]) {
		for (size_t r = 0; r < GEMV_ROWS; r++)
			isa->loops[p->type][n - 1](
				t->w + r * t->stride, t->x, t->x_stride, t->turns, 0, t->sums[r]);
		return;
	}
	isa->rows[p->type](t->w, t->x, t->stride, t->turns, 0, sums);
	for (size_t r = 0; r < GEMV_ROWS; r++)
		t->sums[r][0] = sums[r];
}

static void multiply_quarters_once(
	const struct gemv_product *p, const char *w, size_t quarter, const float *scales, float *y)
{
	const size_t bytes = gemv_row_bytes(p->type, p->columns), turns = turns_of(p);
	gemv_loop *const loop = p->way.isa->rows[p->type];
	float sums[GEMV_ROWS];

	for (size_t row = 0; row < quarter; row++) {
		loop(w + row * bytes, p->x, quarter * bytes, turns, 0, sums);
		for (size_t r = 0; r < GEMV_ROWS; r++)
			y[row + r * quarter] = scales[row + r * quarter] * sums[r];
	}
}

/* Rows of the first quarter, each with those of the other quarters that have its place there: four
 * streams through memory, which go on where the row before ended. */
static void multiply_quarters(
	const struct gemv_product *p, const char *w, size_t quarter, const float *scales, float *y)
{
	if (p->batch == 1) {
		multiply_quarters_once(p, w, quarter, scales, y);
		return;
	}
	const size_t bytes = gemv_row_bytes(p->type, p->columns);
	const size_t most = most_of_tiles(p->way.isa, p->type);
	const size_t tiles = (p->batch + most - 1) / most;
	struct gemv_tile t = {.stride = quarter * bytes,
		.x_stride = gemv_stride(p->type, p->activations, p->columns),
		.turns = turns_of(p)};

	for (size_t row = 0; row < quarter; row++) {
		size_t tile = 0;

		t.w = w + row * bytes;
		for (size_t token = 0, n; token < p->batch; token += n) {
			n = tokens_of(p->batch - token, most);
			fetch_part(&t, bytes, tile++, row + 1 < quarter ? tiles : 0);
			t.x = p->x + token * t.x_stride;
			multiply_tile(p, &t, n);
			for (size_t r = 0; r < GEMV_ROWS; r++)
				for (size_t k = 0; k < n; k++)
					y[(row + r * quarter) * p->batch + token + k] =
						scales[row + r * quarter] * t.sums[r][k];
		}
	}
}

/* Of a quarter, at most: long beside what it takes to follow a stream again. Quarters of a large
 * power of two would lie in the same bank of memory, in rows that close each other; of an odd
 * number of rows they do not. */
#define QUARTER ((size_t)1 << 20)

static size_t limited(size_t quarter, size_t bytes)
{
	if (quarter * bytes <= QUARTER)
		return quarter;
	const size_t most = QUARTER / bytes | 1;

	return quarter < most ? quarter : most;
}

/* Multiplies as many rows as can be multiplied at once; returns how many. */
static size_t multiply_at_once(
	const struct gemv_product *p, const struct gemv_rows *rows, const float *scales, float *y)
{
	const size_t bytes = gemv_row_bytes(p->type, p->columns);
	size_t done = 0, quarter;

	for (; (quarter = (rows->count - done) / GEMV_ROWS); done += quarter * GEMV_ROWS) {
		quarter = limited(quarter, bytes);
		multiply_quarters(
			p, rows->w + done * bytes, quarter, scales + done, y + done * p->batch);
	}
	return done;
}

void gemv_multiply(
	const struct gemv_product *p, const struct gemv_rows *rows, const float *scales, float *y)
{
	const size_t bytes = gemv_row_bytes(p->type, p->columns), ahead = gemv_ahead(p->way.ahead);
	size_t row = p->way.rows > 1 ? multiply_at_once(p, rows, scales, y) : 0;

	for (; row < rows->count; row++) {
		const size_t follow = rows->count - row - 1 + rows->behind;

		multiply_row(p, rows->w + row * bytes, follow * bytes < ahead ? 0 : ahead,
			scales[row], y + row * p->batch);
	}
}

static bool is_loop(const char *loop, const struct gemv_product *p, const char *kind, size_t n)
{
	char name[64];

	snprintf(name, sizeof(name), "gemv_%s%s%s_%s_u%zu", kind,
		p->activations == GEMV_X_INT8 ? "dots_" : "", gemv_type_names[p->type],
		p->way.isa->name, n);
	return !strcmp(loop, name);
}

/* As multiply_tile(). */
static bool is_loop_of_tile(const char *loop, const struct gemv_product *p, size_t n)
{
	const struct gemv_isa *isa = p->way.isa;

	if (isa->tiles[p->type][n - 1])
		return is_loop(loop, p, "tile_", n);
	return n == 1 && isa->rows[p->type] ? is_loop(loop, p, "rows_", GEMV_ROWS)
					    : is_loop(loop, p, "", n);
}

/* What is left of rows that are multiplied at once goes one by one. */
bool gemv_may_take(const struct gemv_product *p, const char *loop)
{
	const size_t most = most_of_tiles(p->way.isa, p->type);
	bool takes = false;

	for (size_t token = 0, n; token < p->batch; token += n) {
		n = tokens_of(p->batch - token, GEMV_TOKENS);
		takes |= is_loop(loop, p, "", n);
	}
	for (size_t token = 0, n; token < p->batch && p->way.rows > 1; token += n) {
		n = tokens_of(p->batch - token, most);
		takes |= is_loop_of_tile(loop, p, n);
	}
	return takes;
}
