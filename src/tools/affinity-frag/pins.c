/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes, splits and pins blocks. */
#include "affinity-frag/pins.h"

#include <errno.h>
#include <fcntl.h>
#include <numaif.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/linux.h"
#include "affinity-frag/crew.h"

/* What any user may ask of a pipe (fs.pipe-max-size is 1 MiB, of 4 KiB), and what one has by itself
 * (fewer: the user has used up fs.pipe-user-pages-soft). */
#define PIPE_PAGES   256
#define PIPE_DEFAULT 16

char *pins_map(const struct node *n, int blocks, int policy, char **map, struct errors *e)
{
	size_t bytes = ((size_t)blocks + 1) * n->huge;
	unsigned long nodes[LINUX_NODES / (8 * sizeof(unsigned long))] = {0};
	size_t bits = 8 * sizeof(*nodes), id = (size_t)n->id;

	nodes[id / bits] = 1UL << id % bits;
	*map = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (*map == MAP_FAILED) {
		error_add(e, STATUS_FAILED, NOWHERE, "cannot reserve %zu bytes of addresses: %s",
			bytes, strerror(errno));
		*map = NULL;
		return NULL;
	}
	if ((!n->only && mbind(*map, bytes, policy, nodes, LINUX_NODES, 0)) ||
		madvise(*map, bytes, MADV_HUGEPAGE) || madvise(*map, bytes, MADV_DONTFORK)) {
		error_add(e, STATUS_PLACEMENT, NOWHERE, "cannot ask for huge pages of node %d: %s",
			n->id, strerror(errno));
		error_hint(e, "a cpuset or a container may forbid the node, or mbind");
		munmap(*map, bytes);
		*map = NULL;
		return NULL;
	}
	return *map + (n->huge - (uintptr_t)*map % n->huge) % n->huge;
}

/* Of a huge page the last base page is there as soon as the first one is touched. */
bool pins_take(const struct node *n, char *block)
{
	unsigned char there = 0;
	void *page = block;
	int node = -1;

	*(volatile char *)block = 1;
	if (mincore(block + n->huge - n->base, n->base, &there) || !(there & 1))
		return false;
	return n->only || (!move_pages(0, 1, &page, NULL, &node, 0) && node == n->id);
}

/* MADV_FREE of a part of a huge page makes the kernel split the page itself. MADV_DONTNEED would
 * only split its mapping, and nothing would be freed. */
int pins_split(const struct node *n, char *block)
{
	return madvise(block + n->base, n->base, MADV_FREE);
}

static int no_pipe(struct errors *e, int error)
{
	error_add(e, STATUS_FAILED, NOWHERE, "cannot pin more pages in pipes: %s", strerror(error));
	return error_hint(e, "limits of pipes and files: /proc/sys/fs/pipe-user-pages-soft, "
			     "ulimit -n; or leave more");
}

static int open_chunk(struct pins *p, const struct node *n, struct errors *e)
{
	struct pin_chunk c = {.pipe = {-1, -1}};
	int bytes;

	if (pipe2(c.pipe, O_CLOEXEC))
		return no_pipe(e, errno);
	bytes = fcntl(c.pipe[1], F_SETPIPE_SZ, PIPE_PAGES * (int)n->base);
	if (bytes < 0)
		bytes = fcntl(c.pipe[1], F_GETPIPE_SZ);
	c.room = bytes / (int)n->base;
	if (c.room < PIPE_DEFAULT)
		no_pipe(e, EPERM);
	else
		c.base = pins_map(n, c.room, MPOL_PREFERRED, &c.map, e);
	if (!c.base) {
		close(c.pipe[0]);
		close(c.pipe[1]);
		return -1;
	}
	p->chunks = alloc_grow(p->chunks, p->count, sizeof(*p->chunks));
	p->chunks[p->count++] = c;
	return 0;
}

/* Only its first page stays. */
static int thin(const struct node *n, char *block)
{
	if (pins_split(n, block))
		return -1;
	return madvise(block + n->base, n->huge - n->base, MADV_DONTNEED);
}

static int pin(const struct node *n, const struct pin_chunk *c, char *block, struct errors *e)
{
	struct iovec page = {block, n->base};

	if (vmsplice(c->pipe[1], &page, 1, SPLICE_F_NONBLOCK) != (ssize_t)n->base)
		return no_pipe(e, errno);
	return 0;
}

/* Blocks that are broken at once, and what came of each. */
struct batch {
	const struct pins *pins;
	const struct node *node;
	char *base;
	struct {
		enum pin_result result;
		int error; /* why it failed */
	} found[PIPE_PAGES];
};

static void take_one(void *arg, int item)
{
	struct batch *b = arg;
	const struct pins *p = b->pins;
	char *block = b->base + (size_t)item * b->node->huge;

	b->found[item].result = PIN_DONE;
	if (!pins_take(b->node, block)) {
		madvise(block, b->node->huge, MADV_DONTNEED);
		b->found[item].result = PIN_NO_BLOCK;
	} else if (p->keeps && p->keeps(p->arg, block)) {
		b->found[item].result = PIN_KEPT;
	} else if (thin(b->node, block)) {
		b->found[item].error = errno;
		b->found[item].result = PIN_FAILED;
	}
}

static enum pin_result hold_one(
	const struct batch *b, int item, const struct pin_chunk *c, struct errors *e)
{
	enum pin_result r = b->found[item].result;

	if (r == PIN_FAILED)
		error_add(e, STATUS_FAILED, NOWHERE, "cannot split a huge page: %s",
			strerror(b->found[item].error));
	if (r == PIN_DONE && pin(b->node, c, b->base + (size_t)item * b->node->huge, e))
		return PIN_FAILED;
	return r;
}

enum pin_result pins_break(struct pins *p, const struct node *n, int blocks, struct errors *e)
{
	struct pin_chunk *c = p->count ? &p->chunks[p->count - 1] : NULL;
	enum pin_result worst = PIN_DONE;

	if (!c || c->used == c->room) {
		if (open_chunk(p, n, e))
			return PIN_FAILED;
		c = &p->chunks[p->count - 1];
	}
	struct batch b = {.pins = p, .node = n, .base = c->base + (size_t)c->used * n->huge};
	int room = c->room - c->used < PIPE_PAGES ? c->room - c->used : PIPE_PAGES;

	blocks = p->keeps ? 1 : blocks < room ? blocks : room;
	crew_work(blocks, take_one, &b);
	c->used += blocks;
	for (int i = 0; i < blocks && worst != PIN_FAILED; i++) {
		enum pin_result r = hold_one(&b, i, c, e);

		p->broken += r == PIN_DONE;
		worst = r > worst ? r : worst;
	}
	return worst;
}

void pins_free(struct pins *p, const struct node *n)
{
	for (size_t i = 0; i < p->count; i++) {
		struct pin_chunk *c = &p->chunks[i];

		munmap(c->map, ((size_t)c->room + 1) * n->huge);
		close(c->pipe[0]);
		close(c->pipe[1]);
	}
	free(p->chunks);
	*p = (struct pins){0};
}
