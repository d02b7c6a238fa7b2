/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where pages lie: ranges of huge and of small pages from the scan of page tables, and a question
 * for each page. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/pagemap.h"
#include "rhp/runtime.h"

#define REGIONS 32

/* Pages in one question. */
#define PAGES 128

/* Asks for pages that each stand for `step` bytes. What is at the end of a range may be less. */
static void ask_for_pages(const struct rhp *r, uint64_t from, uint64_t to, size_t step, bool huge,
	struct rhp_pages *p)
{
	void *pages[PAGES];
	int status[PAGES];

	while (from < to) {
		size_t n = 0;
		uint64_t first = from;

		for (; n < PAGES && from < to; from += step)
			pages[n++] = (void *)(uintptr_t)from;
		int failed = r->system->nodes_of(n, pages, status);
		for (size_t i = 0; i < n; i++) {
			uint64_t at = first + i * step, bytes = to - at < step ? to - at : step;

			if (failed ||
				(status[i] < 0 && status[i] != -ENOENT && status[i] != -EFAULT))
				p->unknown += bytes;
			else if (status[i] < 0 || status[i] >= RHP_NODES)
				p->absent += bytes;
			else
				p->on_node[status[i]] += bytes;
			if (huge && (failed || status[i] >= 0))
				p->huge += bytes;
		}
	}
}

static void add_unknown(struct rhp_pages *p, uint64_t bytes)
{
	p->unknown += bytes;
	p->huge_unknown += bytes;
}

/* A page that is swapped out was written, and is nowhere. */
static void add_region(
	const struct rhp *r, const struct pagemap_region *region, struct rhp_pages *p)
{
	bool huge = region->categories & PAGEMAP_HUGE;

	if (region->categories & PAGEMAP_PRESENT)
		ask_for_pages(r, region->start, region->end,
			huge ? r->machine.huge : r->machine.base, huge, p);
	else
		add_unknown(p, region->end - region->start);
}

/* -1: this kernel has no such scan; nothing was added. */
static int scan(const struct rhp *r, int file, uint64_t base, uint64_t end, struct rhp_pages *p)
{
	struct pagemap_region regions[REGIONS];
	struct pagemap_scan scan = {.size = sizeof(scan),
		.start = base,
		.end = end,
		.regions = (uintptr_t)regions,
		.nregions = REGIONS,
		.any_of = PAGEMAP_PRESENT | PAGEMAP_SWAPPED,
		.wanted = PAGEMAP_HUGE | PAGEMAP_PRESENT};
	uint64_t seen = base;

	for (; scan.start < end; scan.start = scan.walk_end) {
		int n = r->system->scan(file, &scan);

		if (n < 0 || scan.walk_end <= scan.start) {
			if (seen == base)
				return -1;
			add_unknown(p, end - seen);
			return 0;
		}
		for (int i = 0; i < n; i++) {
			p->absent += regions[i].start - seen;
			add_region(r, &regions[i], p);
			seen = regions[i].end;
		}
	}
	p->absent += end - seen;
	return 0;
}

/* ---- smaps, where there is no scan */

struct smaps {
	uint64_t base, end;
	uint64_t covered; /* by mappings that lie inside */
	uint64_t huge;
	uint64_t swapped;
	bool inside;
};

static int take_line(void *arg, const char *text)
{
	struct smaps *s = arg;
	unsigned long from, to, kib;

	if (sscanf(text, "%lx-%lx ", &from, &to) == 2) {
		s->inside = from >= s->base && to <= s->end;
		s->covered += s->inside ? to - from : 0;
		return from >= s->end;
	}
	if (s->inside && sscanf(text, "AnonHugePages: %lu", &kib) == 1)
		s->huge += (uint64_t)kib * 1024;
	if (s->inside && sscanf(text, "Swap: %lu", &kib) == 1)
		s->swapped += (uint64_t)kib * 1024;
	return 0;
}

static void ask_all(const struct rhp *r, uint64_t base, uint64_t end, struct rhp_pages *p)
{
	struct smaps s = {.base = base, .end = end};
	char smaps[512];
	uint64_t before = p->absent, absent;

	ask_for_pages(r, base, end, r->machine.base, false, p);
	absent = p->absent - before;
	snprintf(smaps, sizeof(smaps), "%s/proc/self/smaps", r->machine.root);
	if (rhp_lines(smaps, take_line, &s) < 0 || s.covered != end - base) {
		p->huge_unknown += end - base - absent;
		return;
	}
	p->huge += s.huge;
	/* to move_pages() a page that is swapped out is not there */
	if (s.swapped > absent)
		s.swapped = absent;
	p->absent -= s.swapped;
	add_unknown(p, s.swapped);
}

void rhp_find(const struct rhp *r, uintptr_t base, size_t bytes, struct rhp_pages *pages)
{
	int file = r->machine.huge ? open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC) : -1;

	if (file < 0 || scan(r, file, base, base + bytes, pages))
		ask_all(r, base, base + bytes, pages);
	if (file >= 0)
		close(file);
}

void rhp_where(struct rhp *r, const void *base, size_t bytes, struct rhp_pages *pages)
{
	int error = errno;

	rhp_lock(&r->lock);
	rhp_find(r, (uintptr_t)base, bytes, pages);
	rhp_unlock(&r->lock);
	errno = error;
}
