/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decoding by a real engine, to compare gemv with: llama.cpp's shared libraries, loaded from a
 * folder, and the model of model.h.
 *
 *   engine --write MODEL q8|q4    writes the model
 *   engine --bytes q8|q4          prints the bytes of the matrices of a token
 *   engine FOLDER MODEL THREADS [cpu] [mapped]
 *                                 prints tokens a second, the median of several turns
 *
 * cpu: a second of CPU time, for one thread beside other programs. mapped: the weights stay in the
 * pages of the file, which the engine maps; else they are read into memory of its own, as that of
 * gemv is: the pages of a file lie as the page cache got them, which is slower to read.
 *
 * No header of the engine is needed: the parameters of models and contexts are used as the engine
 * makes them, as blocks of bytes that are larger than any version's, which calling conventions pass
 * on unseen. The batch is the only struct whose fields must be where they are in llama.h; it has
 * been the same since 2023.
 */
#include <dlfcn.h>
#include <glob.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "model.h"

static bool mapped;

static void *map(void *at, size_t bytes, int protection, int flags, int fd, off_t from)
{
	return (void *)syscall(SYS_mmap, at, bytes, protection, flags, fd, from);
}

/* The engine calls this one: main's program comes first in the order of symbols. */
void *mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t from)
{
	char *memory = MAP_FAILED;

	if (mapped || fd < 0)
		return map(at, bytes, protection, flags, fd, from);
	memory = map(at, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (size_t have = 0; memory != MAP_FAILED && have < bytes;) {
		const ssize_t n = pread(fd, memory + have, bytes - have, from + (off_t)have);

		if (n <= 0)
			break; /* behind the end of the file */
		have += (size_t)n;
	}
	return memory;
}

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
	const bool cpu = argc > 4 && !strcmp(argv[4], "cpu");

	mapped = argc > 4 + cpu && !strcmp(argv[4 + cpu], "mapped");
	if (argc != 4 + cpu + mapped) {
		fputs("usage: engine --write MODEL q8|q4, --bytes q8|q4, or FOLDER MODEL THREADS "
		      "[cpu] [mapped]\n",
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
