/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws the machine. Outer levels of places are headings, the innermost level above the cores is a
 * row of boxes. Each function is given the CPUs of a place, as indices into t->cpus, and what it
 * draws of them depends on nothing else. */
#include "report/picture.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"

/* The width that every terminal, mail and page of code has. */
#define COLUMNS 80

/* From the outermost to what is inside cores no machine has more. */
#define LEVELS 16

/* Of kinds of cores, the quickest first; all others have the last. */
static const char brackets[] = "[]()<>{}||";

struct picture {
	const struct topo *t;
	int levels[LEVELS]; /* those drawn, indices into t->levels, the outermost first */
	int nlevels;
	FILE *out;
};

struct part {
	int *cpus, n;
	char *shape; /* of parts that are alike it is the same */
};

/* The part with the places of a CPU's number, most often the last; a new one where none has it. */
static int part_of(const int *of, const int *first, int *nparts, int cpu)
{
	for (int i = *nparts - 1; i >= 0; i--)
		if (of[first[i]] == of[cpu])
			return i;
	return (*nparts)++;
}

/* The CPUs by their places of a level, in the machine's order; they are reordered. */
static struct part *split_by_places(
	const struct picture *p, int level, int *cpus, int n, int *nparts)
{
	const size_t room = (size_t)n + 1;
	int *part = alloc_zeroed(3 * room, sizeof(*part)), *first = part + room,
	    *copy = first + room;
	struct part *parts = alloc_zeroed(room, sizeof(*parts));

	*nparts = 0;
	for (int i = 0; i < n; i++) {
		const int before = *nparts;

		copy[i] = cpus[i];
		part[i] = part_of(p->t->levels[level].of, first, nparts, cpus[i]);
		if (before < *nparts)
			first[part[i]] = cpus[i];
		parts[part[i]].n++;
	}
	for (int i = 0, at = 0; i < *nparts; i++) {
		parts[i].cpus = cpus + at;
		at += parts[i].n;
		parts[i].n = 0;
	}
	for (int i = 0; i < n; i++) {
		struct part *to = &parts[part[i]];

		to->cpus[to->n++] = copy[i];
	}
	free(part);
	return parts;
}

static void free_parts(struct part *parts, int n)
{
	for (int i = 0; i < n; i++)
		free(parts[i].shape);
	free(parts);
}

static bool is_drawn(const struct topo_cpu *cpu)
{
	return cpu->allowed || cpu->nameable;
}

static const char *bracket(int kind)
{
	const size_t last = strlen(brackets) - 2, at = kind > 0 ? 2 * (size_t)kind : 0;

	return &brackets[at < last ? at : last];
}

static uint64_t cache_bytes(const struct topo *t, int level, int cpu)
{
	const int cache = t->levels[level].cache;

	return cache ? topo_cache_bytes(t, &t->cpus[cpu], cache) : 0;
}

static bool is_bare_node(const struct topo *t, int level, int cpu)
{
	const struct topo_node *node = topo_node(t, t->cpus[cpu].node);

	return !strcmp(t->levels[level].name, "node") && node && !node->bytes;
}

static void add_shape(const struct picture *p, int k, int *cpus, int n, char **shape);

static void add_shape_of(const struct picture *p, int k, const struct part *part, char **shape)
{
	const int level = p->levels[k], first = part->cpus[0];

	alloc_append(shape, "", "(%d %d %llu ", p->t->levels[level].of[first] < 0,
		is_bare_node(p->t, level, first),
		(unsigned long long)cache_bytes(p->t, level, first));
	add_shape(p, k + 1, part->cpus, part->n, shape);
	alloc_append(shape, "", ")");
}

/* Adds what CPUs look like, without numbers. */
static void add_shape(const struct picture *p, int k, int *cpus, int n, char **shape)
{
	const struct topo *t = p->t;
	int nparts = 0;

	for (int i = 0; i < n && k == p->nlevels; i++) {
		const struct topo_cpu *c = &t->cpus[cpus[i]];

		alloc_append(shape, "", "%s%c%d",
			i && t->cpus[cpus[i - 1]].core == c->core ? "" : "|",
			is_drawn(c) ? 'c' : '.', c->kind);
	}
	if (k == p->nlevels)
		return;
	struct part *parts = split_by_places(p, p->levels[k], cpus, n, &nparts);

	for (int i = 0; i < nparts; i++)
		add_shape_of(p, k, &parts[i], shape);
	free_parts(parts, nparts);
}

static struct part *split_shaped(const struct picture *p, int k, int *cpus, int n, int *nparts)
{
	struct part *parts = split_by_places(p, p->levels[k], cpus, n, nparts);

	for (int i = 0; i < *nparts; i++)
		add_shape_of(p, k, &parts[i], &parts[i].shape);
	return parts;
}

