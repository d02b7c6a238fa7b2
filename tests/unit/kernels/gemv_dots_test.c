/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loops of gemv for activations of 8 bits, instruction set by instruction set: the largest
 * numbers, which narrow sums would cut off, and scales of their blocks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "inference/gemv.h"
#include "kernel_stage.h"

enum { COLUMNS = 256, TOKENS = GEMV_TOKENS, BLOCK = 32 };

/* One row and its activations, as they are meant. */
struct product {
	int w[COLUMNS], x[TOKENS][COLUMNS];
	float w_scale[COLUMNS / BLOCK], x_scale[TOKENS][COLUMNS / BLOCK];
};

static double expected(const struct product *c, size_t token)
{
	double sum = 0;

	for (size_t i = 0; i < COLUMNS; i++)
		sum += c->w[i] * (double)c->w_scale[i / BLOCK] * c->x[token][i] *
		       (double)c->x_scale[token][i / BLOCK];
	return sum;
}

static void put_weights(const struct product *c, enum gemv_type type, char *w)
{
	for (size_t i = 0; i < COLUMNS; i++) {
		char *chunk = w + i / 128 * 72;
		uint32_t scale;

		if (type == GEMV_INT8) {
			w[i] = (char)c->w[i];
			continue;
		}
		chunk[i % 128 / 2] |= (char)((c->w[i] + 8) << i % 2 * 4);
		memcpy(&scale, &c->w_scale[i / BLOCK], sizeof(scale));
		chunk[64 + i % 128 / BLOCK * 2] = (char)(scale >> 16);
		chunk[65 + i % 128 / BLOCK * 2] = (char)(scale >> 24);
	}
}

/* In the order of the loops, written by another hand than gemv_arrange(). */
static void put_activations(const struct product *c, enum gemv_type type,
	const struct gemv_isa *isa, size_t token, float *x)
{
	const size_t in_word = type == GEMV_Q4 ? 8 : 4, lanes = isa->lanes;

	for (size_t i = 0; i < COLUMNS; i++) {
		const size_t lane = i / in_word % lanes, vector = i / in_word / lanes;
		float *here =
			type == GEMV_Q4 ? x + vector * 4 * lanes : x + lanes + vector * 2 * lanes;
		char *bytes = (char *)(type == GEMV_Q4 ? here + (1 + i % 2) * lanes : here);
		const float scale = c->x_scale[token][i / BLOCK];

		bytes[lane * 4 + (type == GEMV_Q4 ? i % 8 / 2 : i % 4)] = (char)c->x[token][i];
		here[(type == GEMV_Q4 ? 3 : 1) * lanes + lane] = scale;
		if (type == GEMV_Q4)
			((int32_t *)here)[lane] -= 8 * c->x[token][i];
		else
			x[lane] -= (float)(isa->added * c->x[token][i]) * scale;
	}
}

/* Four times the same row, with as many tokens as there are loops for. */
static void try_tiles(const struct product *c, enum gemv_type type, const struct gemv_isa *isa,
	const char *w, const float *x)
{
	struct gemv_tile tile = {.w = w,
		.x = x,
		.x_stride = gemv_stride(type, GEMV_X_INT8, COLUMNS),
		.turns = COLUMNS / isa->columns[type],
		.next = w};

	for (size_t n = 1; n <= TOKENS; n++) {
		if (!isa->tiles[type][n - 1])
			continue;
		isa->tiles[type][n - 1](&tile);
		for (size_t row = 0; row < GEMV_ROWS; row++)
			for (size_t token = 0; token < n; token++)
				assert_true(tile.sums[row][token] == expected(c, token));
	}
}

static void try(const struct product *c, enum gemv_type type, const struct gemv_isa *isa)
{
	const size_t stride = gemv_stride(type, GEMV_X_INT8, COLUMNS);
	char *w = calloc(1, COLUMNS);
	float *x = calloc(TOKENS * stride, sizeof(*x)), sums[TOKENS];

	put_weights(c, type, w);
	for (size_t token = 0; token < TOKENS; token++)
		put_activations(c, type, isa, token, x + token * stride);
	for (size_t n = 1; n < TOKENS; n++) {
		isa->loops[type][n - 1](w, x, stride, COLUMNS / isa->columns[type], 0, sums);
		for (size_t token = 0; token < n; token++)
			assert_true(sums[token] == expected(c, token));
	}
	try_tiles(c, type, isa, w, x);
	isa->loops[type][TOKENS - 1](w, x, stride, COLUMNS / isa->columns[type], 0, sums);
	for (size_t token = 0; token < TOKENS; token++) {
		assert_true(sums[token] == expected(c, token));
		float rows[GEMV_ROWS];

		/* four times the same row */
		isa->rows[type](w, x + token * stride, 0, COLUMNS / isa->columns[type], 0, rows);
		for (size_t row = 0; row < GEMV_ROWS; row++)
			assert_true(rows[row] == sums[token]);
	}
	free(w);
	free(x);
}

static void test_dots(void **state)
{
	const struct gemv_isa *isa = *state;
	const enum gemv_type types[] = {GEMV_INT8, GEMV_Q4};
	const int extremes[][3] = {
		{-128, -127, 127}, {-8, -7, 7}}; /* of the weights of each type */

	if (!isa->has()) {
		/* cmocka 1.1 prints its own skip() as "not ok" */
		fprintf(stderr, "# skipped: this CPU has no %s\n", isa->name);
		return;
	}
	for (size_t t = 0; t < LENGTH(types); t++)
		for (int which = 0; which < 4; which++) { /* one of them, or all */
			struct product c;

			for (size_t i = 0; i < COLUMNS; i++)
				c.w[i] = extremes[t][which < 3 ? which : (int)(i * 7 / 4 % 3)];
			for (size_t b = 0; b < COLUMNS / BLOCK; b++)
				c.w_scale[b] = t ? 1.F / (float)(1 << b % 3) : 1;
			for (size_t token = 0; token < TOKENS; token++) {
				for (size_t i = 0; i < COLUMNS; i++)
					c.x[token][i] = (i >> token) % (token + 2) ? 127 : -127;
				for (size_t b = 0; b < COLUMNS / BLOCK; b++)
					c.x_scale[token][b] = 1.F / (float)(1 << (b + token) % 2);
			}
			try(&c, types[t], isa);
		}
}

#define DOTS(isa)                                                                         \
	{                                                                                 \
		"largest numbers and scales are right with " #isa, test_dots, NULL, NULL, \
			(void *)&gemv_dots_##isa                                          \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		DOTS(scalar),
#if defined(__x86_64__)
		DOTS(avx2),
		DOTS(avxvnni),
		DOTS(avx512vnni),
#elif defined(__aarch64__)
		DOTS(neon),
		DOTS(dotprod),
#endif
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
