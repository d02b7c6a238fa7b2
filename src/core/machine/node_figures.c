/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Extracts node-to-node latency and bandwidth from a result document. */
#include "machine/node_figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/derive.h"
#include "base/alloc.h"
#include "base/text.h"
#include "input/registry.h"
#include "plan/memory.h"

struct pair {
	int initiator, target;
};

/* The attribute that a kernel measures. False: it measures none. */
static bool measures(const char *kernel, enum memattr *attribute)
{
	static const enum memattr attributes[] = {
		[ATTRIBUTE_READ_LATENCY] = MEMATTR_READ_LATENCY,
		[ATTRIBUTE_READ_BANDWIDTH] = MEMATTR_READ_BANDWIDTH,
		[ATTRIBUTE_WRITE_BANDWIDTH] = MEMATTR_WRITE_BANDWIDTH,
	};
	const struct kernel *k = registry_find(kernel);

	if (!k || k->measures == ATTRIBUTE_NONE)
		return false;
	*attribute = attributes[k->measures];
	return true;
}

/* The node of all threads; -1: they are on several nodes or not bound. */
static int node_of_threads(const struct document_run *r)
{
	for (size_t i = 0; i < r->nthreads; i++)
		if (r->threads[i].node != r->threads[0].node)
			return -1;
	return r->nthreads ? r->threads[0].node : -1;
}

/* The node that the file requests for all vectors; -1: several nodes or none, or the file requests
 * a state of lines: then caches serve the lines, not the node. */
static int node_of_vectors(const struct document_run *r)
{
	uint64_t node, first = 0;

	for (size_t i = 0; i < r->nvectors; i++) {
		const struct document_vector *v = &r->vectors[i];

		if (!v->asked_node || text_count(v->asked_node, &node) || (i && node != first) ||
			node > INT32_MAX || v->has_state)
			return -1;
		first = node;
	}
	return r->nvectors ? (int)first : -1;
}

/* Was every page on the node, before and after the measurement? */
static bool stayed(const struct document_run *r, int node)
{
	for (size_t i = 0; i < r->nvectors; i++) {
		const struct document_vector *v = &r->vectors[i];

		if (v->npages != 1 || v->pages[0].node != node || v->pages_absent || v->pages_moved)
			return false;
	}
	return true;
}

/* The kernel of all threads; NULL: several. */
static const char *kernel_of(const struct document_operation *o)
{
	for (size_t i = 0; i < o->njobs; i++)
		if (strcmp(o->jobs[i].kernel, o->jobs[0].kernel))
			return NULL;
	return o->njobs ? o->jobs[0].kernel : NULL;
}

/* Did memory serve all threads, all the time? */
static bool from_memory(const struct document_operation *o)
{
	for (size_t i = 0; i < o->njobs; i++) {
		const struct document_job *j = &o->jobs[i];

		if (!(j->times_caches >= PLAN_FROM_MEMORY) || j->shares_lines || j->sleep_s > 0)
			return false;
	}
	return true;
}

static void add_node_figure(struct node_figures *m, const struct pair *p, enum memattr attribute,
	const struct document_figure *found)
{
	const double value = found->amount.value;

	if (!(value > 0) || !isfinite(value))
		return;
	m->again[attribute] += found->trust.of.again;
	if (found->trust.of.again && !m->force)
		return;
	m->figures = alloc_grow(m->figures, m->count, sizeof(*m->figures));
	m->found = alloc_grow(m->found, m->count, sizeof(*m->found));
	m->found[m->count] = *found;
	m->figures[m->count++] = (struct topo_memattr){attribute, p->initiator, p->target, value};
}

/* The latency of a thread that runs alone with one load at a time, or the bandwidth of all. */
static struct document_figure figure_of(
	const struct document_run *r, const struct document_operation *o, enum memattr attribute)
{
	static const struct document_figure none = {{NAN, NAN, NAN}, {.interval = NAN}};

	if (attribute != MEMATTR_READ_LATENCY)
		return document_figure(r, o, ALL_THREADS, DOCUMENT_BYTES_PER_S);
	return o->njobs == 1 && o->jobs[0].latency ? document_figure(r, o, 0, DOCUMENT_NS_PER_UNIT)
						   : none;
}

static void add_operation(struct node_figures *m, const struct pair *p,
	const struct document_run *r, const struct document_operation *o)
{
	const char *kernel = kernel_of(o);
	enum memattr attribute;

	if (!kernel || !measures(kernel, &attribute))
		return;
	if (!from_memory(o)) {
		m->left_out++;
		return;
	}
	const struct document_figure found = figure_of(r, o, attribute);

	add_node_figure(m, p, attribute, &found);
}

static bool threads_moved(const struct document_run *r)
{
	for (size_t i = 0; i < r->operations.count; i++)
		if (r->operations.list[i].samples.moved)
			return true;
	return false;
}

static size_t count_all(const struct node_figures *m)
{
	size_t all = m->count;

	for (int a = 0; a < MEMATTRS; a++)
		all += m->again[a];
	return all;
}

static int add_run(struct node_figures *m, const struct document *d, size_t index, struct errors *e)
{
	const struct document_run *r = &d->runs[index];
	struct pair p = {node_of_threads(r), node_of_vectors(r)};
	size_t before = count_all(m);

	if (p.initiator < 0 || p.target < 0)
		return 0;
	for (size_t i = 0; i < r->operations.count; i++)
		add_operation(m, &p, r, &r->operations.list[i]);
	if (count_all(m) == before || (stayed(r, p.target) && !threads_moved(r)))
		return 0;
	error_add(e, STATUS_USAGE, (struct place){d->path, 0},
		"run %zu: its pages or threads left the places that the file asks for", index + 1);
	return error_hint(e, "measure again with verify: strict, which refuses such runs");
}

int node_figures_add(struct node_figures *m, const struct document *d, struct errors *e)
{
	int failed = 0;

	for (size_t i = 0; i < d->nruns; i++)
		if (add_run(m, d, i, e))
			failed = -1;
	return failed;
}

static bool is_of_pair(const struct topo_memattr *a, const struct topo_memattr *b)
{
	return a->attribute == b->attribute && a->initiator == b->initiator &&
	       a->target == b->target;
}

static bool is_better(const struct topo_memattr *a, const struct topo_memattr *b)
{
	return a->attribute == MEMATTR_READ_LATENCY ? a->value < b->value : a->value > b->value;
}

size_t node_figures_best(const struct node_figures *m, struct topo_memattr *best)
{
	size_t count = 0;

	for (size_t i = 0; i < m->count; i++) {
		const struct topo_memattr *f = &m->figures[i];
		size_t k = 0;

		while (k < count && !is_of_pair(&best[k], f))
			k++;
		if (k == count || is_better(f, &best[k]))
			best[k] = *f;
		count += k == count;
	}
	return count;
}

const struct trust *node_figures_trust(
	const struct node_figures *m, const struct topo_memattr *best)
{
	size_t i = 0;

	while (!is_of_pair(&m->figures[i], best) || m->figures[i].value != best->value)
		i++;
	return &m->found[i].trust;
}

void node_figures_free(struct node_figures *m)
{
	free(m->figures);
	free(m->found);
	*m = (struct node_figures){0};
}
