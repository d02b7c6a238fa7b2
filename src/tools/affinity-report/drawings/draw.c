/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drawings of nodes as boxes, with rows of items in them and arrows between the items. */
#include "affinity-report/drawings/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"

/* A drawing with more nodes would be too small to read. */
#define MOST_NODES 8
#define MOST_ITEMS 24

enum shape { SHAPE_THREAD, SHAPE_CACHE, SHAPE_VECTOR };

struct item {
	char label[24];
	enum shape shape;
	size_t box, row;
	size_t vector;    /* for SHAPE_VECTOR */
	size_t place, of; /* place among the items of its box and row, and their number */
	double x, y;
};

struct arrow {
	size_t from, to; /* indices of items */
};

struct diagram {
	const int *nodes; /* [nboxes]; -1: the box of threads that are not bound */
	size_t nboxes;
	struct item *items;
	size_t nitems;
	struct arrow *arrows;
	size_t narrows;
	const char *alt;
};

void draw_arrow_head(FILE *out)
{
	fputs("<svg width=0 height=0 aria-hidden=true><defs><marker id=head viewBox='0 0 8 8' "
	      "refX=7 refY=4 markerWidth=7 markerHeight=7 orient=auto><path d='M0 0L8 4L0 8z' "
	      "fill=context-stroke /></marker></defs></svg>\n",
		out);
}

static void draw_item(FILE *out, const struct item *i)
{
	if (i->shape == SHAPE_THREAD)
		html(out, "<circle cx=%a cy=%a r=17 class=thread />", i->x, i->y);
	else if (i->shape == SHAPE_CACHE)
		html(out, "<rect x=%a y=%a width=58 height=28 rx=10 class=cache />", i->x - 29,
			i->y - 14);
	else
		html(out, "<rect x=%a y=%a width=46 height=28 rx=2 class=vector />", i->x - 23,
			i->y - 14);
	html(out, "<text x=%a y=%a>%s</text>", i->x, i->y + 5, i->label);
}

/* Draws an arrow from edge to edge of two shapes; a shape extends 30 to each side and 16 up and
 * down from its centre. */
static void draw_arrow(FILE *out, const struct item *from, const struct item *to)
{
	double dx = to->x - from->x, dy = to->y - from->y, d = sqrt(dx * dx + dy * dy);
	double gap = dx == 0 ? 16 : dy == 0 ? 30 : 23;

	html(out, "<path d='M%a %aL%a %a' class=%s marker-end='url(#head)' />",
		from->x + dx / d * gap, from->y + dy / d * gap, to->x - dx / d * gap,
		to->y - dy / d * gap, from->box == to->box ? "local" : "remote");
}

static bool beside(const struct item *a, const struct item *b)
{
	return a->box == b->box && a->row == b->row;
}

/* Finds the place of every item; returns the width of a box. */
static double place_items(struct diagram *d)
{
	double width = 110;

	for (size_t i = 0; i < d->nitems; i++) {
		struct item *it = &d->items[i];

		it->place = it->of = 0;
		for (size_t k = 0; k < d->nitems; k++) {
			it->place += k < i && beside(&d->items[k], it);
			it->of += beside(&d->items[k], it);
		}
		if ((double)it->of * 64 > width)
			width = (double)it->of * 64;
	}
	for (size_t i = 0; i < d->nitems; i++) {
		struct item *it = &d->items[i];

		it->x = 20 + (double)it->box * (width + 50) +
			width * ((double)it->place + 0.5) / (double)it->of;
		it->y = 56 + (double)it->row * 66;
	}
	return width;
}

static void draw_box(FILE *out, int node, size_t i, double width, double height)
{
	double left = (double)i * (width + 50);

	html(out, "<rect x=%a y=4 width=%a height=%a rx=6 class=node /><text x=%a", 10 + left,
		width + 20, height - 8, 20 + left);
	if (node < 0)
		fputs(" y=24 class=name>not bound</text>", out);
	else
		fprintf(out, " y=24 class=name>node %d</text>", node);
}

/* Draws box by box, and row by row within a box. */
static void draw_items(FILE *out, const struct diagram *d, size_t rows)
{
	for (size_t box = 0; box < d->nboxes; box++)
		for (size_t row = 0; row < rows; row++)
			for (size_t i = 0; i < d->nitems; i++)
				if (d->items[i].box == box && d->items[i].row == row)
					draw_item(out, &d->items[i]);
}

