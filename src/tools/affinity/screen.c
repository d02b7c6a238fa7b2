/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the figures of the first screen. Each stands in a table of a result; none is computed here.
 */
#include "affinity/screen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "document/arguments.h"
#include "document/figure.h"
#include "document/files.h"
#include "machine/machine.h"
#include "document/quality.h"
#include "findings/rates.h"

struct described_figure screen_figure_at(const struct document *d, size_t cell, const char *what)
{
	const struct document_figure f = document_cell(d, &d->tables[0], cell);

	return (struct described_figure){
		.what = what, .unit = d->tables[0].unit, .amount = f.amount, .mark = f.trust.word};
}

void screen_add(struct screen *s, struct described_figure f, char *row, char *column, char *of)
{
	f.row = row;
	f.column = column;
	f.of = of;
	f.experiment = s->experiment;
	if (!isfinite(f.amount.value)) {
		free(row);
		free(column);
		free(of);
		return;
	}
	s->figures = alloc_grow(s->figures, s->count, sizeof(*s->figures));
	s->figures[s->count++] = f;
}

char *screen_text(const char *of)
{
	return alloc_string(of, strlen(of));
}

/* "132 MiB": three digits tell what holds it. To be freed. */
static char *size_of(double bytes)
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
	size_t i = 0;

	for (; bytes >= 1000 && i < 4; i++)
		bytes /= 1024;
	return alloc_format("%.3g %s", bytes, units[i]);
}

/* "24 KiB of 48 KiB", half of the cache of the CPU that measured. What a machine shows is not what
 * the argument file says of it. */
static char *part_of_cache(
	const struct screen *s, const struct document *d, const struct document_run *r, int level)
{
	const struct topo_cpu *cpu = topo_cpu(s->topo, r->threads[0].cpu);
	const uint64_t all =
		cpu && !document_says_caches(d) ? topo_cache_bytes(s->topo, cpu, level) : 0;
	char *part = size_of((double)r->vectors[0].bytes), *whole = size_of((double)all);
	char *of = all ? alloc_format("%s of %s", part, whole)
		       : alloc_format("%s, half of the measured", part);

	free(part);
	free(whole);
	return of;
}

static void add_caches(struct screen *s, const struct document *d)
{
	const struct document_table *t = &d->tables[0];

	for (size_t i = 0; i < t->rows.count; i++) {
		const struct document_run *r = document_next_of_cell(d, t, i, NULL);
		const int level = atoi(t->rows.list[i] + 1); /* "L2" */

		if (r && level > 0 && level < TOPO_LEVELS)
			screen_add(s, screen_figure_at(d, i, SCREEN_LATENCY),
				screen_text(t->rows.list[i]), screen_text(""),
				part_of_cache(s, d, r, level));
	}
}

/* What holds the data of a run; "": it was ended before it measured. */
static const char *held_by(const struct document_run *r)
{
	return r->operations.count && r->operations.list[0].njobs
		       ? r->operations.list[0].jobs[0].held
		       : "";
}

/* "1 GiB, 4 times the caches", or what else holds it. */
static char *size_of_memory(const struct document_run *r)
{
	const char *held = held_by(r);
	char *size = size_of((double)r->vectors[0].bytes);
	char *of = *held && strcmp(held, "memory") != 0
			   ? alloc_format("%s: %s", size, held)
			   : alloc_format("%s, %.2g times the caches", size,
				     *held ? r->operations.list[0].jobs[0].times_caches : NAN);

	free(size);
	return of;
}

/* More nodes than this stand for their class. */
#define NODES_NAMED 4

/* How many nodes of a table are as far as this one; nearer: how many of them have less latency. */
static size_t count_class(const struct screen *s, const struct document *d, size_t cell, int from,
	size_t *nearer, bool *first)
{
	const struct document_texts *rows = &d->tables[0].rows;
	const uint64_t far = topo_distance(s->topo, from, atoi(rows->list[cell]));
	const double own = screen_figure_at(d, cell, "").amount.value;
	size_t all = 0;

	*nearer = 0;
	*first = true;
	for (size_t i = 0; i < rows->count; i++) {
		const double value = screen_figure_at(d, i, "").amount.value;

		if (topo_distance(s->topo, from, atoi(rows->list[i])) != far || !isfinite(value))
			continue;
		*first &= i >= cell;
		*nearer += value < own || (value == own && i < cell);
		all++;
	}
	return all;
}

