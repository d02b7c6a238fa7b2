/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Extracts node-to-node latency and bandwidth from a result document. */
#include "document/node_figures.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "input/registry.h"
#include "plan/memory.h"
#include "base/text.h"

/* Returns whether the kernel measures an attribute, and which. */
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

struct pair {
	int initiator, target;
};

static double number(const json_t *o, const char *key)
{
	const json_t *value = json_object_get(o, key);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

static int integer(const json_t *o, const char *key)
{
	return (int)json_integer_value(json_object_get(o, key));
}

/* The node of all threads; -1: of several, or of threads that have no place. */
static int node_of_threads(const json_t *run)
{
	const json_t *thread;
	size_t i;
	int node = -1;

	json_array_foreach (json_object_get(run, "threads"), i, thread) {
		if (!json_is_integer(json_object_get(thread, "node")) ||
			(i && integer(thread, "node") != node))
			return -1;
		node = integer(thread, "node");
	}
	return node;
}

/* The node that all vectors were asked for; -1: several, or none in particular, or lines that were
 * put in a state first: what comes from caches is not what the node has. */
static int node_of_vectors(const json_t *run)
{
	const json_t *vector;
	size_t i;
	uint64_t node, first = 0;

	json_array_foreach (json_object_get(run, "vectors"), i, vector) {
		const char *asked = json_string_value(json_object_get(vector, "asked_node"));

		if (!asked || text_count(asked, &node) || (i && node != first) ||
			node > INT32_MAX || json_object_get(vector, "state"))
			return -1;
		first = node;
	}
	return i ? (int)first : -1;
}

/* Every page on the node, before and after. */
static bool stayed(const json_t *run, int node)
{
	const json_t *vector;
	size_t i;

	json_array_foreach (json_object_get(run, "vectors"), i, vector) {
		json_t *found = json_object_get(vector, "found");
		json_t *on = json_object_get(found, "pages_on_node");
		char name[16];

		snprintf(name, sizeof(name), "%d", node);
		if (json_object_size(on) != 1 || !json_object_get(on, name) ||
			integer(found, "pages_absent") || integer(found, "pages_moved_during_run"))
			return false;
	}
	return true;
}

/* The kernel of all threads; NULL: several. */
static const char *kernel_of(const json_t *threads)
{
	const char *name = NULL;
	const json_t *thread;
	size_t i;

	json_array_foreach (threads, i, thread) {
		const char *own = json_string_value(json_object_get(thread, "kernel"));

		if (!own || (name && strcmp(name, own)))
			return NULL;
		name = own;
	}
	return name;
}

/* Did memory serve all threads, all the time? */
static bool from_memory(const json_t *threads)
{
	const json_t *thread;
	size_t i;

	json_array_foreach (threads, i, thread) {
		if (!(number(thread, "times_caches") >= PLAN_FROM_MEMORY) ||
			!json_is_false(json_object_get(thread, "shares_lines")) ||
			number(thread, "sleep_s") > 0)
			return false;
	}
	return true;
}

static void add(struct node_figures *m, const struct pair *p, enum memattr attribute, double value)
{
	if (!(value > 0) || !isfinite(value))
		return;
	m->figures = alloc_grow(m->figures, m->count, sizeof(*m->figures));
	m->figures[m->count++] = (struct topo_memattr){attribute, p->initiator, p->target, value};
}

/* Of a thread alone, one load at a time. */
static double latency(const json_t *threads)
{
	const json_t *thread = json_array_get(threads, 0);

	if (json_array_size(threads) != 1 || !json_is_true(json_object_get(thread, "latency")))
		return NAN;
	return number(json_object_get(thread, "figures"), "ns_per_unit");
}

/* Of all threads together. */
static double bandwidth(const json_t *operation)
{
	const json_t *together = json_object_get(operation, "together");

	return number(json_object_get(together, "bytes_per_s"), "value");
}

static void read_operation(struct node_figures *m, const struct pair *p, const json_t *operation)
{
	const json_t *threads = json_object_get(operation, "threads");
	const char *kernel = kernel_of(threads);
	enum memattr attribute;

	if (!kernel || !measures(kernel, &attribute))
		return;
	if (!from_memory(threads))
		m->left_out++;
	else
		add(m, p, attribute,
			attribute == MEMATTR_READ_LATENCY ? latency(threads)
							  : bandwidth(operation));
}

static bool moved(const json_t *run)
{
	const json_t *operation;
	size_t i;

	json_array_foreach (json_object_get(run, "kernels"), i, operation)
		if (integer(json_object_get(operation, "samples"), "moved"))
			return true;
	return false;
}

static int read_run(
	struct node_figures *m, const json_t *run, size_t index, const char *path, struct errors *e)
{
	const json_t *operation;
	size_t i, before = m->count;
	struct pair p = {node_of_threads(run), node_of_vectors(run)};

	if (p.initiator < 0 || p.target < 0)
		return 0;
	json_array_foreach (json_object_get(run, "kernels"), i, operation)
		read_operation(m, &p, operation);
	if (m->count == before || (stayed(run, p.target) && !moved(run)))
		return 0;
	error_add(e, STATUS_USAGE, (struct place){path, 0},
		"run %zu: its pages or threads were not where they were asked to be all along",
		index + 1);
	return error_hint(e, "measure again with verify: strict, which refuses such runs");
}

int node_figures_read(struct node_figures *m, const char *path, struct errors *e)
{
	json_t *document = json_load_file(path, 0, NULL);
	const json_t *run;
	size_t i;
	int failed = 0;

	json_array_foreach (json_object_get(document, "runs"), i, run)
		failed |= read_run(m, run, i, path, e);
	json_decref(document);
	return failed;
}

void node_figures_free(struct node_figures *m)
{
	free(m->figures);
	*m = (struct node_figures){0};
}
