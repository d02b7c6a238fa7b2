/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds each page's node, moves it, and asks where it is. A target below 0 is none. */
#include "spread.h"

#include <errno.h>
#include <numaif.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "page_nodes.h"

#define CHUNK 2048 /* addresses of a call */

/* A page that another thread reads may be busy for a moment. */
#define TRIES 3

/* The nodes that get pages, and what the rule has dealt out. */
struct dealer {
	const struct spread *rule;
	int nodes[MOVED_NODES], n;
	int allowed;                         /* nodes that the process may use, others among them */
	uint64_t at_home[MOVED_NODES], most; /* base pages on their home node */
	size_t turn;                         /* of those that are scattered */
};

static bool holds_unnamed(const struct machine_memory *m, int node)
{
	bool holds = !m;

	for (int i = 0; !holds && i < m->nnodes; i++)
		holds = m->nodes[i] == node;
	return holds;
}

/* homes: [nhomes], nodes that the file names; those below 0 are none. */
static int find_nodes(
	struct dealer *d, const struct machine_memory *m, const int *homes, int nhomes)
{
	const size_t bits = 8 * sizeof(unsigned long);
	unsigned long mask[MOVED_NODES / 8 / sizeof(unsigned long)] = {0};

	if (get_mempolicy(NULL, mask, MOVED_NODES, NULL, MPOL_F_MEMS_ALLOWED))
		return -1;
	for (int node = 0; node < MOVED_NODES; node++) {
		bool takes = holds_unnamed(m, node);

		if (!(mask[(size_t)node / bits] >> (size_t)node % bits & 1))
			continue;
		for (int i = 0; i < nhomes; i++)
			takes |= homes[i] == node;
		if (takes)
			d->nodes[d->n++] = node;
		d->allowed++;
	}
	return 0;
}

const char *spread_lacks(const struct worker *w, char *why, size_t n)
{
	struct dealer *d = calloc(1, sizeof(*d));
	int *homes = calloc((size_t)w->nvectors + 1, sizeof(*homes));

	for (int k = 0; homes && k < w->nvectors; k++)
		homes[k] = w->vectors[k].node;
	if (!d || !homes || find_nodes(d, w->memory, homes, w->nvectors))
		snprintf(why, n, "get_mempolicy does not tell the nodes of this process: %s",
			strerror(errno));
	else if (d->n < 2)
		snprintf(why, n, "its pages lie on several nodes, and %s",
			d->allowed < 2 ? "this process may use memory of one only"
				       : "only one holds vectors unless nodePerVector names "
					 "another, such as a GPU's");
	else
		why = NULL;
	free(homes);
	free(d);
	return why;
}

/* 0: home. */
static int node_after(const struct dealer *d, int home, size_t steps)
{
	int at = 0;

	while (at < d->n && d->nodes[at] != home)
		at++;
	return d->nodes[((size_t)at + steps) % (size_t)d->n];
}

static int node_of(struct dealer *d, int home, size_t page, uint64_t base_pages)
{
	const size_t others = (size_t)d->n - 1, weight = d->rule->home_weight;

	switch (d->rule->rule) {
	case SPREAD_INTERLEAVE:
		return node_after(d, home, page % (others + 1));
	case SPREAD_WEIGHTED:
		page %= weight + others;
		return page < weight ? home : node_after(d, home, page - weight + 1);
	case SPREAD_MINAS:
		break;
	}
	if (d->at_home[home] + base_pages > d->most)
		return node_after(d, home, d->turn++ % others + 1);
	d->at_home[home] += base_pages;
	return home;
}

static void deal(struct dealer *d, const struct moved_pages *p, int *targets)
{
	const size_t base = (size_t)sysconf(_SC_PAGESIZE);

	for (size_t i = 0; i < p->n; i++) {
		const size_t bytes = (size_t)((char *)p->list[i + 1] - (char *)p->list[i]);

		targets[i] = node_of(d, p->home[0], i, bytes / base);
	}
}