static void draw_diagram(FILE *out, struct diagram *d)
{
	double width = place_items(d), all = (double)d->nboxes * (width + 50), height;
	size_t rows = 1;

	for (size_t i = 0; i < d->nitems; i++)
		if (d->items[i].row >= rows)
			rows = d->items[i].row + 1;
	height = (double)(rows - 1) * 66 + 92;
	html(out,
		"<svg class=diagram role=img viewBox='0 0 %a %a' "
		"style='width:%apx'><title>%s</title>",
		all, height, all, d->alt);
	for (size_t i = 0; i < d->nboxes; i++)
		draw_box(out, d->nodes[i], i, width, height);
	for (size_t i = 0; i < d->narrows; i++)
		draw_arrow(out, &d->items[d->arrows[i].from], &d->items[d->arrows[i].to]);
	draw_items(out, d, rows);
	fputs("</svg>\n", out);
}

static struct item *add_item(struct diagram *d, enum shape shape, size_t box, size_t row)
{
	d->items = alloc_grow(d->items, d->nitems, sizeof(*d->items));
	d->items[d->nitems] = (struct item){.shape = shape, .box = box, .row = row};
	return &d->items[d->nitems++];
}

static void add_arrow(struct diagram *d, size_t from, size_t to)
{
	d->arrows = alloc_grow(d->arrows, d->narrows, sizeof(*d->arrows));
	d->arrows[d->narrows++] = (struct arrow){from, to};
}

