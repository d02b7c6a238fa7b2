/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places of pages, noted and restored. Pages are counted by queries: what a call that moves them
 * returns does not say which moved. */
#include "home.h"

#include <linux/mempolicy.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Pages in one system call. */
#define BATCH 4096

/* Pages that another thread was moving may move the next time. */
#define TRIES 3

#define NODES     1024 /* that Linux can have */
#define WORD_BITS (8 * sizeof(unsigned long))
/* The kernel reads one bit less than it is told. */
#define MASK_BITS (NODES + 1)

struct policy_of_vector {
	int mode; /* -1: not known */
	unsigned long mask[NODES / WORD_BITS + 1];
};

struct home {
	size_t page_bytes;
	int n;
	int16_t **nodes;    /* [n][pages]; below 0: not known */
	const void **bases; /* [n] of the vectors */
	struct policy_of_vector policies[];
};

static size_t pages_of(const struct vector *v, size_t page_bytes)
{
	return (v->elements * v->element_size + page_bytes - 1) / page_bytes;
}

struct batch {
	void *pages[BATCH];
	int nodes[BATCH], found[BATCH];
	size_t n;
};

static long move(struct batch *b, const int *nodes)
{
	return syscall(SYS_move_pages, 0, b->n, b->pages, nodes, b->found, MPOL_MF_MOVE);
}

static void note(struct home *h, const struct vector *v, int16_t *nodes, struct batch *b)
{
	const size_t pages = pages_of(v, h->page_bytes);

	for (size_t first = 0; first < pages; first += b->n) {
		b->n = pages - first < BATCH ? pages - first : BATCH;
		for (size_t i = 0; i < b->n; i++)
			b->pages[i] = (char *)v->base + (first + i) * h->page_bytes;
		const bool told = !move(b, NULL);

		for (size_t i = 0; i < b->n; i++)
			nodes[first + i] = (int16_t)(told ? b->found[i] : -1);
	}
}

static void note_policy(struct policy_of_vector *p, const struct vector *v)
{
	memset(p->mask, 0, sizeof(p->mask));
	if (syscall(SYS_get_mempolicy, &p->mode, p->mask, MASK_BITS, v->base, MPOL_F_ADDR))
		p->mode = -1;
}

struct home *home_of(const struct vector *vectors, int n)
{
	struct home *h = calloc(1, sizeof(*h) + (size_t)n * sizeof(h->policies[0]));
	struct batch *b = malloc(sizeof(*b));

	if (!h || !b)
		goto fail;
	h->page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	h->n = n;
	h->nodes = calloc((size_t)n, sizeof(*h->nodes));
	h->bases = calloc((size_t)n, sizeof(*h->bases));
	for (int k = 0; k < n; k++) {
		if (!h->nodes || !h->bases)
			goto fail;
		h->bases[k] = vectors[k].base;
		h->nodes[k] = calloc(pages_of(&vectors[k], h->page_bytes) + 1, sizeof(**h->nodes));
		if (!h->nodes[k])
			goto fail;
		note(h, &vectors[k], h->nodes[k], b);
		note_policy(&h->policies[k], &vectors[k]);
	}
	free(b);
	return h;
fail:
	free(b);
	home_free(h);
	return NULL;
}

void home_free(struct home *h)
{
	for (int k = 0; h && h->nodes && k < h->n; k++)
		free(h->nodes[k]);
	if (h) {
		free(h->nodes);
		free(h->bases);
	}
	free(h);
}

/* Keeps those pages of a batch that are not where they were. */
static int keep_strays(struct batch *b)
{
	size_t strays = 0;

	if (move(b, NULL))
		return -1;
	for (size_t i = 0; i < b->n; i++)
		if (b->nodes[i] >= 0 && b->found[i] != b->nodes[i]) {
			b->pages[strays] = b->pages[i];
			b->nodes[strays++] = b->nodes[i];
		}
	b->n = strays;
	return 0;
}

/* Moves the pages of a batch in runs of one node: the kernel stops at the first run of which a page
 * does not move. */
static void move_back(struct batch *b)
{
	struct batch run;

	for (size_t first = 0; first < b->n; first += run.n) {
		run.n = 0;
		while (first + run.n < b->n && b->nodes[first + run.n] == b->nodes[first]) {
			run.pages[run.n] = b->pages[first + run.n];
			run.n++;
		}
		move(&run, b->nodes + first);
	}
}

/* Returns how many pages could not be brought back; where the kernel does not tell, none. */
static size_t restore_batch(struct batch *b)
{
	if (keep_strays(b))
		return 0;
	for (int i = 0; i < TRIES && b->n; i++) {
		move_back(b);
		if (keep_strays(b))
			return 0;
	}
	return b->n;
}

static size_t restore_part(
	const struct home *h, const struct vector *v, const int16_t *nodes, struct batch *b)
{
	const size_t pages = pages_of(v, h->page_bytes), users = (size_t)v->users;
	const size_t rank = (size_t)v->rank, end = pages * (rank + 1) / users;
	size_t stay = 0;

	for (size_t first = pages * rank / users; first < end; first += BATCH) {
		b->n = end - first < BATCH ? end - first : BATCH;
		for (size_t i = 0; i < b->n; i++) {
			b->pages[i] = (char *)v->base + (first + i) * h->page_bytes;
			b->nodes[i] = nodes[first + i];
		}
		stay += restore_batch(b);
	}
	return stay;
}

/* What was bound to other nodes becomes one mapping again. Where that fails, the pages are in place
 * all the same. */
static void restore_policy(
	const struct home *h, const struct vector *v, const struct policy_of_vector *p)
{
	const size_t bytes = pages_of(v, h->page_bytes) * h->page_bytes;
	bool none = true;

	for (size_t i = 0; i < sizeof(p->mask) / sizeof(p->mask[0]); i++)
		none = none && !p->mask[i];
	if (p->mode >= 0)
		syscall(SYS_mbind, v->base, bytes, p->mode, none ? NULL : p->mask,
			none ? 0 : MASK_BITS, 0);
}

const char *home_restore(
	const struct home *h, const struct vector *vectors, int n, char *why, size_t size)
{
	bool same = n == h->n;

	for (int k = 0; same && k < n; k++)
		same = vectors[k].base == h->bases[k];
	if (!same)
		return "threads that share one of its vectors must share all of them";
	struct batch *b = malloc(sizeof(*b));
	size_t stay = 0;

	if (!b)
		return "no memory to bring its pages back";
	for (int k = 0; k < n; k++) {
		const struct vector *v = &vectors[k];

		if (v->rank == 0)
			restore_policy(h, v, &h->policies[k]);
		stay += restore_part(h, v, h->nodes[k], b);
	}
	free(b);
	if (!stay)
		return NULL;
	snprintf(why, size, "%zu of its pages do not go back to where they were", stay);
	return why;
}
