/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the conditions of a measurement. */
#include "compare/conditions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "document/arguments.h"
#include "document/programs.h"
#include "input/param.h"
#include "input/request.h"

/* The vector, job or other part that facts belong to, and the prefix of their names: "vector 0 of
 * d=1: ". */
struct subject {
	struct conditions *conditions;
	char *name; /* freed by the function that creates it */
};

static struct subject subject(
	struct conditions *c, const char *what, size_t number, const struct document_run *r)
{
	return (struct subject){
		c, alloc_format("%s %zu%s%s: ", what, number, *r->label ? " of " : "", r->label)};
}

/* Adds a fact. Takes ownership of the value. */
static void add_fact(const struct subject *s, const char *key, bool work, char *value)
{
	struct conditions *c = s->conditions;

	c->list = alloc_grow(c->list, c->count, sizeof(*c->list));
	c->list[c->count++] =
		(struct condition_fact){alloc_format("%s%s", s->name, key), value, work, false};
}

static void add_text(const struct subject *s, const char *key, bool work, const char *text)
{
	add_fact(s, key, work, text ? alloc_format("\"%s\"", text) : alloc_format("none"));
}

static void add_number(const struct subject *s, const char *key, bool work, double number)
{
	add_fact(
		s, key, work, isnan(number) ? alloc_format("none") : alloc_format("%.12g", number));
}

static void add_method(struct conditions *c, const struct document_method *m)
{
	const struct subject s = {c, "method: "};

	add_text(&s, "mode", true, m->mode);
	add_number(&s, "window_s", true, m->window_s);
	add_text(&s, "statistic", true, m->statistic);
	add_text(&s, "summary", true, m->summary);
	add_number(&s, "confidence", false, m->confidence);
	add_number(&s, "iterations", false, (double)m->iterations);
	if (m->settled)
		add_text(&s, "warmup", false, "settled");
	else
		add_number(&s, "warmup", false, (double)m->warmup);
	add_number(&s, "placements", false, (double)m->placements);
	add_text(&s, "interleave", false, m->interleave ? "yes" : "no");
}

/* What verify: warn lets pass. */
static void add_misplaced(const struct subject *s, const struct document_vector *v)
{
	int64_t elsewhere = 0;

	for (size_t i = 0; v->only_node >= 0 && i < v->npages; i++)
		elsewhere += v->pages[i].node == v->only_node ? 0 : v->pages[i].pages;
	add_number(s, "pages on other nodes", false, (double)elsewhere);
}

static void add_vector(const struct subject *s, const struct document_vector *v)
{
	add_number(s, "bytes", true, (double)v->bytes);
	add_text(s, "type", true, v->type);
	add_text(s, "asked_node", false, v->asked_node);
	add_text(s, "asked_pages", false, v->asked_pages);
	add_text(s, "init", false, v->init);
	add_text(s, "backing", false, v->backing ? v->backing : "anonymous");
	if (v->cache)
		add_text(s, "cache", false, v->cache);
	add_misplaced(s, v);
}

static void add_thread(const struct subject *s, const struct document_thread *t)
{
	char *vectors = alloc_string("", 0);

	add_number(s, "cpu", false, t->cpu < 0 ? NAN : t->cpu);
	for (size_t i = 0; i < t->nvectors; i++)
		alloc_append(&vectors, " ", "%zu", t->vectors[i]);
	add_fact(s, "vectors", true, vectors);
}

static void add_job(const struct subject *s, const struct document_job *j)
{
	add_text(s, "kernel", true, j->kernel);
	add_text(s, "unit", true, j->unit);
	/* a cost is that of one round then, however many a sample has */
	add_number(s, "passes", true, j->calibrated ? 1 : j->passes);
	add_number(s, "sleep_s", true, j->sleep_s);
	add_text(s, "chose", false, j->chose);
	if (*j->loop)
		add_text(s, "loop", false, j->loop);
}

static void add_operation(
	struct conditions *c, const struct document_run *r, const struct document_operation *o)
{
	char *what = alloc_format("%s, thread", o->name);

	for (size_t i = 0; i < o->njobs; i++) {
		struct subject s = subject(c, what, i, r);

		add_job(&s, &o->jobs[i]);
		free(s.name);
	}
	free(what);
}

static void add_run(struct conditions *c, const struct document_run *r)
{
	struct subject s = {c, alloc_format("run%s%s: ", *r->label ? " " : "", r->label)};

	add_number(&s, "threads", true, (double)r->nthreads);
	free(s.name);
	for (size_t i = 0; i < r->nvectors; i++) {
		s = subject(c, "vector", i, r);
		add_vector(&s, &r->vectors[i]);
		free(s.name);
	}
	for (size_t i = 0; i < r->nthreads; i++) {
		s = subject(c, "thread", i, r);
		add_thread(&s, &r->threads[i]);
		free(s.name);
	}
	for (size_t i = 0; i < r->operations.count; i++)
		add_operation(c, r, &r->operations.list[i]);
}

