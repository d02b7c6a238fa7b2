/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formats of the weights of gemv: what is in memory, and what it means. */
#include <string.h>

#include "gemv.h"

const char *const gemv_type_names[] = {"f32", "bf16", "int8", "q4", NULL};

/* Columns of a word, bytes of a chunk of GEMV_COLUMNS columns. */
static const struct format {
	size_t columns, chunk;
} formats[GEMV_TYPES] = {
	[GEMV_F32] = {1, 512},
	[GEMV_BF16] = {2, 256},
	[GEMV_INT8] = {4, 128},
	[GEMV_Q4] = {8, 64 + 8},
};

#define WORD_BYTES   4
#define BLOCK        32 /* columns with one scale, of q4 */
#define BLOCKS       (GEMV_COLUMNS / BLOCK)
#define NIBBLES_END  64 /* of a chunk's bytes: scales follow */
#define NIBBLE_ZERO  8
#define ACTIVATION_1 16.0 /* activations are odd sixteenths: each of them counts */
#define WEIGHT_1     16.0 /* weights of f32 and bf16 are sixteenths */

size_t gemv_row_bytes(enum gemv_type type, size_t columns)
{
	return columns / GEMV_COLUMNS * formats[type].chunk;
}

/* `bits` bits that follow each other in no obvious way: Fibonacci hashing (Knuth, TAOCP 3, 6.4). */
static uint32_t mixed(uint64_t i, int bits)
{
	return (uint32_t)(i * UINT64_C(0x9e3779b97f4a7c15) >> (64 - bits));
}

/* -8 to 7, and -64 to 63. */
static int small(uint64_t column)
{
	return (int)mixed(column, 4) - NIBBLE_ZERO;
}

static int byte(uint64_t column)
{
	return (int)mixed(column, 7) - 64;
}

/* 1/2 to 1/16, of the block-th block of a vector. */
static double block_scale(uint64_t block)
{
	return 1.0 / (double)(2u << mixed(block, 2));
}

/* The upper half of f32, which has all of a small number. */
static uint16_t bf16_of(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return (uint16_t)(bits >> 16);
}

double gemv_weight(enum gemv_type type, uint64_t column)
{
	switch (type) {
	case GEMV_INT8:
		return byte(column);
	case GEMV_Q4:
		return small(column) * block_scale(column / BLOCK);
	default:
		return small(column) / WEIGHT_1;
	}
}

double gemv_row_scale(enum gemv_type type, uint64_t row)
{
	return type == GEMV_INT8 ? 1.0 / (double)(16u << row % 4) : 1;
}

double gemv_activation(size_t token, size_t column)
{
	return (2 * small(token * 77 + column * 3 + 1) + 1) / ACTIVATION_1;
}

static void fill_q4(char *chunk, uint64_t from)
{
	for (size_t word = 0; word < GEMV_COLUMNS / 8; word++) {
		uint32_t bits = 0;

		for (size_t k = 0; k < 8; k++)
			bits |= (uint32_t)(small(from + word * 8 + k) + NIBBLE_ZERO) << (k * 4);
		memcpy(chunk + word * WORD_BYTES, &bits, WORD_BYTES);
	}
	for (size_t block = 0; block < BLOCKS; block++) {
		const uint16_t scale = bf16_of((float)block_scale(from / BLOCK + block));

		memcpy(chunk + NIBBLES_END + block * sizeof(scale), &scale, sizeof(scale));
	}
}

static void fill_chunk(enum gemv_type type, char *chunk, uint64_t from)
{
	if (type == GEMV_Q4) {
		fill_q4(chunk, from);
		return;
	}
	for (size_t i = 0; i < GEMV_COLUMNS; i++) {
		const float value = (float)gemv_weight(type, from + i);
		const uint16_t half = bf16_of(value);
		const int8_t whole = (int8_t)value;

		if (type == GEMV_F32)
			memcpy(chunk + i * sizeof(value), &value, sizeof(value));
		else if (type == GEMV_BF16)
			memcpy(chunk + i * sizeof(half), &half, sizeof(half));
		else
			memcpy(chunk + i, &whole, sizeof(whole));
	}
}

void gemv_fill(enum gemv_type type, char *base, uint64_t from, uint64_t to)
{
	for (uint64_t at = from; at < to; at += GEMV_COLUMNS)
		fill_chunk(type, base + at / GEMV_COLUMNS * formats[type].chunk, at);
}

/* Activations of integer weights stand behind what makes their floats, 1 + weight / of, the
 * weights: lanes of a sum in front of all of them (int8), or in front of those of each vector of
 * words (q4), since blocks have scales. Elsewhere `of` is 0. */
static const struct {
	int of, zero; /* values that the weight may have, and that which stands for 0 */
} integers[GEMV_TYPES] = {[GEMV_INT8] = {256, 128}, [GEMV_Q4] = {16, NIBBLE_ZERO}};

size_t gemv_stride(enum gemv_type type, size_t columns)
{
	switch (type) {
	case GEMV_INT8:
		return columns + GEMV_LANES;
	case GEMV_Q4:
		return columns + columns / formats[type].columns;
	default:
		return columns;
	}
}

/* Where the activations of a vector of words are, and the sum that they belong to. */
static float *activations_of(
	enum gemv_type type, size_t lanes, size_t vector, float *x, float **sum)
{
	const size_t floats = formats[type].columns * lanes;

	*sum = type == GEMV_Q4 ? x + vector * (floats + lanes) : x;
	if (type == GEMV_Q4)
		return *sum + lanes;
	return x + (type == GEMV_INT8 ? lanes : 0) + vector * floats;
}

void gemv_arrange(enum gemv_type type, size_t lanes, size_t token, size_t columns, float *x)
{
	const size_t in_word = formats[type].columns;
	const int of = integers[type].of, zero = integers[type].zero;
	float *sum;

	for (size_t i = 0; i < gemv_stride(type, columns); i++)
		x[i] = 0;
	for (size_t i = 0; i < columns; i++) {
		const size_t word = i / in_word, lane = word % lanes;
		float *here = activations_of(type, lanes, word / lanes, x, &sum);
		const float value = (float)gemv_activation(token, i);

		here[i % in_word * lanes + lane] = of ? (float)of * value : value;
		if (of)
			sum[lane] -= (float)(of + zero) * value;
	}
}