static int ascending(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The nodes of threads and pages, without repetition, in ascending order. To be freed. */
static int *nodes_of(const struct document_run *r, size_t *count)
{
	int *nodes = NULL;
	size_t n = 0, kept = 0;

	for (size_t i = 0; i < r->nthreads; i++) {
		nodes = alloc_grow(nodes, n, sizeof(*nodes));
		nodes[n++] = r->threads[i].node;
	}
	for (size_t i = 0; i < r->nvectors; i++)
		for (size_t k = 0; k < r->vectors[i].npages; k++) {
			nodes = alloc_grow(nodes, n, sizeof(*nodes));
			nodes[n++] = r->vectors[i].pages[k].node;
		}
	if (n)
		qsort(nodes, n, sizeof(*nodes), ascending);
	for (size_t i = 0; i < n; i++)
		if (!kept || nodes[kept - 1] != nodes[i])
			nodes[kept++] = nodes[i];
	*count = kept;
	return nodes;
}

static size_t box_of(const struct diagram *d, int node)
{
	size_t i = 0;

	while (i < d->nboxes && d->nodes[i] != node)
		i++;
	return i;
}

/* "t0 on node 1 uses d0 d1; t1 ..." To be freed. */
static char *placement_text(const struct document_run *r)
{
	struct buffer text;
	FILE *out = buffer_open(&text);

	for (size_t i = 0; i < r->nthreads; i++) {
		const struct document_thread *t = &r->threads[i];

		fprintf(out, "%st%zu ", i ? "; " : "", i);
		if (t->node < 0)
			fputs("not bound", out);
		else
			fprintf(out, "on node %d", t->node);
		if (t->kind)
			fprintf(out, ", kind %s,", t->kind);
		fputs(" uses ", out);
		for (size_t k = 0; k < t->nvectors; k++)
			fprintf(out, "%sd%zu", k ? " " : "", t->vectors[k]);
	}
	return buffer_text(&text, out);
}

static void add_placement(struct diagram *d, const struct document_run *r)
{
	for (size_t i = 0; i < r->nthreads; i++)
		snprintf(add_item(d, SHAPE_THREAD, box_of(d, r->threads[i].node), 0)->label,
			sizeof(d->items->label), "t%zu", i);
	for (size_t i = 0; i < r->nvectors; i++)
		for (size_t k = 0; k < r->vectors[i].npages; k++) {
			struct item *it = add_item(
				d, SHAPE_VECTOR, box_of(d, r->vectors[i].pages[k].node), 1);

			it->vector = i;
			snprintf(it->label, sizeof(it->label), "d%zu", i);
		}
	for (size_t i = 0; i < r->nthreads; i++)
		for (size_t k = 0; k < r->threads[i].nvectors; k++)
			for (size_t to = r->nthreads; to < d->nitems; to++)
				if (d->items[to].vector == r->threads[i].vectors[k])
					add_arrow(d, i, to);
}

/* "Kind performance: t0 t1." for each kind of cores; nothing where they are alike. */
static void write_kinds(FILE *out, const struct document_run *r)
{
	bool any = false;

	for (size_t i = 0; i < r->nthreads; i++) {
		const char *kind = r->threads[i].kind;
		bool known = !kind;

		for (size_t k = 0; k < i && !known; k++)
			known = r->threads[k].kind && !strcmp(r->threads[k].kind, kind);
		if (known)
			continue;
		html(out, "%-s%s:", any ? " Kind " : "<p class=kinds>Kind ", kind);
		for (size_t k = i; k < r->nthreads; k++)
			if (r->threads[k].kind && !strcmp(r->threads[k].kind, kind))
				fprintf(out, " t%zu", k);
		fputs(".", out);
		any = true;
	}
	fputs(any ? "</p>\n" : "", out);
}

void draw_placement(FILE *out, const struct document_run *r)
{
	struct diagram d = {0};
	int *nodes = nodes_of(r, &d.nboxes);
	char *alt = placement_text(r);

	d.nodes = nodes;
	d.alt = alt;
	add_placement(&d, r);
	if (d.nboxes > MOST_NODES || r->nthreads > MOST_ITEMS ||
		d.nitems - r->nthreads > MOST_ITEMS) {
		html(out, "<p>%s</p>\n", alt);
	} else {
		draw_diagram(out, &d);
	}
	write_kinds(out, r);
	free(d.items);
	free(d.arrows);
	free(nodes);
	free(alt);
}

void draw_line_sources(FILE *out, int x, int y)
{
	/* two threads, two caches and the vector, which is on the first node */
	static const struct item items[] = {{"t0", SHAPE_THREAD, 0, 0, 0, 0, 0, 0, 0},
		{"t1", SHAPE_THREAD, 1, 0, 0, 0, 0, 0, 0},
		{"cache", SHAPE_CACHE, 0, 1, 0, 0, 0, 0, 0},
		{"cache", SHAPE_CACHE, 1, 1, 0, 0, 0, 0, 0},
		{"d0", SHAPE_VECTOR, 0, 2, 0, 0, 0, 0, 0}};
	enum { T0, T1, C0, C1, D0 };
	static const struct {
		const char *figure, *text;
		bool first; /* the text ends with the first node, else with the second */
		bool names; /* the text ends with a node */
		struct arrow arrows[2];
	} figures[] = {
		{"Figure 5.10", "t0 first: from its own memory", false, false,
			{{D0, C0}, {C0, T0}}},
		{"Figure 5.11", "t1 second: from the cache of node ", true, true,
			{{C0, C1}, {C1, T1}}},
		{"Figure 5.12", "t1 first: from the memory of node ", true, true,
			{{D0, C1}, {C1, T1}}},
		{"Figure 5.13", "t0 second: from the cache of node ", false, true,
			{{C1, C0}, {C0, T0}}},
	};
	const int nodes[] = {x, y};

	fputs("<div class=row>", out);
	for (size_t i = 0; i < sizeof(figures) / sizeof(*figures); i++) {
		struct item placed[5];
		struct arrow arrows[2] = {figures[i].arrows[0], figures[i].arrows[1]};
		char node[16] = "";

		memcpy(placed, items, sizeof(items));
		if (figures[i].names)
			snprintf(node, sizeof(node), "%d", figures[i].first ? x : y);
		char *text = alloc_format("%s%s", figures[i].text, node);
		struct diagram d = {nodes, 2, placed, 5, arrows, 2, text};

		html_figure_begin(out, figures[i].figure, text);
		draw_diagram(out, &d);
		html_figure_end(out);
		free(text);
	}
	fputs("</div>\n", out);
}

static double units_of(const struct document_run *r, size_t thread)
{
	const struct document_operations *o = &r->operations;
	double units =
		o->count && thread < o->list[0].njobs ? o->list[0].jobs[thread].figures.units : NAN;

	return isfinite(units) ? units : 0;
}

void draw_shares(FILE *out, const struct document_run *r)
{
	size_t n = r->operations.count ? r->operations.list[0].njobs : 0;
	double most = 0;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, units_of(r, i));
	if (!(most > 0))
		return;
	fprintf(out,
		"<svg class=diagram role=img viewBox='0 0 440 %zu' style='width:440px'>"
		"<title>accesses of each thread</title>",
		20 + 40 * n);
	for (size_t i = 0; i < n; i++)
		html(out,
			"<text x=20 y=%zu>t%zu</text><rect x=44 y=%zu width=380 height=28 "
			"class=node /><rect x=44 y=%zu width=%a height=28 class=vector />",
			36 + 40 * i, i, 16 + 40 * i, 16 + 40 * i, 380 * units_of(r, i) / most);
	fputs("</svg>\n", out);
}
