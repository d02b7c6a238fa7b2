/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long affinity-frag takes to break 8 GiB of free memory: from its start until it has shown
 * what is left, in several turns, each of which mends the node at its end. A virtual machine may
 * get a page from its host only when it touches it, and give it back soon after it was freed. So
 * each turn is measured twice, with memory as it is found and with memory that was touched just
 * before; and what touching takes is shown, the first time and again. Prints times, without a
 * verdict.
 */
#include <inttypes.h>
#include <stdio.h>
#include <numaif.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/linux.h"
#include "statistics/stats.h"
#include "memory/capacity.h"
#include "affinity-frag/crew.h"
#include "affinity-frag/node.h"
#include "affinity-frag/pins.h"

enum { TURNS = 5 };

static const uint64_t broken_bytes = (uint64_t)8 << 30;

static void stop(const char *why)
{
	fprintf(stderr, "bench/fragment: %s\n", why);
	exit(1);
}

static uint64_t large_bytes(const struct node *n)
{
	struct errors e = {0};
	struct node_free f;

	if (node_read(n, &f, &e))
		stop("cannot read /proc/buddyinfo");
	return f.huge * n->base;
}

/* The node that has most in large blocks. */
static int find(struct node *best)
{
	bool nodes[LINUX_NODES];
	uint64_t most = 0;

	capacity_nodes(nodes);
	for (int id = 0; id < LINUX_NODES; id++) {
		struct errors e = {0};
		struct node n;

		if (!nodes[id])
			continue;
		if (!node_open(&n, id, &e) && large_bytes(&n) > most) {
			most = large_bytes(&n);
			*best = n;
		}
		errors_free(&e);
	}
	return most ? 0 : -1;
}

static void copy_out(FILE *in)
{
	int c;

	rewind(in);
	while ((c = fgetc(in)) != EOF)
		putchar(c);
}

/* The line "left ..." ends the time; the program ends when `true` has. Its messages are shown if it
 * fails: negative then. */
static double break_s(int node, uint64_t leave)
{
	FILE *messages = tmpfile();
	char *amount = alloc_format("%" PRIu64 "KiB", leave >> 10);
	char *on = alloc_format("%d", node);
	int ends[2], status;
	char first;

	if (!messages || pipe(ends))
		stop("no pipe, or no temporary file");
	char *to = alloc_format("%d", ends[1]);
	uint64_t begin = clock_ns();
	pid_t child = fork();
	if (!child) {
		close(ends[0]);
		dup2(fileno(messages), STDERR_FILENO);
		execl("./affinity-frag", "affinity-frag", "--node", on, "--leave", amount,
			"--amounts", to, "--", "true", (char *)NULL);
		_exit(127);
	}
	close(ends[1]);
	bool done = child > 0 && read(ends[0], &first, 1) == 1;
	double s = (double)(clock_ns() - begin) * 1e-9;
	close(ends[0]);
	if (child < 0 || waitpid(child, &status, 0) != child || status || !done) {
		copy_out(messages);
		s = -1;
	}
	fclose(messages);
	free(amount);
	free(on);
	free(to);
	return s;
}

struct blocks {
	const struct node *node;
	char *base;
};

static void touch_one(void *arg, int item)
{
	const struct blocks *b = arg;

	pins_take(b->node, b->base + (size_t)item * b->node->huge);
}

/* All threads touch as many huge pages as are to be broken, and then free them. */
static double touch_s(const struct node *n)
{
	const int blocks = (int)(broken_bytes / n->huge);
	struct errors e = {0};
	struct blocks b = {.node = n};
	char *map;

	b.base = pins_map(n, blocks, MPOL_PREFERRED, &map, &e);
	if (!b.base)
		stop("no huge pages of the node");
	uint64_t begin = clock_ns();
	crew_work(blocks, touch_one, &b);
	double s = (double)(clock_ns() - begin) * 1e-9;
	munmap(map, ((size_t)blocks + 1) * n->huge);
	return s;
}

static double turn_s(const struct node *n)
{
	uint64_t large = large_bytes(n);

	return break_s(n->id, large > broken_bytes ? large - broken_bytes : 0);
}

static void show(const char *what, const double *seconds)
{
	struct stats s;

	stats_of(seconds, TURNS, 0.95, &s);
	printf("  %-66s %8.3f s median, %.3f .. %.3f of %zu\n", what, s.median, s.min, s.max, s.n);
}

/* The programs lie where make is called. */
int main(void)
{
	double first[TURNS], again[TURNS], touched[TURNS], found[TURNS];
	struct node n;

	printf("8 GiB of free memory broken by affinity-frag:\n");
	if (find(&n) || large_bytes(&n) < broken_bytes) {
		printf("  not measured: no node has 8 GiB free in blocks of a huge page\n");
		return 0;
	}
	fflush(stdout);
	for (int i = 0; i < TURNS; i++) {
		found[i] = turn_s(&n);
		first[i] = touch_s(&n);
		again[i] = touch_s(&n);
		touched[i] = turn_s(&n);
		if (found[i] < 0 || touched[i] < 0) {
			printf("  not measured: see above\n");
			return 0;
		}
	}
	show("from its start until it is proven (target: under 10 s)", found);
	show("the same, all of it touched just before: the program's own part", touched);
	show("8 GiB in huge pages touched, as found", first);
	show("the same again at once: less by what a host takes to give memory", again);
	return 0;
}