static struct condition_fact *argument_of(struct conditions *c, const char *name)
{
	for (size_t i = 0; i < c->count; i++)
		if (!strcmp(c->list[i].name, name))
			return &c->list[i];
	return NULL;
}

/* Adds an entry of the argument file, or of --set, which replaces those before but for lines and
 * names, which it adds. Keys of the file say where and how often; their effect on the work is in
 * the facts of vectors and jobs. Only parameters of kernels appear nowhere else. */
static void add_argument(struct conditions *c, const char *key, const char *value, bool replaces)
{
	const struct param *known = param_find(request_keys, key);
	char *name = alloc_format("argument %s", known ? known->name : key);
	struct condition_fact *f = argument_of(c, name);
	const bool adds = known && (known->type == PARAM_LINES || known->flags & PARAM_ADDS);

	if (f) {
		char *before = f->value;

		f->value = replaces && !adds ? alloc_string(value, strlen(value))
					     : alloc_format("%s; %s", before, value);
		free(before);
		free(name);
		return;
	}
	c->list = alloc_grow(c->list, c->count, sizeof(*c->list));
	c->list[c->count++] = (struct condition_fact){name, alloc_string(value, strlen(value)),
		!known || !strcmp(known->name, "params"), true};
}

static void add_arguments(struct conditions *c, const struct document *d)
{
	struct args a = {0};
	struct errors none = {0}; /* a bad line was named when it was measured */

	document_arguments(&a, d, &none);
	for (size_t i = 0; i < a.count; i++)
		add_argument(c, a.entries[i].key, a.entries[i].value, i >= a.from_file);
	args_free(&a);
	errors_free(&none);
}

/* Which file a program is says what changed; its arguments say what it does. */
static void add_programs(struct conditions *c, const struct document *d)
{
	for (size_t i = 0; i < d->nprograms; i++) {
		const struct document_texts *command = &d->programs[i].command;
		struct subject s = {c, alloc_format("program %zu: ", i)};
		char *words = alloc_string("", 0);

		for (size_t k = 1; k < command->count; k++)
			alloc_append(&words, " ", "'%s'", command->list[k]);
		add_text(&s, "file", false, d->programs[i].file);
		add_fact(&s, "arguments", true, words);
		free(s.name);
	}
	const struct subject figure = {c, "figure: "};

	if (d->nprograms) {
		add_text(&figure, "regular expression", true, d->figure);
		add_text(&figure, "unit", true, d->figure_unit);
		add_text(&figure, "better", true, d->larger ? "larger" : "smaller");
	}
}

/* Facts of the same name in the order of the list. */
static int by_name(const void *a, const void *b)
{
	const struct condition_fact *x = *(const struct condition_fact *const *)a,
				    *y = *(const struct condition_fact *const *)b;
	int by = strcmp(x->name, y->name);

	return by ? by : (x > y) - (x < y);
}

static void sort(struct conditions *c)
{
	c->sorted = alloc_zeroed(c->count + 1, sizeof(*c->sorted));
	for (size_t i = 0; i < c->count; i++)
		c->sorted[i] = &c->list[i];
	qsort(c->sorted, c->count, sizeof(*c->sorted), by_name);
}

void conditions_read(struct conditions *c, const struct document *d)
{
	*c = (struct conditions){0};
	add_arguments(c, d);
	add_programs(c, d);
	add_method(c, &d->method);
	for (size_t i = 0; i < d->nruns; i++)
		add_run(c, &d->runs[i]);
	sort(c);
}

const struct condition_fact *conditions_find(
	const struct conditions *c, const char *name, size_t near)
{
	if (near < c->count && !strcmp(c->list[near].name, name))
		return &c->list[near];

	size_t low = 0, high = c->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(c->sorted[middle]->name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < c->count && !strcmp(c->sorted[low]->name, name) ? c->sorted[low] : NULL;
}

bool condition_is_chosen(const struct condition_fact *f)
{
	size_t length = strlen(f->name);

	return length > 7 && !strcmp(f->name + length - 7, ": chose");
}

void conditions_free(struct conditions *c)
{
	for (size_t i = 0; i < c->count; i++) {
		free(c->list[i].name);
		free(c->list[i].value);
	}
	free(c->list);
	free(c->sorted);
	*c = (struct conditions){0};
}
