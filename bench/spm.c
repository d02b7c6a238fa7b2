/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the page migration runtime itself costs: a call that decides "no", a call for pages that are
 * on the node already compared with the kernel's call by hand, and the structure of pins by its
 * number of entries. Prints times and ratios, without a verdict.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/stats.h"
#include "spm/runtime.h"

enum { TURNS = 51, CALLS = 10000, BYTES = 256 << 20 };

static void print(const char *what, const double *samples, size_t n, const char *unit)
{
	struct stats s;

	stats_of(samples, n, 0.95, &s);
	printf("  %-56s %10.3f %s median, %.3f .. %.3f of %zu\n", what, s.median, unit, s.min,
		s.max, n);
}

static struct spm *start(double reuse_threshold, enum spm_mover mover)
{
	struct spm_config c;
	char message[512];
	struct spm *s;

	spm_config_default(&c);
	c.reuse_threshold = reuse_threshold;
	c.size_test = false;
	c.mover = mover;
	s = spm_init(&c, message, sizeof(message));
	if (!s) {
		fprintf(stderr, "bench/spm: %s\n", message);
		exit(1);
	}
	return s;
}

static void deciding(void)
{
	struct spm *s = start(200, SPM_MBIND);
	static char array[4096];
	double ns[TURNS];

	for (int i = 0; i < TURNS; i++) {
		uint64_t t = clock_ns();

		for (int k = 0; k < CALLS; k++)
			spm_call(s, array, 0, sizeof(array) - 1, sizeof(array), 1);
		ns[i] = (double)(clock_ns() - t) / CALLS;
	}
	print("a call that decides \"no\"", ns, TURNS, "ns");
	spm_end(s);
}

/* The call that a program would make itself: mbind() of all, or move_pages() of lists that it has
 * filled. */
struct by_hand {
	char *base;
	size_t pages;
	void **list;
	int *nodes, *status;
};

static long move_by_hand(struct by_hand *h, enum spm_mover mover)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int node = spm_linux.node();

	if (mover == SPM_MBIND)
		return spm_linux.bind(h->base, BYTES, SPM_BIND_MOVE, node);
	for (size_t i = 0; i < h->pages; i++) {
		h->list[i] = h->base + i * page;
		h->nodes[i] = node;
	}
	return spm_linux.move(h->pages, h->list, h->nodes, h->status);
}

static void there(struct by_hand *h, enum spm_mover mover, const char *name)
{
	double hand[TURNS], ours[TURNS], ratio[TURNS];
	struct spm *s = start(0, mover);
	char text[80];

	for (int i = 0; i < TURNS; i++) {
		uint64_t t = clock_ns();

		if (move_by_hand(h, mover) < 0)
			perror(name);
		hand[i] = (double)(clock_ns() - t) * 1e-6;
		t = clock_ns();
		spm_call(s, h->base, 0, BYTES - 1, INT64_MAX, 1);
		ours[i] = (double)(clock_ns() - t) * 1e-6;
		ratio[i] = ours[i] / hand[i];
	}
	if (spm_total(s).there != (uint64_t)TURNS * h->pages)
		printf("  not all pages were there: the times below are something else's\n");
	snprintf(text, sizeof(text), "%s by hand, 256 MiB that are there", name);
	print(text, hand, TURNS, "ms");
	snprintf(text, sizeof(text), "the runtime with %s", name);
	print(text, ours, TURNS, "ms");
	print("ratio, each pair side by side", ratio, TURNS, "");
	spm_end(s);
}

static void pages_there(void)
{
	struct by_hand h = {.pages = BYTES / (size_t)sysconf(_SC_PAGESIZE)};

	h.base = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	h.list = calloc(h.pages, sizeof(*h.list));
	h.nodes = calloc(h.pages, sizeof(*h.nodes));
	h.status = calloc(h.pages, sizeof(*h.status));
	if (h.base == MAP_FAILED || !h.list || !h.nodes || !h.status) {
		perror("bench/spm");
		exit(1);
	}
	madvise(h.base, BYTES, MADV_NOHUGEPAGE);
	memset(h.base, 1, BYTES);
	there(&h, SPM_MBIND, "mbind()");
	there(&h, SPM_MOVE_PAGES, "move_pages()");
	munmap(h.base, BYTES);
	free(h.list);
	free(h.nodes);
	free(h.status);
}

/* A page between two entries is pinned and unpinned: the neighbours are another owner's, so that
 * nothing is joined. */
static void pinning(size_t entries)
{
	static const char owners[2];
	struct spm_pins pins;
	double ns[TURNS];
	unsigned seed = 1;
	char text[80];

	spm_pins_init(&pins);
	for (size_t i = 0; i < entries; i++)
		spm_pins_take(&pins, (struct spm_run){4 * i, 4 * i + 2}, &owners[0]);
	for (int turn = 0; turn < TURNS; turn++) {
		uint64_t t = clock_ns();

		for (int k = 0; k < CALLS; k++) {
			uintptr_t page = 4 * ((uintptr_t)rand_r(&seed) % entries);
			struct spm_run run = {page, page + 4};

			spm_pins_take(&pins, run, &owners[1]);
			spm_pins_release(&pins, run, &owners[1]);
		}
		ns[turn] = (double)(clock_ns() - t) / CALLS;
	}
	snprintf(text, sizeof(text), "pin and unpin a run among %zu entries", entries);
	print(text, ns, TURNS, "ns");
	spm_pins_free(&pins);
}

int main(void)
{
	printf("page migration:\n");
	deciding();
	pages_there();
	for (size_t entries = 10; entries <= 100000; entries *= 10)
		pinning(entries);
	return 0;
}