/* A call moves pages to one node: it stops at the first batch of a target that fails. */
static void move_to(const struct moved_pages *p, const int *targets, int node)
{
	int nodes[CHUNK], status[CHUNK];
	void *pages[CHUNK];
	size_t n = 0;

	for (size_t i = 0; i <= p->n; i++) {
		if (n == CHUNK || (n && i == p->n)) {
			/* what did not move is seen by the query */
			(void)move_pages(0, n, pages, nodes, status, MPOL_MF_MOVE);
			n = 0;
		}
		if (i < p->n && targets[i] == node) {
			pages[n] = p->list[i];
			nodes[n++] = node;
		}
	}
}

struct query {
	void *pages[CHUNK];
	int targets[CHUNK], status[CHUNK];
	size_t n;
	long strays; /* -1: the kernel does not say */
};

static void ask(struct query *q)
{
	if (q->n && q->strays >= 0 && page_nodes(q->n, q->pages, q->status))
		q->strays = -1;
	for (size_t i = 0; i < q->n && q->strays >= 0; i++)
		q->strays += q->status[i] != q->targets[i];
	q->n = 0;
}

/* How many are elsewhere, or -1. A huge page that was split may have arrived in part, so each of
 * its pages is asked for. */
static long strays(const struct moved_pages *p, const int *targets)
{
	struct query q = {.n = 0};

	for (size_t i = 0; i < p->n; i++) {
		if (targets[i] < 0)
			continue;
		for (char *at = p->list[i]; at < (char *)p->list[i + 1]; at += p->page_bytes) {
			q.pages[q.n] = at;
			q.targets[q.n++] = targets[i];
			if (q.n == CHUNK)
				ask(&q);
		}
	}
	ask(&q);
	return q.strays;
}

static const char *settle(const struct moved_pages *p, const int *targets, const int *nodes,
	int nnodes, char *why, size_t size)
{
	long left = 1;

	for (int i = 0; i < TRIES && left > 0; i++) {
		for (int k = 0; k < nnodes; k++)
			move_to(p, targets, nodes[k]);
		left = strays(p, targets);
	}
	if (!left)
		return NULL;
	if (left < 0)
		return "the kernel does not say where pages are (move_pages), so that its policy "
		       "cannot be proven";
	snprintf(why, size,
		"%ld of %zu pages do not go to the nodes of its policy: is one full (numactl -H)?",
		left, p->n);
	return why;
}

const char *spread_pages(const struct spread *s, const struct machine_memory *memory,
	const struct moved_pages *pages, int n, char *why, size_t size)
{
	struct dealer *d = calloc(1, sizeof(*d));
	int *homes = calloc((size_t)n + 1, sizeof(*homes));
	const char *wrong = d && homes ? NULL : "no memory";
	uint64_t bytes = 0;

	for (int k = 0; k < n && !wrong; k++) {
		homes[k] = pages[k].home[0];
		bytes += pages[k].bytes;
	}
	if (!wrong && find_nodes(d, memory, homes, n)) {
		snprintf(why, size, "get_mempolicy: %s", strerror(errno));
		wrong = why;
	}
	if (!wrong) {
		d->rule = s;
		d->most = bytes / (uint64_t)sysconf(_SC_PAGESIZE) / (uint64_t)d->n;
		d->most = s->home_pages ? s->home_pages : d->most;
	}
	for (int k = 0; k < n && !wrong && d->n > 1; k++) {
		int *targets = calloc(pages[k].n, sizeof(*targets));

		if (targets)
			deal(d, &pages[k], targets);
		wrong = targets ? settle(&pages[k], targets, d->nodes, d->n, why, size)
				: "no memory";
		free(targets);
	}
	free(homes);
	free(d);
	return wrong;
}

/* As the runtime does, a part has the pages that begin in it. */
const char *spread_part(
	const struct moved_pages *p, const struct vector *v, int node, char *why, size_t size)
{
	const unsigned __int128 bytes = v->elements * v->element_size;
	const size_t rank = (size_t)v->rank, users = (size_t)v->users;
	const size_t from = (size_t)(bytes * rank / users),
		     to = (size_t)(bytes * (rank + 1) / users);
	int *targets = calloc(p->n, sizeof(*targets));
	const char *wrong;

	if (!targets)
		return "no memory";
	for (size_t i = 0; i < p->n; i++) {
		const size_t at = (size_t)((char *)p->list[i] - p->base);

		targets[i] = at >= from && at < to ? node : -1;
	}
	wrong = settle(p, targets, &node, 1, why, size);
	free(targets);
	return wrong;
}
