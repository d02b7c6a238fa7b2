/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks the system about pages, with page_nodes() and /proc/self/smaps. */
#include "moved_pages.h"

#include <errno.h>
#include <numaif.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "page_nodes.h"

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

#define CHUNK 2048 /* addresses of a query */

/* A page that another thread is moving looks absent or busy; one more try a moment later is enough,
 * as no thread moves pages in reset(). */
#define TRIES 3

void moved_pages_mask(unsigned long *mask, int node)
{
	const size_t bits = 8 * sizeof(*mask);

	memset(mask, 0, MOVED_NODES / 8);
	mask[(size_t)node / bits] = 1UL << (size_t)node % bits;
}

static size_t base_page(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

/* 0: there are none. */
static size_t huge_page(void)
{
	FILE *f = fopen("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "r");
	size_t bytes = 0;

	if (f && fscanf(f, "%zu", &bytes) != 1)
		bytes = 0;
	if (f)
		fclose(f);
	return bytes;
}

/* What smaps says of the mappings in [from, to). */
struct mapped {
	size_t page_bytes, huge_bytes;
	bool beyond; /* a mapping reaches beyond */
};

static void read_line(const char *line, struct mapped *m)
{
	size_t kib;

	if (sscanf(line, "KernelPageSize: %zu kB", &kib) == 1)
		m->page_bytes = kib << 10;
	else if (sscanf(line, "AnonHugePages: %zu kB", &kib) == 1)
		m->huge_bytes += kib << 10;
}

static struct mapped mapped_at(const char *base, size_t bytes)
{
	const unsigned long from = (unsigned long)base, to = from + bytes;
	struct mapped m = {0};
	unsigned long begin, end;
	bool inside = false;
	char line[512];
	FILE *f = fopen("/proc/self/smaps", "r");

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lx-%lx ", &begin, &end) == 2) {
			inside = begin < to && end > from;
			m.beyond |= inside && (begin < from || end > to);
		} else if (inside) {
			read_line(line, &m);
		}
	}
	if (f)
		fclose(f);
	return m;
}

size_t moved_pages_huge(const char *base, size_t bytes)
{
	struct mapped m = mapped_at(base, bytes);

	return m.beyond ? 0 : m.huge_bytes;
}

/* The nodes of `n` pages from `first` on, in status. */
static int query(const struct moved_pages *p, const char *base, size_t first, size_t n, int *status)
{
	void *pages[CHUNK];

	for (size_t i = 0; i < n; i++)
		pages[i] = (void *)(base + (first + i) * p->page_bytes);
	return page_nodes(n, pages, status);
}

static size_t pages_of(const struct moved_pages *p)
{
	return p->bytes / p->page_bytes;
}

static size_t chunk_from(const struct moved_pages *p, size_t first)
{
	size_t left = pages_of(p) - first;

	return left < CHUNK ? left : CHUNK;
}

int moved_pages_count(
	const struct moved_pages *p, const char *base, int node, struct moved_count *c)
{
	const size_t each = p->page_bytes / base_page();
	int status[CHUNK];

	*c = (struct moved_count){.pages = pages_of(p) * each};
	for (size_t first = 0, n; first < pages_of(p); first += n) {
		n = chunk_from(p, first);
		if (query(p, base, first, n, status))
			return -1;
		for (size_t i = 0; i < n; i++) {
			c->on += status[i] == node ? each : 0;
			c->moved += status[i] == node && p->home[first + i] != node ? each : 0;
		}
	}
	return 0;
}

static const char *find_homes(struct moved_pages *p, char *why, size_t size)
{
	int status[CHUNK];

	for (size_t first = 0, n; first < pages_of(p); first += n) {
		n = chunk_from(p, first);
		if (query(p, p->base, first, n, status)) {
			snprintf(why, size, "the nodes of its pages are unknown: %s",
				strerror(errno));
			return why;
		}
		for (size_t i = 0; i < n; i++) {
			p->home[first + i] = (short)status[i];
			if (status[i] >= 0)
				continue;
			snprintf(why, size, "page %zu of its vector is not in memory: %s",
				first + i, strerror(-status[i]));
			return why;
		}
	}
	return NULL;
}

/* One address for each page: of a transparent huge page a second one would only fail. */
static void list_pages(struct moved_pages *p)
{
	const size_t huge = p->huge_page;
	const size_t whole = huge && p->huge_bytes && p->huge_bytes == p->bytes / huge * huge
				     ? p->huge_bytes
				     : 0;

	for (size_t at = 0; at < p->bytes;) {
		p->list[p->n++] = p->base + at;
		at += at < whole ? huge : p->page_bytes;
	}
	p->list[p->n] = p->base + p->bytes;
}

/* The system moves a range of a larger page whole or splits it, and does not show which. */
const char *moved_pages_check(const struct vector *v, char *why, size_t n)
{
	if (!v->multi_size)
		return NULL;
	snprintf(why, n,
		"nothing shows whether transparent huge pages of %zuK stay whole when they move; "
		"pagesPerVector: 4K, thp, or pages of a pool",
		v->page_bytes >> 10);
	return why;
}

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

