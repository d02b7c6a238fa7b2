/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a line by the row of its first word. */
#include "affinity-rhp/scenario.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/denied.h"
#include "base/linux.h"
#include "base/text.h"

/* The buddy allocator's largest block on x86-64, of which the thesis's ranges are made. */
#define DEFAULT_BLOCK (UINT64_C(4) << 20)

/* More would take hours. */
#define MOST_RANGES 1000000

/* Of distances the smaller one is nearer: ACPI's defaults. */
#define OWN_DISTANCE 10
#define FAR_DISTANCE 20

struct reading {
	struct scenario *s;
	struct errors *e;
	struct words words;
};

static int wrong(struct reading *r, const char *word, const char *what, const char *hint)
{
	error_add(r->e, STATUS_USAGE, r->words.at, "%s: '%s' is not %s", r->words.word[0], word,
		what);
	return error_hint(r->e, "%s", hint);
}

static int read_node(struct reading *r, const char *word, int *node)
{
	uint64_t value;

	if (text_count(word, &value) || value >= LINUX_NODES)
		return wrong(r, word, "a node", "a number from 0 to 1023");
	*node = (int)value;
	return 0;
}

static int read_size(struct reading *r, const char *word, uint64_t *bytes)
{
	if (text_bytes(word, bytes) || !*bytes)
		return wrong(r, word, "a size", "a number and a unit, such as 64MiB or 1G");
	return 0;
}

static struct rcm_node *find_node(struct scenario *s, int id)
{
	for (size_t i = 0; i < s->ranges.nnodes; i++)
		if (s->ranges.nodes[i].id == id)
			return &s->ranges.nodes[i];
	return NULL;
}

/* distance 0: not given. */
static struct rcm_node *need_node(struct scenario *s, int id)
{
	struct rcm_ranges *r = &s->ranges;
	struct rcm_node *node = find_node(s, id);

	if (node)
		return node;
	r->nodes = alloc_grow(r->nodes, r->nnodes, sizeof(*r->nodes));
	r->nodes[r->nnodes] = (struct rcm_node){id, 0, 0};
	return &r->nodes[r->nnodes++];
}

static void take_local(struct reading *r)
{
	read_node(r, r->words.word[1], &r->s->local);
}

static void take_block(struct reading *r)
{
	read_size(r, r->words.word[1], &r->s->block);
}

static void take_distance(struct reading *r)
{
	uint64_t distance;
	int id = 0;

	if (read_node(r, r->words.word[1], &id))
		return;
	if (text_count(r->words.word[2], &distance) || distance < OWN_DISTANCE || distance > 255) {
		wrong(r, r->words.word[2], "a distance", "10 is the node's own, 255 the largest");
		return;
	}
	need_node(r->s, id)->distance = (int)distance;
}

static void take_range(struct reading *r)
{
	struct rcm_ranges *ranges = &r->s->ranges;
	uint64_t bytes, count = 1;
	int id = 0;

	if (read_node(r, r->words.word[1], &id) || read_size(r, r->words.word[2], &bytes))
		return;
	if (r->words.count > 3 && (text_count(r->words.word[3], &count) || !count ||
					  count > MOST_RANGES - ranges->count)) {
		wrong(r, r->words.word[3], "a number of ranges", "all together at most 1000000");
		return;
	}
	need_node(r->s, id);
	for (; count; count--) {
		ranges->list = alloc_grow(ranges->list, ranges->count, sizeof(*ranges->list));
		ranges->list[ranges->count++] = (struct rcm_range){id, bytes};
	}
}

static void take_area(struct reading *r)
{
	struct scenario *s = r->s;
	uint64_t bytes;

	if (read_size(r, r->words.word[1], &bytes))
		return;
	s->areas = alloc_grow(s->areas, s->nareas, sizeof(*s->areas));
	s->areas[s->nareas++] = bytes;
}

static const struct line_row {
	const char *name, *form;
	size_t least, most;              /* words */
	void (*take)(struct reading *r); /* NULL: a count */
} rows[] = {
	[SCENARIO_MISSES] = {"misses", "misses NUMBER", 2, 2, NULL},
	[SCENARIO_WALK_CYCLES] = {"walk_cycles", "walk_cycles NUMBER", 2, 2, NULL},
	[SCENARIO_IDEAL_CYCLES] = {"ideal_cycles", "ideal_cycles NUMBER", 2, 2, NULL},
	[SCENARIO_FAR_STALLS] = {"far_stalls", "far_stalls NUMBER", 2, 2, NULL},
	[SCENARIO_HITS] = {"hits", "hits NUMBER", 2, 2, NULL},
	[SCENARIO_FAR_ACCESSES] = {"far_accesses", "far_accesses NUMBER", 2, 2, NULL},
	[SCENARIO_FAR_NS] = {"far_ns", "far_ns NUMBER", 2, 2, NULL},
	[SCENARIO_LOCAL_NS] = {"local_ns", "local_ns NUMBER", 2, 2, NULL},
	[SCENARIO_HERTZ] = {"hertz", "hertz NUMBER", 2, 2, NULL},
	[SCENARIO_COUNTS] = {"local", "local NODE", 2, 2, take_local},
	{"distance", "distance NODE NUMBER", 3, 3, take_distance},
	{"range", "range NODE SIZE [COUNT]", 3, 4, take_range},
	{"area", "area SIZE", 2, 2, take_area},
	{"block", "block SIZE", 2, 2, take_block},
};

