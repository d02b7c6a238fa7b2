/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the page migration runtime itself costs: a call that decides "no", a call for pages that are
 * on the node already and the move of 1 GiB to another node, both compared with the kernel's calls
 * by hand, and the structure of pins by its number of entries. What is compared takes turns, and
 * each is the first of every other turn or so. Prints times and ratios with the goals of the
 * runtime, without a verdict. On a machine with one node no page moves, and that is said.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "statistics/stats.h"
#include "spm/runtime.h"

enum { TURNS = 51, MOVES = 15, CALLS = 10000, ENTRIES = 10000 };

static const size_t there_bytes = (size_t)256 << 20, moved_bytes = (size_t)1 << 30;

static void stop(const char *why)
{
	perror(why);
	exit(1);
}

/* goal: NULL for what has none. */
static struct stats print(
	const char *what, const double *samples, size_t n, const char *unit, const char *goal)
{
	struct stats s;

	stats_of(samples, n, 0.95, &s);
	printf("  %-50s %9.3f%s%s median, %.3f .. %.3f of %zu%s%s\n", what, s.median,
		*unit ? " " : "", unit, s.min, s.max, n, goal ? "; goal: " : "", goal ? goal : "");
	return s;
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
	print("a call that decides \"no\"", ns, TURNS, "ns", "at most 100 ns");
	spm_end(s);
}

/* ---- calls that move, by the runtime and by hand */

static const struct way {
	const char *name;
	enum spm_mover mover;
	bool by_hand;
} ways[] = {
	{"mbind() by hand", SPM_MBIND, true},
	{"move_pages() by hand", SPM_MOVE_PAGES, true},
	{"the runtime with mbind()", SPM_MBIND, false},
	{"the runtime with move_pages()", SPM_MOVE_PAGES, false},
};

enum { WAYS = sizeof(ways) / sizeof(ways[0]), HANDS = 2 };

/* What they move. */
struct object {
	char *base;
	size_t bytes, pages;
	void **list;
	int *nodes, *status;
	int home, target;
	struct spm_cpus near_target;
	struct spm *runtimes[WAYS]; /* NULL: by hand */
};

static int node_of(void *page)
{
	int status = -1;

	return spm_linux.move(1, &page, NULL, &status) ? -1 : status;
}

static void make(struct object *o, size_t bytes)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);

	*o = (struct object){.bytes = bytes, .pages = bytes / page};
	o->base = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	o->list = calloc(o->pages, sizeof(*o->list));
	o->nodes = calloc(o->pages, sizeof(*o->nodes));
	o->status = calloc(o->pages, sizeof(*o->status));
	if (o->base == MAP_FAILED || !o->list || !o->nodes || !o->status)
		stop("bench/spm");
	madvise(o->base, bytes, MADV_NOHUGEPAGE);
	memset(o->base, 1, bytes);
	o->home = o->target = node_of(o->base);
	for (size_t w = 0; w < WAYS; w++)
		o->runtimes[w] = ways[w].by_hand ? NULL : start(0, ways[w].mover);
}

static void discard(struct object *o)
{
	for (size_t w = 0; w < WAYS; w++)
		spm_end(o->runtimes[w]);
	munmap(o->base, o->bytes);
	free(o->list);
	free(o->nodes);
	free(o->status);
}

/* As a program does that has addresses in no list yet. */
static void move_by_hand(struct object *o, enum spm_mover mover)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	long failed;

	if (mover == SPM_MBIND) {
		failed = spm_linux.bind(o->base, o->bytes, SPM_BIND_MOVE, o->target);
	} else {
		for (size_t i = 0; i < o->pages; i++) {
			o->list[i] = o->base + i * page;
			o->nodes[i] = o->target;
		}
		failed = spm_linux.move(o->pages, o->list, o->nodes, o->status);
	}
	if (failed)
		stop("bench/spm: moving by hand");
}

static double once_ms(struct object *o, size_t way)
{
	const uint64_t t = clock_ns();

	if (o->runtimes[way])
		spm_call(o->runtimes[way], o->base, 0, (ptrdiff_t)o->bytes - 1, INT64_MAX, 1);
	else
		move_by_hand(o, ways[way].mover);
	return (double)(clock_ns() - t) * 1e-6;
}

/* Also leaves no policy behind. */
static void bring_home(struct object *o)
{
	if (spm_linux.bind(o->base, o->bytes, SPM_BIND_MOVE, o->home) ||
		spm_linux.bind(o->base, o->bytes, SPM_BIND_CHECK, o->home) ||
		spm_linux.bind(o->base, o->bytes, SPM_BIND_NOT, o->home))
		stop("bench/spm: bringing pages home");
}

