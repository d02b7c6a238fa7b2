/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file of model.h, by the description of GGUF, version 3. */
#include "model.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifndef LAYERS
#define LAYERS 22
#endif
enum { COLUMNS = 2048, MIDDLE = 5632, HEADS = 32, KEY_HEADS = 4 };
enum { KEYS = COLUMNS / HEADS * KEY_HEADS };

enum gguf_value { GGUF_UINT32 = 4, GGUF_FLOAT32 = 6, GGUF_STRING = 8 };

#define ALIGNMENT 32
#define BLOCK     32 /* weights that have a scale in common, a half */

static size_t block_bytes(enum ggml_type type)
{
	return type == TYPE_Q4 ? 2 + BLOCK / 2 : 2 + BLOCK;
}

static void put(FILE *out, const void *bytes, size_t n)
{
	fwrite(bytes, 1, n, out);
}

static void put_32(FILE *out, uint32_t value)
{
	put(out, &value, sizeof(value));
}

static void put_64(FILE *out, uint64_t value)
{
	put(out, &value, sizeof(value));
}

static void put_text(FILE *out, const char *text)
{
	put_64(out, strlen(text));
	put(out, text, strlen(text));
}

static void put_count(FILE *out, const char *key, uint32_t value)
{
	put_text(out, key);
	put_32(out, GGUF_UINT32);
	put_32(out, value);
}

static void put_real(FILE *out, const char *key, float value)
{
	put_text(out, key);
	put_32(out, GGUF_FLOAT32);
	put(out, &value, sizeof(value));
}

static void put_word(FILE *out, const char *key, const char *value)
{
	put_text(out, key);
	put_32(out, GGUF_STRING);
	put_text(out, value);
}

#define KEYS_OF_FILE 11

static void put_keys(FILE *out)
{
	put_word(out, "general.architecture", "llama");
	put_word(out, "tokenizer.ggml.model", "none");
	put_count(out, "llama.block_count", LAYERS);
	put_count(out, "llama.context_length", 2048);
	put_count(out, "llama.embedding_length", COLUMNS);
	put_count(out, "llama.feed_forward_length", MIDDLE);
	put_count(out, "llama.attention.head_count", HEADS);
	put_count(out, "llama.attention.head_count_kv", KEY_HEADS);
	put_count(out, "llama.rope.dimension_count", COLUMNS / HEADS);
	put_count(out, "llama.vocab_size", TOKENS);
	put_real(out, "llama.attention.layer_norm_rms_epsilon", 1e-5F);
}

struct tensor {
	const char *name;       /* with %d: one for each layer */
	uint32_t columns, rows; /* rows 0: a vector of f32 */
};

static const struct tensor tensors[] = {
	{"token_embd.weight", COLUMNS, TOKENS},
	{"output_norm.weight", COLUMNS, 0},
	{"output.weight", COLUMNS, TOKENS},
	{"blk.%d.attn_norm.weight", COLUMNS, 0},
	{"blk.%d.attn_q.weight", COLUMNS, COLUMNS},
	{"blk.%d.attn_k.weight", COLUMNS, KEYS},
	{"blk.%d.attn_v.weight", COLUMNS, KEYS},
	{"blk.%d.attn_output.weight", COLUMNS, COLUMNS},
	{"blk.%d.ffn_norm.weight", COLUMNS, 0},
	{"blk.%d.ffn_gate.weight", COLUMNS, MIDDLE},
	{"blk.%d.ffn_up.weight", COLUMNS, MIDDLE},
	{"blk.%d.ffn_down.weight", MIDDLE, COLUMNS},
	{NULL, 0, 0},
};

static uint64_t bytes_of(const struct tensor *t, enum ggml_type type)
{
	return t->rows ? (uint64_t)t->columns * t->rows / BLOCK * block_bytes(type)
		       : (uint64_t)t->columns * sizeof(float);
}

static uint64_t aligned(uint64_t bytes)
{
	return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static int copies(const struct tensor *t)
{
	return strchr(t->name, '%') ? LAYERS : 1;
}

static void put_tensors(FILE *out, enum ggml_type type)
{
	uint64_t at = 0;

	for (const struct tensor *t = tensors; t->name; t++)
		for (int layer = 0; layer < copies(t); layer++) {
			char name[64];

			snprintf(name, sizeof(name), t->name, layer);
			put_text(out, name);
			put_32(out, t->rows ? 2 : 1);
			put_64(out, t->columns);
			if (t->rows)
				put_64(out, t->rows);
			put_32(out, t->rows ? type : TYPE_F32);
			put_64(out, at);
			at += aligned(bytes_of(t, type));
		}
}

static uint64_t random_64(uint64_t *state)
{
	*state = *state * 0x5851f42d4c957f2d + 0x14057b7ef767814f;
	return *state ^ *state >> 33;
}

static void put_weights(FILE *out, uint64_t blocks, enum ggml_type type, uint64_t *state)
{
	const uint16_t scale = 0x1000; /* 2^-11 as a half */

	for (uint64_t i = 0; i < blocks; i++) {
		uint64_t words[BLOCK / 8];

		for (size_t k = 0; k < BLOCK / 8; k++)
			words[k] = random_64(state);
		put(out, &scale, sizeof(scale));
		put(out, words, block_bytes(type) - sizeof(scale));
	}
}

static void pad(FILE *out)
{
	while (ftell(out) % ALIGNMENT)
		fputc(0, out);
}

static void put_contents(FILE *out, enum ggml_type type)
{
	uint64_t state = 1;
	const float one = 1;

	for (const struct tensor *t = tensors; t->name; t++)
		for (int layer = 0; layer < copies(t); layer++) {
			if (t->rows)
				put_weights(
					out, bytes_of(t, type) / block_bytes(type), type, &state);
			for (uint32_t i = 0; !t->rows && i < t->columns; i++)
				put(out, &one, sizeof(one));
			pad(out);
		}
}

int write_model(const char *path, enum ggml_type type)
{
	FILE *out = fopen(path, "w");
	uint64_t count = 0;

	if (!out) {
		perror(path);
		return 1;
	}
	for (const struct tensor *t = tensors; t->name; t++)
		count += (uint64_t)copies(t);
	put(out, "GGUF", 4);
	put_32(out, 3);
	put_64(out, count);
	put_64(out, KEYS_OF_FILE);
	put_keys(out);
	put_tensors(out, type);
	pad(out);
	put_contents(out, type);
	const bool failed = ferror(out);

	if (fclose(out) || failed) {
		perror(path);
		return 1;
	}
	return 0;
}

/* Of the embedding one row is needed, which does not count. */
int print_bytes(enum ggml_type type)
{
	uint64_t bytes = 0;

	for (const struct tensor *t = tensors + 1; t->name; t++)
		bytes += t->rows ? (uint64_t)copies(t) * bytes_of(t, type) : 0;
	printf("%llu\n", (unsigned long long)bytes);
	return 0;
}