const char *moved_pages_find(struct moved_pages *p, const struct vector *v, char *why, size_t n)
{
	const size_t bytes = v->elements * v->element_size;
	struct mapped m = mapped_at(v->base, bytes);

	*p = (struct moved_pages){.base = v->base, .page_bytes = larger(m.page_bytes, base_page())};
	const size_t whole = larger(p->page_bytes, v->page_bytes);

	p->bytes = (bytes + whole - 1) / whole * whole;
	p->huge_page = huge_page();
	p->huge_bytes = p->huge_page ? moved_pages_huge(p->base, p->bytes) : 0;
	p->list = calloc(pages_of(p) + 1, sizeof(*p->list));
	p->nodes = calloc(pages_of(p), sizeof(*p->nodes));
	p->status = calloc(pages_of(p), sizeof(*p->status));
	p->home = calloc(pages_of(p), sizeof(*p->home));
	if (!p->list || !p->nodes || !p->status || !p->home) {
		snprintf(why, n, "no memory left for its list of pages");
		return why;
	}
	list_pages(p);
	if (get_mempolicy(&p->mode, p->mask, MOVED_NODES, p->base, MPOL_F_ADDR))
		p->mode = -1;
	return find_homes(p, why, n);
}

void moved_pages_free(struct moved_pages *p)
{
	free(p->list);
	free(p->nodes);
	free(p->status);
	free(p->home);
	*p = (struct moved_pages){0};
}

/* A call moves pages to one node: it stops at the first batch of a target that fails. What did not
 * move is seen by the next query, and *refused is why, if the call says so. */
static void move_to(void **pages, size_t n, int node, int *refused)
{
	int nodes[CHUNK], status[CHUNK];

	for (size_t i = 0; i < n; i++)
		nodes[i] = node;
	if (n && move_pages(0, n, pages, nodes, status, MPOL_MF_MOVE) < 0)
		*refused = errno;
}

long moved_pages_away(const struct moved_pages *p)
{
	int status[CHUNK];
	long strays = 0;

	for (size_t first = 0, n; first < pages_of(p); first += n) {
		n = chunk_from(p, first);
		if (query(p, p->base, first, n, status))
			return -1;
		for (size_t i = 0; i < n; i++)
			strays += status[i] != p->home[first + i];
	}
	return strays * (long)(p->page_bytes / base_page());
}

/* Moves the pages home that are elsewhere, those of each node together. Returns how many there
 * were, or -1. */
static long send_home(struct moved_pages *p)
{
	void *pages[CHUNK];
	int status[CHUNK];
	long strays = 0;

	for (size_t first = 0, n; first < pages_of(p); first += n) {
		int node = -1;
		size_t some = 0;

		n = chunk_from(p, first);
		if (query(p, p->base, first, n, status))
			return -1;
		for (size_t i = 0; i <= n; i++) {
			bool stray = i < n && status[i] != p->home[first + i];

			if (some && (i == n || (stray && p->home[first + i] != node))) {
				move_to(pages, some, node, &p->refused);
				some = 0;
			}
			if (!stray)
				continue;
			node = p->home[first + i];
			pages[some++] = p->base + (first + i) * p->page_bytes;
			strays++;
		}
	}
	return strays;
}

/* The same by the list of pages, in which a huge page is one address. */
static void send_list_home(struct moved_pages *p)
{
	for (size_t first = 0, n; first < p->n; first += n) {
		const int node =
			p->home[(size_t)((char *)p->list[first] - p->base) / p->page_bytes];

		for (n = 1; n < CHUNK && first + n < p->n; n++) {
			char *page = p->list[first + n];

			if (p->home[(size_t)(page - p->base) / p->page_bytes] != node)
				break;
		}
		move_to(&p->list[first], n, node, &p->refused);
	}
}

size_t moved_pages_split(const struct moved_pages *p)
{
	const size_t huge = p->huge_bytes ? moved_pages_huge(p->base, p->bytes) : 0;

	return huge < p->huge_bytes ? (p->huge_bytes - huge) / p->huge_page : 0;
}

/* One by one: a call for all of them would end at a mapping that has room for none, which a vector
 * may have become in part. */
static void collapse(const struct moved_pages *p)
{
	const uintptr_t page = p->huge_page, end = (uintptr_t)p->base + p->bytes;

	for (uintptr_t at = ((uintptr_t)p->base + page - 1) / page * page; at + page <= end;
		at += page)
		madvise((void *)at, page, MADV_COLLAPSE);
}

static const char *make_whole(struct moved_pages *p, char *why, size_t n)
{
	size_t huge = p->huge_bytes ? moved_pages_huge(p->base, p->bytes) : 0;

	if (huge < p->huge_bytes) {
		collapse(p);
		huge = moved_pages_huge(p->base, p->bytes);
	}
	if (huge >= p->huge_bytes)
		return NULL;
	snprintf(why, n, "%zu KiB of its transparent huge pages were split, and stay so",
		(p->huge_bytes - huge) >> 10);
	return why;
}

/* What was bound to other nodes becomes one mapping again. Where that fails, the pages go home all
 * the same. */
static void restore_policy(const struct moved_pages *p)
{
	bool nodes = false;

	for (size_t i = 0; i < sizeof(p->mask) / sizeof(p->mask[0]); i++)
		nodes |= p->mask[i] != 0;
	if (p->mode >= 0)
		mbind(p->base, p->bytes, p->mode, nodes ? p->mask : NULL, nodes ? MOVED_NODES : 0,
			0);
}

/* A call has its cost also where nothing is to move. */
static long bring_home(struct moved_pages *p)
{
	long strays = moved_pages_away(p);

	p->refused = 0;
	if (strays > 0)
		send_list_home(p);
	for (int i = 0; i < TRIES && strays > 0; i++)
		strays = send_home(p);
	return strays;
}

const char *moved_pages_home(struct moved_pages *p, char *why, size_t n)
{
	restore_policy(p);
	long strays = bring_home(p);

	if (!strays)
		return make_whole(p, why, n);
	snprintf(why, n, "%ld pages of its vector do not go back to the node that they come from%s",
		strays, p->refused == ENOMEM ? ", which has no memory left for them" : "");
	return why;
}