/* Of one node, as the thread of the run sees it. To be freed. */
static char *name_of_memory(const struct document_run *r, int node)
{
	return node == r->threads[0].node ? alloc_format("own memory, node %d", node)
					  : alloc_format("memory of node %d", node);
}

/* The nodes one by one or, where they are many, the middle one of those at a distance. */
static void add_memory(struct screen *s, const struct document *d)
{
	const struct document_table *t = &d->tables[0];

	for (size_t i = 0; i < t->rows.count; i++) {
		const struct document_run *r = document_next_of_cell(d, t, i, NULL);
		size_t nearer;
		bool first;

		if (!r)
			continue;
		const int node = atoi(t->rows.list[i]), from = r->threads[0].node;
		const size_t n = count_class(s, d, i, from, &nearer, &first);
		const bool alone = t->rows.count <= NODES_NAMED || n == 1;

		if (!alone && nearer != (n - 1) / 2)
			continue;
		screen_add(s, screen_figure_at(d, i, SCREEN_LATENCY),
			alone ? name_of_memory(r, node)
			      : alloc_format("%zu nodes at distance %llu", n,
					(unsigned long long)topo_distance(s->topo, from, node)),
			screen_text(""),
			alone ? size_of_memory(r) : alloc_format("node %d, the middle one", node));
	}
}

/* Beside the latency of the same node, if that has a row of its own. */
static void add_memory_tail(struct screen *s, const struct document *d)
{
	const struct document_table *t = &d->tables[0];

	for (size_t i = 0; i < t->rows.count; i++) {
		const struct document_run *r = document_next_of_cell(d, t, i, NULL);

		if (r)
			screen_add(s, screen_figure_at(d, i, SCREEN_LATENCY),
				name_of_memory(r, atoi(r->vectors[0].asked_node)),
				screen_text(SCREEN_TAIL), screen_text(""));
	}
}

/* The last row that has a figure: a file that was cut may lack the rest. */
static size_t last_row(const struct document *d)
{
	const struct document_table *t = &d->tables[0];
	size_t cell = t->rows.count * t->columns.count;

	while (cell && !isfinite(screen_figure_at(d, cell - 1, SCREEN_BANDWIDTH).amount.value))
		cell--;
	return cell ? (cell - 1) / t->columns.count : 0;
}

/* A figure of a row above, with the same number of the other axis, that is not weak. */
static struct amount firm_at(const struct document *d, size_t row, size_t column)
{
	const struct described_figure f =
		screen_figure_at(d, row * d->tables[0].columns.count + column, SCREEN_BANDWIDTH);

	return f.mark == TRUST_WEAK ? AMOUNT_NONE : f.amount;
}

/* The fewest threads that reach nearly as much as those of a row, whatever their intervals hold; 0:
 * none do. */
static long threads_enough(const struct document *d, size_t row, size_t column)
{
	const struct amount all = firm_at(d, row, column);

	for (size_t i = 0; i < row; i++)
		if (firm_at(d, i, column).low >= SUFFICIENT * all.high)
			return atol(d->tables[0].rows.list[i]);
	return 0;
}

/* Where fewer threads reach more than those of a row: how much. */
static char *more_with_fewer(const struct document *d, size_t row, size_t column)
{
	const struct document_texts *threads = &d->tables[0].rows;
	struct amount most = firm_at(d, row, column);
	size_t at = row;

	for (size_t i = 0; i < row; i++)
		if (firm_at(d, i, column).low > most.high) {
			most = firm_at(d, i, column);
			at = i;
		}
	return at == row ? screen_text("")
			 : alloc_format("%s thread%s: %.3g +- %.1g", threads->list[at],
				   strcmp(threads->list[at], "1") ? "s" : "", most.value,
				   (most.high - most.low) / 2);
}

/* The same of a cell, where that is not memory alone. To be freed. */
static char *held_of(const struct document *d, size_t cell)
{
	const struct document_run *r = document_next_of_cell(d, &d->tables[0], cell, NULL);
	const char *held = r ? held_by(r) : "";

	return screen_text(strcmp(held, "memory") ? held : "");
}

