/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libFuzzer target: any bytes as the words of a list, under every key that takes words, on machines
 * with and without kinds of cores and of memory. The other targets reach these words only in a file
 * that is right otherwise.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "grammar.h"
#include "pipeline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size); /* libFuzzer's */

#define MAX_WORDS 512 /* longer lists have nothing new */

static const char *const machines[] = {
	"laptop.xml", "tiers.xml", "numa:2(memory=8GB) l3:1(size=16MiB) core:2 pu:2"};
#define MACHINES (sizeof(machines) / sizeof(*machines))

/* Files in which one list is left open. */
static const char *const files[] = {
	"kernels: null\nnodePerThread: %s\n",
	"kernels: null\ncorePerThread: %s\n",
	"kernels: null\ncpuPerThread: %s\n",
	"kernels: null\nplacePerThread: %s\n",
	"kernels: load\nnodePerThread: first*2\nnodePerVector: %s\nsizePerVector: 64KiB*\n"
	"vectorPerThread: own\n",
	"kernels: load\nnodePerThread: first*2\nnodePerVector: first first\nsizePerVector: %s\n"
	"vectorPerThread: all, all\n",
	"kernels: load\nnodePerThread: first*2\nnodePerVector: first first\nsizePerVector: 64KiB*\n"
	"vectorPerThread: %s\n",
	"let: %s\nkernels: null\nnodePerThread: first\n",
};

static void plan(const struct topo *t, const char *file, const char *words)
{
	const char *at = strstr(file, "%s");
	char *text = alloc_format("%.*s%s%s", (int)(at - file), file, words, at + 2);

	pipeline((const uint8_t *)text, strlen(text), t);
	free(text);
}

/* A list from the grammar now and then, which libFuzzer's own steps then spoil. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	/* of nodes, numbers, policies, sizes, threads, names, places */
	static const char lists[] = "LNPSUAH";
	struct random r = {((uint64_t)seed << 1) + 1};

	if (random_below(&r, 8) || max_size < MAX_WORDS)
		return LLVMFuzzerMutate(data, size, max_size);
	return grammar_write(
		&r, lists[random_below(&r, sizeof(lists) - 1)], (char *)data, MAX_WORDS);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct topo topo[MACHINES];
	char words[MAX_WORDS];

	if (size >= sizeof(words) || memchr(data, '\n', size))
		return -1; /* no list: not kept */
	snprintf(words, sizeof(words), "%.*s", (int)size, (const char *)data);
	for (size_t m = 0; m < MACHINES; m++) {
		if (!topo[m].handle && pipeline_machine(&topo[m], machines[m]))
			abort();
		for (size_t f = 0; f < sizeof(files) / sizeof(*files); f++)
			plan(&topo[m], files[f], words);
	}
	return 0;
}