/* How many parts from this one on are alike. */
static int alike(const struct part *parts, int nparts, int from)
{
	int n = 1;

	while (from + n < nparts && !strcmp(parts[from].shape, parts[from + n].shape))
		n++;
	return n;
}

/* The system's number of a CPU, or of its place: nodes may have any. */
static int number_of(const struct topo *t, const int *of, int cpu)
{
	return of ? of[cpu] : t->cpus[cpu].cpu;
}

static char *numbers_of(const struct topo *t, const int *of, const int *cpus, int n)
{
	char text[COLUMNS];
	int most = 0;

	for (int i = 0; i < n; i++)
		if (number_of(t, of, cpus[i]) > most)
			most = number_of(t, of, cpus[i]);
	bool *set = alloc_zeroed((size_t)most + 2, sizeof(*set));

	for (int i = 0; i < n; i++)
		set[number_of(t, of, cpus[i])] = true;
	char *numbers =
		alloc_format("%s", text_ranges(set, (size_t)most + 1, text, sizeof(text) / 2));

	free(set);
	return numbers;
}

/* "package 0 = L3 0" of one place or several. */
static char *title_of(const struct topo *t, int level, const int *cpus, int n)
{
	char *title = NULL, size[32];

	if (t->levels[level].of[cpus[0]] < 0) {
		const bool hidden = t->levels[level].cache &&
				    topo_cache_hidden(t, &t->cpus[cpus[0]], t->levels[level].cache);

		return alloc_format(hidden ? "%s not known" : "no %s", t->levels[level].name);
	}
	for (int i = level; i < t->nlevels; i++) {
		const struct topo_level *l = &t->levels[i];

		if ((i != level && l->same_as != level) || !strcmp(l->name, "LLC"))
			continue;
		char *numbers = numbers_of(t, l->of, cpus, n);

		alloc_append(&title, " = ", "%s %s", l->name, numbers);
		free(numbers);
		if (l->cache && topo_cache_sizes_differ(t, l->cache))
			alloc_append(&title, "", " of %s",
				text_size(cache_bytes(t, i, cpus[0]), size, sizeof(size)));
		if (is_bare_node(t, i, cpus[0]))
			alloc_append(&title, "", " without memory");
	}
	return title;
}

static int count_cores(const struct topo *t, const int *cpus, int n)
{
	int cores = 0;

	for (int i = 0; i < n; i++)
		cores += !i || t->cpus[cpus[i]].core != t->cpus[cpus[i - 1]].core;
	return cores;
}

/* A core that is drawn: its CPUs, and whether "..." follows. */
struct column {
	const int *cpus;
	int n;
	bool cut;
};

static bool is_like(const struct topo *t, const struct column *a, const struct column *b)
{
	return a->n == b->n && t->cpus[a->cpus[0]].kind == t->cpus[b->cpus[0]].kind;
}

/* Leaves `most` columns of each run of like ones. Returns how many are left. */
static int cut_runs(const struct topo *t, struct column *columns, int n, int most)
{
	int left = 0;

	for (int from = 0, to; from < n; from = to) {
		/* more of the first ones, from which one counts on */
		const int last = most / 3;

		for (to = from + 1; to < n && is_like(t, &columns[from], &columns[to]);)
			to++;
		for (int i = from; i < to; i++) {
			if (to - from > most && i >= from + most - last && i < to - last)
				continue;
			columns[left] = columns[i];
			columns[left++].cut = to - from > most && i == from + most - last - 1;
		}
	}
	return left;
}

#define CUT " ... "

static int width_of(const struct column *columns, int n, int digits)
{
	int width = 0;

	for (int i = 0; i < n; i++)
		width += digits + 2 + (columns[i].cut ? (int)strlen(CUT) : 0);
	return width;
}

static struct column *find_columns(const struct topo *t, const int *cpus, int n, int *count)
{
	struct column *columns = alloc_zeroed((size_t)n, sizeof(*columns));

	*count = 0;
	for (int i = 0; i < n; i++) {
		if (!i || t->cpus[cpus[i]].core != t->cpus[cpus[i - 1]].core)
			columns[(*count)++] = (struct column){&cpus[i], 0, false};
		columns[*count - 1].n++;
	}
	return columns;
}

/* As many columns of the cores as fit; *cut: they are not all. */
static struct column *fit_columns(
	const struct topo *t, const int *cpus, int n, int digits, int room, int *count, bool *cut)
{
	struct column *columns = find_columns(t, cpus, n, count);

	*cut = false;
	for (int most = *count; width_of(columns, *count, digits) > room && most > 1; most--) {
		free(columns);
		columns = find_columns(t, cpus, n, count);
		*count = cut_runs(t, columns, *count, most);
		*cut = true;
	}
	return columns;
}