/* The row of a table of bandwidths by threads: who they are is `who` with their number, or NULL:
 * their number alone. */
static void add_rates(struct screen *s, const struct document *d, size_t row, const char *who)
{
	const struct document_table *t = &d->tables[0];
	const char *n = t->rows.list[row];

	for (size_t k = 0; k < t->columns.count; k++) {
		const size_t cell = row * t->columns.count + k;
		struct described_figure f = screen_figure_at(d, cell, SCREEN_BANDWIDTH);
		char *column, *of = who ? more_with_fewer(d, row, k) : screen_text("");

		if (!*of) {
			free(of);
			of = held_of(d, cell);
		}
		f.enough = who ? threads_enough(d, row, k) : 0;
		column = who ? alloc_format("%s: %s", who, n)
			     : alloc_format("%s thread%s", n, strcmp(n, "1") ? "s" : "");
		screen_add(s, f, screen_text(t->columns.list[k]), column, of);
	}
}

static void add_thread(struct screen *s, const struct document *d)
{
	add_rates(s, d, 0, NULL);
}

static void add_node(struct screen *s, const struct document *d)
{
	const size_t last = last_row(d);

	if (last)
		add_rates(s, d, last, "one node");
}

static void add_cache(struct screen *s, const struct document *d)
{
	char who[32];

	snprintf(who, sizeof(who), "one L%d", topo_last_level(s->topo));
	add_rates(s, d, last_row(d), who);
}

static void add_all(struct screen *s, const struct document *d)
{
	add_rates(s, d, last_row(d), "all");
}

static void add_cores(struct screen *s, const struct document *d)
{
	screen_add_pairs(s, d, SCREEN_LINES);
}

static void add_cores_tail(struct screen *s, const struct document *d)
{
	screen_add_pairs(s, d, SCREEN_TRIPS);
}

static void add_siblings(struct screen *s, const struct document *d)
{
	const struct document_table *t = &d->tables[0];

	for (size_t i = 0; i < t->rows.count; i++)
		screen_add(s, screen_figure_at(d, i, SCREEN_SIBLINGS),
			screen_text("takes times as long"), screen_text(t->rows.list[i]),
			screen_text(""));
}

static void add_pages(struct screen *s, const struct document *d)
{
	const struct document_table *t = &d->tables[0];

	for (size_t i = 0; i < t->rows.count; i++) {
		const struct document_run *r = document_next_of_cell(d, t, i, NULL);

		if (r)
			screen_add(s, screen_figure_at(d, i, SCREEN_PAGES), screen_text("on pages"),
				screen_text(t->rows.list[i]), size_of_memory(r));
	}
}

/* ---- all */

/* In the order of the screen; the names are those of the files, without what sorts them. */
static const struct {
	const char *name;
	void (*add)(struct screen *s, const struct document *d);
} parts[] = {{"latency", add_caches}, {"memory", add_memory}, {"tail_memory", add_memory_tail},
	{"bandwidth", add_thread}, {"cache", add_cache}, {"bandwidth", add_node}, {"all", add_all},
	{"matrix", screen_add_matrix}, {"cores", add_cores}, {"tail_cores", add_cores_tail},
	{"siblings", add_siblings}, {"pages", add_pages}};

/* What the following figures are measured in full by. */
static void take_experiment(struct screen *s, const struct document *d)
{
	char *full = document_full(d);
	size_t i = 0;

	while (full && i < s->experiments.count && strcmp(s->experiments.word[i], full) != 0)
		i++;
	if (full && i == s->experiments.count)
		words_add(&s->experiments, full, strlen(full));
	s->experiment = full ? s->experiments.word[i] : "";
	free(full);
}

/* Of one node the bandwidth is that of its threads, which the screen has. */
static bool is_one_cell(const struct document *d)
{
	return d->tables[0].rows.count * d->tables[0].columns.count < 2;
}

const char *screen_after_number(const char *name)
{
	const char *end = strchr(name, '_');

	return end ? end + 1 : name;
}

static void add_part(struct screen *s, size_t part)
{
	for (size_t i = 0; i < s->ndocuments; i++) {
		const struct document *d = &s->documents[i];
		const char *name = s->names[i];

		if (!d->ntables || !d->tables[0].rows.count ||
			strcmp(screen_after_number(name), parts[part].name) != 0 ||
			(parts[part].add == screen_add_matrix && is_one_cell(d)))
			continue;
		take_experiment(s, d);
		parts[part].add(s, d);
	}
}