#define ROWS (sizeof(rows) / sizeof(*rows))

static void take_count(struct reading *r, double *count)
{
	const char *word = r->words.word[1];
	double value;

	if (text_real(word, &value) || value < 0)
		wrong(r, word, "a count", "a number from 0 on, such as 1.5e9");
	else
		*count = value;
}

static int refuse_unknown_line(struct reading *r)
{
	const char *names[ROWS];

	for (size_t i = 0; i < ROWS; i++)
		names[i] = rows[i].name;
	return error_unknown(r->e, STATUS_USAGE, r->words.at,
		text_nearest(r->words.word[0], names, ROWS), "unknown word '%s'", r->words.word[0]);
}

static void take_line(struct reading *r)
{
	size_t i = 0;

	while (i < ROWS && strcmp(r->words.word[0], rows[i].name))
		i++;
	if (i == ROWS) {
		refuse_unknown_line(r);
		error_hint(r->e, "range, area, distance, local, block, or a count");
	} else if (r->words.count < rows[i].least || r->words.count > rows[i].most) {
		error_add(r->e, STATUS_USAGE, r->words.at, "%s: %zu value%s too %s",
			r->words.word[0], r->words.count - 1, r->words.count == 2 ? " is" : "s are",
			r->words.count < rows[i].least ? "few" : "many");
		error_hint(r->e, "%s", rows[i].form);
	} else if (rows[i].take) {
		rows[i].take(r);
	} else {
		take_count(r, &r->s->counts[i]);
	}
}

static void read_lines(struct reading *r, FILE *in, const char *path)
{
	char *line = NULL;
	size_t room = 0;

	for (int number = 1; getline(&line, &room, in) >= 0; number++) {
		line[strcspn(line, "#")] = '\0';
		r->words = (struct words){.at = {path, number}};
		words_split(&r->words, line, " \t\r\n");
		if (r->words.count)
			take_line(r);
		words_free(&r->words);
	}
	free(line);
}

static int nearer(const void *a, const void *b)
{
	const struct rcm_node *x = a, *y = b;

	return x->distance != y->distance
		       ? (x->distance > y->distance) - (x->distance < y->distance)
		       : (x->id > y->id) - (x->id < y->id);
}

/* Ranges are whole blocks, and areas become whole blocks. The program's own node is the first. */
static void settle(struct scenario *s)
{
	struct rcm_ranges *r = &s->ranges;

	need_node(s, s->local);
	for (size_t i = 0; i < r->nnodes; i++) {
		struct rcm_node *node = &r->nodes[i];

		if (node->id == s->local)
			node->distance = 0;
		else if (!node->distance)
			node->distance = FAR_DISTANCE;
	}
	qsort(r->nodes, r->nnodes, sizeof(*r->nodes), nearer);
	for (size_t i = 0; i < r->count; i++)
		r->list[i].bytes -= r->list[i].bytes % s->block;
	for (size_t i = 0; i < s->nareas; i++)
		s->areas[i] += (s->block - s->areas[i] % s->block) % s->block;
}

int scenario_read(struct scenario *s, const char *path, struct errors *e)
{
	struct reading r = {.s = s, .e = e};
	const size_t before = e->failures;
	FILE *in = fopen(path, "re");

	*s = (struct scenario){.block = DEFAULT_BLOCK};
	for (size_t i = 0; i < SCENARIO_COUNTS; i++)
		s->counts[i] = NAN;
	if (!in) {
		const int error = errno;

		error_add(e, STATUS_USAGE, NOWHERE, "cannot read '%s': %s", path, strerror(error));
		error_hint(e, "the manual has the form of the file");
		return denied_hint(path, error, e);
	}
	read_lines(&r, in, path);
	if (ferror(in))
		error_add(e, STATUS_USAGE, NOWHERE, "cannot read '%s': %s", path, strerror(errno));
	fclose(in);
	if (e->failures == before && (!s->ranges.count || !s->nareas)) {
		error_add(e, STATUS_USAGE, (struct place){path, 0}, "has no line '%s'",
			s->nareas ? "range" : "area");
		error_hint(e, s->nareas ? "range NODE SIZE [COUNT]: what is free"
					: "area SIZE: what the program maps");
	}
	if (e->failures != before)
		return -1;
	settle(s);
	return 0;
}

void scenario_free(struct scenario *s)
{
	free(s->ranges.list);
	free(s->ranges.nodes);
	free(s->areas);
}