static char *row_of(const struct topo *t, const struct column *columns, int n, int row, int digits)
{
	char *line = NULL;

	for (int i = 0; i < n; i++) {
		const struct topo_cpu *c =
			row < columns[i].n ? &t->cpus[columns[i].cpus[row]] : NULL;
		const char *b = c ? bracket(c->kind) : "  ";

		if (c && is_drawn(c))
			alloc_append(&line, "", "%c%*d%c", b[0], digits, c->cpu, b[1]);
		else
			alloc_append(&line, "", "%c%*s%c", b[0], digits, c ? "." : "", b[1]);
		alloc_append(&line, "", "%s", !columns[i].cut ? "" : c ? CUT : "     ");
	}
	return line;
}

struct box {
	char *title, **lines;
	int nlines, width; /* of the widest line */
};

static void add_line(struct box *b, char *line)
{
	b->lines = alloc_grow(b->lines, (size_t)b->nlines, sizeof(*b->lines));
	b->lines[b->nlines++] = line;
	if ((int)strlen(line) > b->width)
		b->width = (int)strlen(line);
}

/* Its edges and blanks beside the lines. */
#define EDGES 4

/* The title, cut to what a box may have, is in its upper edge. */
static void set_title(struct box *b, char *title, int room)
{
	if ((int)strlen(title) > room)
		title[room] = '\0';
	b->title = title;
	if ((int)strlen(title) > b->width)
		b->width = (int)strlen(title);
}

static struct box cores_box(const struct topo *t, char *title, const int *cpus, int n, int room)
{
	int digits = 1, count, rows = 0;
	struct box b = {0};
	bool cut;

	for (int i = 0; i < n; i++) {
		const int length = snprintf(NULL, 0, "%d", t->cpus[cpus[i]].cpu);

		digits = length > digits ? length : digits;
	}
	struct column *columns = fit_columns(t, cpus, n, digits, room, &count, &cut);

	for (int i = 0; i < count; i++)
		rows = columns[i].n > rows ? columns[i].n : rows;
	for (int row = 0; row < rows; row++) {
		char *line = row_of(t, columns, count, row, digits);

		if ((int)strlen(line) > room)
			line[room] = '\0';
		add_line(&b, line);
	}
	if (cut)
		alloc_append(&title, "", ": %d cores", count_cores(t, cpus, n));
	set_title(&b, title, room);
	free(columns);
	return b;
}

static struct box alike_box(const struct topo *t, char *title, const int *cpus, int n, int room)
{
	char *numbers = numbers_of(t, NULL, cpus, n);
	struct box b = {0};

	add_line(&b, alloc_format("CPUs %s", numbers));
	alloc_append(&title, "", " alike");
	set_title(&b, title, room);
	free(numbers);
	return b;
}

static void print_times(FILE *out, char c, int n)
{
	while (n-- > 0)
		fputc(c, out);
}

/* A line of boxes beside each other; 0 is their upper edge. Returns whether there was one. */
static bool print_boxes_line(FILE *out, const struct box *boxes, int n, int line, int indent)
{
	int blanks = indent;
	bool any = false;

	for (int i = 0; i < n; i++) {
		const struct box *b = &boxes[i];
		const char *text = !line ? b->title : line > b->nlines ? "" : b->lines[line - 1];

		if (line > b->nlines + 1) {
			blanks += b->width + EDGES + 1;
			continue;
		}
		const bool edge = !line || line > b->nlines;

		print_times(out, ' ', blanks);
		fprintf(out, edge ? "+-%s" : "| %s", text);
		print_times(out, edge ? '-' : ' ', b->width - (int)strlen(text));
		fputs(edge ? "-+" : " |", out);
		blanks = 1;
		any = true;
	}
	return any;
}

static int boxes_width(const struct box *boxes, int n)
{
	int width = -1;

	for (int i = 0; i < n; i++)
		width += boxes[i].width + EDGES + 1;
	return width;
}

/* As many beside each other as fit. */
static void print_boxes(FILE *out, const struct box *boxes, int n, int indent)
{
	for (int from = 0, to; from < n; from = to) {
		for (to = from + 1;
			to < n && boxes_width(boxes + from, to + 1 - from) <= COLUMNS - indent;)
			to++;
		for (int line = 0; print_boxes_line(out, boxes + from, to - from, line, indent);
			line++)
			fputc('\n', out);
	}
}

static void free_boxes(struct box *boxes, int n)
{
	for (int i = 0; i < n; i++) {
		for (int k = 0; k < boxes[i].nlines; k++)
			free(boxes[i].lines[k]);
		free(boxes[i].lines);
		free(boxes[i].title);
	}
	free(boxes);
}

