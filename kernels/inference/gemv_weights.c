/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formats of the weights of gemv: what is in memory, and what it means. */
#include <string.h>

#include "gemv.h"
#include "gemv_numbers.h"

const char *const gemv_type_names[] = {"f32", "bf16", "int8", "q4", NULL};

/* Bytes of a chunk of GEMV_COLUMNS columns. */
static const size_t chunk_bytes[GEMV_TYPES] = {
	[GEMV_F32] = 512, [GEMV_BF16] = 256, [GEMV_INT8] = 128, [GEMV_Q4] = 64 + 8};

#define WORD_BYTES  4
#define BLOCK       GEMV_BLOCK
#define BLOCKS      (GEMV_COLUMNS / BLOCK)
#define NIBBLES_END 64   /* of a chunk's bytes: scales follow */
#define WEIGHT_1    16.0 /* weights of f32 and bf16 are sixteenths */

size_t gemv_row_bytes(enum gemv_type type, size_t columns)
{
	return columns / GEMV_COLUMNS * chunk_bytes[type];
}

/* -64 to 63. */
static int byte(uint64_t column)
{
	return (int)gemv_mixed(column, 7) - 64;
}

/* 1/2 to 1/16, of the block-th block of a vector. */
static double block_scale(uint64_t block)
{
	return 1.0 / (double)(2u << gemv_mixed(block, 2));
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
		return gemv_small(column) * block_scale(column / BLOCK);
	default:
		return gemv_small(column) / WEIGHT_1;
	}
}

double gemv_row_scale(enum gemv_type type, uint64_t row)
{
	return type == GEMV_INT8 ? 1.0 / (double)(16u << row % 4) : 1;
}

static void fill_q4(char *chunk, uint64_t from)
{
	for (size_t word = 0; word < GEMV_COLUMNS / 8; word++) {
		uint32_t bits = 0;

		for (size_t k = 0; k < 8; k++)
			bits |= (uint32_t)(gemv_small(from + word * 8 + k) + GEMV_NIBBLE_0)
				<< (k * 4);
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
		fill_chunk(type, base + at / GEMV_COLUMNS * chunk_bytes[type], at);
}