/* ms[WAYS][TURNS]. All have met the pages and their lists before they count. */
static void take_turns(struct object *o, int turns, double ms[][TURNS])
{
	for (int turn = -1; turn < turns; turn++)
		for (size_t i = 0; i < WAYS; i++) {
			const size_t way = (i + (size_t)(turn + 1)) % WAYS;

			bring_home(o);
			ms[way][turn < 0 ? 0 : turn] = once_ms(o, way);
		}
}

static void compare(const double *ours, const double *hand, int turns, bool inverse,
	const char *what, const char *goal)
{
	double ratio[TURNS];

	for (int i = 0; i < turns; i++)
		ratio[i] = inverse ? hand[i] / ours[i] : ours[i] / hand[i];
	print(what, ratio, (size_t)turns, "", goal);
}

static void pages_there(void)
{
	static double ms[WAYS][TURNS];
	struct object o;

	make(&o, there_bytes);
	printf("256 MiB that are there already, in pages of %ld KiB:\n",
		sysconf(_SC_PAGESIZE) >> 10);
	take_turns(&o, TURNS, ms);
	for (size_t w = 0; w < WAYS; w++)
		print(ways[w].name, ms[w], TURNS, "ms", NULL);
	for (size_t w = HANDS; w < WAYS; w++) {
		if (spm_total(o.runtimes[w]).there != (TURNS + 1) * (uint64_t)o.pages)
			printf("  not all pages were there: the times are something else's\n");
		compare(ms[w], ms[w - HANDS], TURNS, false,
			w == HANDS ? "time by that of the call, mbind()"
				   : "time by that of the call, move_pages()",
			"at most 1.1");
	}
	discard(&o);
}

/* The first other node that has CPUs, and takes one page. */
static bool find_target(struct object *o)
{
	const struct spm_machine *m = &o->runtimes[HANDS]->machine;

	for (int i = 0; i < m->nnodes; i++) {
		o->target = m->nodes[i].id;
		o->near_target = m->nodes[i].cpus;
		if (o->target == o->home)
			continue;
		spm_linux.bind(o->base, (size_t)sysconf(_SC_PAGESIZE), SPM_BIND_MOVE, o->target);
		if (node_of(o->base) == o->target)
			return true;
	}
	return false;
}

/* The runtime moves to the node on which it is called; by hand it is called there, too. */
static void moving(void)
{
	static double ms[WAYS][TURNS];
	struct spm_cpus before;
	struct stats hand[HANDS];
	struct object o;

	make(&o, moved_bytes);
	if (!find_target(&o)) {
		printf("1 GiB to another node: not measured, because there is no second node to "
		       "move to; above are calls for pages that are there; goal: at least 0.98 of "
		       "the speed of the better call by hand\n");
		discard(&o);
		return;
	}
	printf("1 GiB from node %d to node %d, in pages of %ld KiB:\n", o.home, o.target,
		sysconf(_SC_PAGESIZE) >> 10);
	spm_linux.get_cpus(&before);
	if (spm_linux.set_cpus(&o.near_target))
		stop("bench/spm: to the CPUs of the target");
	take_turns(&o, MOVES, ms);
	spm_linux.set_cpus(&before);
	for (size_t w = 0; w < WAYS; w++) {
		struct stats s = print(ways[w].name, ms[w], MOVES, "ms", NULL);

		if (w < HANDS)
			hand[w] = s;
		else if (spm_total(o.runtimes[w]).moved != (MOVES + 1) * (uint64_t)o.pages)
			printf("  not all pages moved: the times are something else's\n");
	}
	const size_t best = hand[0].median <= hand[1].median ? 0 : 1;

	for (size_t w = HANDS; w < WAYS; w++)
		compare(ms[w], ms[best], MOVES, true,
			w == HANDS ? "speed by that of the better by hand, mbind()"
				   : "speed by that of the better by hand, move_pages()",
			"at least 0.98");
	discard(&o);
}

/* ---- pins */

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
	print(text, ns, TURNS, "ns", entries == ENTRIES ? "at most 1000 ns" : NULL);
	spm_pins_free(&pins);
}

int main(void)
{
	printf("page migration, the runtime:\n");
	deciding();
	for (size_t entries = 10; entries <= 100000; entries *= 10)
		pinning(entries);
	pages_there();
	moving();
	return 0;
}