/* all: each place has its box; else those between alike ones have one. */
static struct box *make_boxes(
	const struct picture *p, const struct part *parts, int nparts, int indent, bool all, int *n)
{
	const int level = p->levels[p->nlevels - 1], room = COLUMNS - indent - EDGES;
	struct box *boxes = NULL;

	*n = 0;
	for (int i = 0, end = 0; i < nparts; i++) {
		const struct part *one = &parts[i];
		int ncpus = one->n;
		bool between = false;

		if (i == end)
			end += alike(parts, nparts, i);
		else if (!all && end - i > 2)
			for (between = true; i < end - 2; i++)
				ncpus += parts[i + 1].n;
		char *title = title_of(p->t, level, one->cpus, ncpus);

		boxes = alloc_grow(boxes, (size_t)*n, sizeof(*boxes));
		boxes[(*n)++] = between ? alike_box(p->t, title, one->cpus, ncpus, room)
					: cores_box(p->t, title, one->cpus, ncpus, room);
	}
	return boxes;
}

static void draw_boxes(const struct picture *p, int *cpus, int n, int indent)
{
	int nparts, count;
	struct part *parts = split_shaped(p, p->nlevels - 1, cpus, n, &nparts);
	struct box *boxes = make_boxes(p, parts, nparts, indent, true, &count);

	if (boxes_width(boxes, count) > COLUMNS - indent) {
		free_boxes(boxes, count);
		boxes = make_boxes(p, parts, nparts, indent, false, &count);
	}
	print_boxes(p->out, boxes, count, indent);
	free_boxes(boxes, count);
	free_parts(parts, nparts);
}

static void print_heading(
	const struct picture *p, int level, const int *cpus, int n, bool several, int indent)
{
	char *numbers = numbers_of(p->t, NULL, cpus, n), *title = title_of(p->t, level, cpus, n);
	const int cores = count_cores(p->t, cpus, n);
	char *line = alloc_format("%s%s: %d core%s, CPUs %s ", title, several ? " alike" : "",
		cores, text_s((unsigned)cores), numbers);

	fprintf(p->out, "%*s%.*s", indent, "", COLUMNS - indent, line);
	print_times(p->out, '=', COLUMNS - indent - (int)strlen(line));
	fputc('\n', p->out);
	free(line);
	free(title);
	free(numbers);
}

static void draw(const struct picture *p, int k, int *cpus, int n, int indent)
{
	int nparts;

	if (k + 1 >= p->nlevels) {
		draw_boxes(p, cpus, n, indent);
		return;
	}
	struct part *parts = split_shaped(p, k, cpus, n, &nparts);

	for (int i = 0, end = 0; i < nparts; i++) {
		struct part *one = &parts[i];
		int ncpus = one->n;
		const bool between = i < end && end - i > 2;

		if (i == end)
			end += alike(parts, nparts, i);
		for (; between && i < end - 2; i++)
			ncpus += parts[i + 1].n;
		print_heading(p, p->levels[k], one->cpus, ncpus, between, indent);
		if (!between)
			draw(p, k + 1, one->cpus, one->n, indent + 2);
	}
	free_parts(parts, nparts);
}

/* The levels to draw; of a machine that has none that groups its CPUs the outermost. */
static void find_levels(struct picture *p)
{
	for (int i = 0; i < p->t->nlevels && p->nlevels < LEVELS; i++)
		if (topo_level_above_cores(p->t, i))
			p->levels[p->nlevels++] = i;
	if (!p->nlevels && p->t->nlevels)
		p->nlevels = 1;
}

static void print_legend(const struct picture *p)
{
	const struct topo *t = p->t;
	bool without = false, siblings = t->ncores < t->ncpus;

	for (int i = 0; i < t->ncpus; i++)
		without |= !is_drawn(&t->cpus[i]);
	if (t->nkinds)
		fputs("kinds of cores:", p->out);
	for (int i = 0; i < t->nkinds; i++)
		fprintf(p->out, " %c%s%c%s", bracket(i)[0], t->kinds[i].name, bracket(i)[1],
			i + 1 < t->nkinds ? "" : "\n");
	if (siblings)
		fprintf(p->out, "CPUs of a core below each other%s", without ? "; " : "\n");
	if (without)
		fputs(". may not be used\n", p->out);
}

void report_picture(const struct topo *t, FILE *out)
{
	struct picture p = {.t = t, .out = out};
	int *cpus = alloc_zeroed((size_t)t->ncpus + 1, sizeof(*cpus));

	for (int i = 0; i < t->ncpus; i++)
		cpus[i] = i;
	find_levels(&p);
	if (p.nlevels && t->ncpus) {
		draw(&p, 0, cpus, t->ncpus, 0);
		print_legend(&p);
	}
	free(cpus);
}
