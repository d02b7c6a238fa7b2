/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decoding by a real engine, to compare gemv with: llama.cpp's shared libraries, loaded from a
 * folder, and a model of random weights in its format, GGUF.
 *
 *   engine --write MODEL q8|q4          writes the model
 *   engine FOLDER MODEL THREADS [cpu]   prints tokens a second, the median of several turns
 *   engine --bytes q8|q4                prints the bytes of the matrices of a token
 *
 * cpu: a second of CPU time, for one thread beside other programs.
 *
 * No header of the engine is needed: the parameters of models and contexts are used as the engine
 * makes them, as blocks of bytes that are larger than any version's, which calling conventions pass
 * on unseen. The batch is the only struct whose fields must be where they are in llama.h; it has
 * been the same since 2023.
 *
 * The model has the shape of one of 1.1 billion weights (22 layers of 2048 columns, 5632 in
 * between, 4 heads of keys and values for 32), and 4096 tokens without a text.
 */
#include <dlfcn.h>
#include <glob.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef LAYERS
#define LAYERS 22
#endif
enum { COLUMNS = 2048, MIDDLE = 5632, HEADS = 32, KEY_HEADS = 4, TOKENS = 4096 };
enum { KEYS = COLUMNS / HEADS * KEY_HEADS };

/* ---- the model's file, by the description of GGUF, version 3 */

enum gguf_value { GGUF_UINT32 = 4, GGUF_FLOAT32 = 6, GGUF_STRING = 8 };
enum ggml_type { TYPE_F32 = 0, TYPE_Q4 = 2, TYPE_Q8 = 8 };

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

static int write_model(const char *path, enum ggml_type type)
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

/* Of the embedding a token needs one row. */
static int print_bytes(enum ggml_type type)
{
	uint64_t bytes = 0;

	for (const struct tensor *t = tensors + 1; t->name; t++)
		bytes += t->rows ? (uint64_t)copies(t) * bytes_of(t, type) : 0;
	printf("%llu\n", (unsigned long long)bytes);
	return 0;
}

/* ---- the engine */

struct parameters {
	char bytes[2048];
};

struct batch {
	int32_t n_tokens;
	int32_t *token;
	float *embd;
	int32_t *pos, *n_seq_id;
	int32_t **seq_id;
	int8_t *logits;
};

struct engine {
	void (*init)(void);
	void (*load_backends)(const char *folder);
	struct parameters (*model_parameters)(void), (*context_parameters)(void);
	void *(*load)(const char *path, struct parameters p);
	void *(*context)(void *model, struct parameters p);
	void (*set_threads)(void *context, int32_t one, int32_t many);
	struct batch (*batch)(int32_t *tokens, int32_t n);
	int32_t (*decode)(void *context, struct batch b);
};

/* "libllama.so", or with a version before it: the library, and all that it needs; NULL: none. */
static void *open_library(const char *folder)
{
	char pattern[4096];
	glob_t found;
	void *library = NULL;

	snprintf(pattern, sizeof(pattern), "%s/libllama.*so", folder);
	if (!glob(pattern, 0, NULL, &found)) {
		library = dlopen(found.gl_pathv[0], RTLD_NOW | RTLD_GLOBAL);
		globfree(&found);
	}
	return library;
}

static bool find(void *library, const char *name, void *function)
{
	void *symbol = dlsym(library, name);

	memcpy(function, &symbol, sizeof(symbol));
	return symbol;
}

static bool find_all(struct engine *e, void *llama)
{
	return find(llama, "ggml_backend_load_all_from_path", &e->load_backends) &&
	       find(llama, "llama_backend_init", &e->init) &&
	       find(llama, "llama_model_default_params", &e->model_parameters) &&
	       find(llama, "llama_context_default_params", &e->context_parameters) &&
	       find(llama, "llama_model_load_from_file", &e->load) &&
	       find(llama, "llama_init_from_model", &e->context) &&
	       find(llama, "llama_set_n_threads", &e->set_threads) &&
	       find(llama, "llama_batch_get_one", &e->batch) &&
	       find(llama, "llama_decode", &e->decode);
}

static double seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool decode(const struct engine *e, void *context, int n)
{
	for (int i = 0; i < n; i++) {
		int32_t token = i * 7 % TOKENS;

		if (e->decode(context, e->batch(&token, 1)))
			return false;
	}
	return true;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

enum { TURNS = 5, TOKENS_OF_TURN = 12 }; /* few: keys and values of tokens before are read, too */

static int measure(
	const struct engine *e, const char *folder, const char *model, int threads, clockid_t clock)
{
	double rates[TURNS];

	e->load_backends(folder);
	e->init();
	void *m = e->load(model, e->model_parameters());
	void *context = m ? e->context(m, e->context_parameters()) : NULL;

	if (!context)
		return 1;
	e->set_threads(context, threads, threads);
	if (!decode(e, context, TOKENS_OF_TURN))
		return 1;
	for (int i = 0; i < TURNS; i++) {
		const double begin = seconds(clock);

		if (!decode(e, context, TOKENS_OF_TURN))
			return 1;
		rates[i] = TOKENS_OF_TURN / (seconds(clock) - begin);
	}
	qsort(rates, TURNS, sizeof(*rates), by_size);
	printf("%.6g\n", rates[TURNS / 2]);
	return 0;
}

static enum ggml_type type_of(const char *name)
{
	return strcmp(name, "q4") ? TYPE_Q8 : TYPE_Q4;
}

int main(int argc, char **argv)
{
	struct engine e;

	if (argc == 4 && !strcmp(argv[1], "--write"))
		return write_model(argv[2], type_of(argv[3]));
	if (argc == 3 && !strcmp(argv[1], "--bytes"))
		return print_bytes(type_of(argv[2]));
	const bool cpu = argc == 5 && !strcmp(argv[4], "cpu");

	if (argc != 4 && !cpu) {
		fputs("usage: engine --write MODEL q8|q4, --bytes q8|q4, or FOLDER MODEL THREADS "
		      "[cpu]\n",
			stderr);
		return 2;
	}
	void *llama = open_library(argv[1]);

	if (!llama || !find_all(&e, llama)) {
		const char *why = dlerror();

		fprintf(stderr, "engine: %s\n", why ? why : "no libllama.so in that folder");
		return 1;
	}
	return measure(&e, argv[1], argv[2], atoi(argv[3]),
		cpu ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC);
}