/* The worst conditions of all, and all figures. */
static struct quality quality_of_all(const struct screen *s)
{
	struct quality all = document_quality_begin(&s->documents[0]);

	all.interrupted = false; /* that is told apart */
	for (size_t i = 0; i < s->ndocuments; i++) {
		const struct document *d = &s->documents[i];
		const struct quality own = document_quality_begin(d);

		all.others = fmax(all.others, own.others);
		all.steal = fmax(all.steal, own.steal);
		all.throttled |= own.throttled;
		all.quick |= own.quick;
		for (size_t k = 0; k < d->nruns; k++)
			if (!d->runs[k].skipped)
				document_quality_add(&all, &d->runs[k], NULL);
	}
	quality_judge(&all);
	return all;
}

static char *name_of(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	return alloc_string(name, strlen(name) - strlen(".json"));
}

/* Was it measured with the file of this name of args/first? The folder may have other results. */
static bool is_of_first(const struct document *d, const char *name)
{
	char *file = alloc_format("/args/first/%s.args", name);
	char *path = alloc_format("/%s", d->arguments.path ? d->arguments.path : "");
	const size_t length = strlen(path), end = strlen(file);
	const bool is = length >= end && !strcmp(path + length - end, file);

	free(file);
	free(path);
	return is;
}

/* Sizes, names and places are those of the machine at hand, or described. */
static int check_machine(const struct screen *s, const struct environment *here, struct document *d,
	struct errors *e)
{
	const char *host = document_fact(d, "host"), *first = document_fact(s->documents, "host");

	if (document_check_machine(s->topo, here, d, !document_says_caches(d), e))
		return -1;
	if (!strcmp(host, first))
		return 0;
	error_add(e, STATUS_USAGE, (struct place){d->path, 0},
		"was measured on '%s', others of its folder on '%s'", host, first);
	return error_hint(e, "a screen is of one machine; each has a folder of its own");
}

static int read_document(
	struct screen *s, const char *path, const struct environment *here, struct errors *e)
{
	struct document *d = &s->documents[s->ndocuments];
	char *name = name_of(path);
	int failed = document_read(d, path, e);
	const bool other = failed || !is_of_first(d, name);

	failed = other ? failed : check_machine(s, here, d, e);
	if (other || failed) {
		document_free(d);
		*d = (struct document){0};
		free(name);
		return failed;
	}
	s->names[s->ndocuments++] = name;
	s->seconds += d->elapsed_s;
	s->cut += d->interrupted;
	return 0;
}

int screen_read(struct screen *s, const char *folder, const struct topo *t, struct errors *e)
{
	struct words files = {0};
	struct environment here = {0};
	int failed = document_folder(&files, folder, e);

	*s = (struct screen){.topo = t};
	s->documents = alloc_zeroed(files.count + 1, sizeof(*s->documents));
	s->names = alloc_zeroed(files.count + 1, sizeof(*s->names));
	environment_read(&here, t);
	for (size_t i = 0; i < files.count && !failed; i++)
		failed = read_document(s, files.word[i], &here, e);
	environment_free(&here);
	if (!failed && !files.count) {
		failed =
			error_add(e, STATUS_USAGE, NOWHERE, "there are no results in '%s'", folder);
		error_hint(e, "affinity first measures them");
	}
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts) && !failed; i++)
		add_part(s, i);
	if (!failed && !s->count) {
		failed = error_add(
			e, STATUS_USAGE, NOWHERE, "'%s' has no results of args/first", folder);
		error_hint(
			e, "affinity first measures them; scripts/report makes a page of others");
	}
	if (!failed)
		s->quality = quality_of_all(s);
	words_free(&files);
	return failed;
}

void screen_free(struct screen *s)
{
	for (size_t i = 0; i < s->ndocuments; i++) {
		document_free(&s->documents[i]);
		free(s->names[i]);
	}
	for (size_t i = 0; i < s->count; i++) {
		free(s->figures[i].row);
		free(s->figures[i].column);
		free(s->figures[i].of);
	}
	free(s->documents);
	free(s->names);
	free(s->figures);
	words_free(&s->experiments);
}
