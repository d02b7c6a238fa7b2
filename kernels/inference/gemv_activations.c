/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Activations of gemv: what they are, and in which order the loops take them. */
#include <string.h>

#include "gemv.h"
#include "gemv_numbers.h"

const char *const gemv_activations_names[] = {"f32", "int8", NULL};

#define ACTIVATION_1 16.0 /* in f32 they are odd sixteenths: each of them counts */

/* Odd numbers from -127 to 127, with few in common with the weights: sums stay small. */
static int byte_of(size_t token, size_t column)
{
	return 2 * (int)gemv_mixed(token * 77 + column * 101 + 1, 7) - 127;
}

/* Of a block of them: 1/128 or 1/256. */
static double scale_of(size_t token, size_t column)
{
	return 1.0 / (double)(128u << gemv_mixed(token * 5 + column / GEMV_BLOCK, 1));
}

double gemv_activation(enum gemv_activations form, size_t token, size_t column)
{
	if (form == GEMV_X_INT8)
		return byte_of(token, column) * scale_of(token, column);
	return (2 * gemv_small(token * 77 + column * 3 + 1) + 1) / ACTIVATION_1;
}

static const size_t columns_of_word[GEMV_TYPES] = {
	[GEMV_F32] = 1, [GEMV_BF16] = 2, [GEMV_INT8] = 4, [GEMV_Q4] = 8};

/* Of f32 activations those of integer weights stand behind what makes their floats, 1 + weight /
 * of, the weights: lanes of a sum in front of all of them (int8), or in front of those of each
 * vector of words (q4), since blocks have scales. Elsewhere `of` is 0. */
static const struct {
	int of, zero; /* values that the weight may have, and that which stands for 0 */
} integers[GEMV_TYPES] = {[GEMV_INT8] = {256, 128}, [GEMV_Q4] = {16, GEMV_NIBBLE_0}};

size_t gemv_stride(enum gemv_type type, enum gemv_activations form, size_t columns)
{
	const bool quantised = form == GEMV_X_INT8;

	switch (type) {
	case GEMV_INT8:
		return (quantised ? columns / 2 : columns) + GEMV_LANES;
	case GEMV_Q4:
		return quantised ? columns / 2 : columns + columns / columns_of_word[type];
	default:
		return columns;
	}
}

/* Where the activations of a vector of words are, and the sum that they belong to. */
static float *activations_of(
	enum gemv_type type, size_t lanes, size_t vector, float *x, float **sum)
{
	const size_t floats = columns_of_word[type] * lanes;

	*sum = type == GEMV_Q4 ? x + vector * (floats + lanes) : x;
	if (type == GEMV_Q4)
		return *sum + lanes;
	return x + (type == GEMV_INT8 ? lanes : 0) + vector * floats;
}

static void arrange_f32(enum gemv_type type, size_t lanes, size_t token, size_t columns, float *x)
{
	const size_t in_word = columns_of_word[type];
	const int of = integers[type].of, zero = integers[type].zero;
	float *sum;

	for (size_t i = 0; i < columns; i++) {
		const size_t word = i / in_word, lane = word % lanes;
		float *here = activations_of(type, lanes, word / lanes, x, &sum);
		const float value = (float)gemv_activation(GEMV_X_F32, token, i);

		here[i % in_word * lanes + lane] = of ? (float)of * value : value;
		if (of)
			sum[lane] -= (float)(of + zero) * value;
	}
}

static void put_byte(float *words, size_t lane, size_t byte, int value)
{
	const int8_t as_byte = (int8_t)value;

	memcpy((char *)(words + lane) + byte, &as_byte, sizeof(as_byte));
}

/* A vector of words of int8 has its activations and the scale of each lane; what `added` to each
 * weight adds to the sum of a lane stands in front of all. */
static void arrange_int8(const struct gemv_isa *isa, size_t token, size_t columns, float *x)
{
	for (size_t i = 0; i < columns; i++) {
		const size_t word = i / 4, lane = word % isa->lanes;
		float *here = x + isa->lanes + word / isa->lanes * 2 * isa->lanes;

		put_byte(here, lane, i % 4, byte_of(token, i));
		here[isa->lanes + lane] = (float)scale_of(token, i);
		x[lane] -= (float)(isa->added * gemv_activation(GEMV_X_INT8, token, i));
	}
}

/* A vector of words of q4 has the integers that its sums begin with, because 0 is 8; the
 * activations of even columns, of odd ones, and the scale of each lane. */
static void arrange_q4(const struct gemv_isa *isa, size_t token, size_t columns, float *x)
{
	for (size_t i = 0; i < columns; i++) {
		const size_t word = i / 8, lane = word % isa->lanes;
		float *here = x + word / isa->lanes * 4 * isa->lanes;
		int32_t begin;

		put_byte(here + (1 + i % 2) * isa->lanes, lane, i % 8 / 2, byte_of(token, i));
		here[3 * isa->lanes + lane] = (float)scale_of(token, i);
		memcpy(&begin, here + lane, sizeof(begin));
		begin -= GEMV_NIBBLE_0 * byte_of(token, i);
		memcpy(here + lane, &begin, sizeof(begin));
	}
}

void gemv_arrange(const struct gemv_isa *isa, enum gemv_type type, enum gemv_activations form,
	size_t token, size_t columns, float *x)
{
	memset(x, 0, gemv_stride(type, form, columns) * sizeof(*x));
	if (form == GEMV_X_F32)
		arrange_f32(type, isa->lanes, token, columns, x);
	else if (type == GEMV_INT8)
		arrange_int8(isa, token, columns, x);
	else
		arrange_q4(isa, token, columns, x);
}
