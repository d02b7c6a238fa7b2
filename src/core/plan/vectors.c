/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where each vector lies, of what elements and pages. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/list.h"
#include "input/synonyms.h"
#include "input/tiers.h"
#include "memory/capacity.h"
#include "plan/parts.h"

/* The topology of another machine may have node numbers that this Linux does not allow. */
static bool holds_vectors(const struct topo_node *n)
{
	return n->bytes && n->allowed && n->node < MEM_MAX_NODES;
}

int plan_usable_node(
	const struct plan *p, int node, const char *key, struct place at, struct errors *e)
{
	const struct topo_node *n = topo_node(p->topo, node);
	char usable[256];

	if (n && holds_vectors(n))
		return 0;
	error_add(e, STATUS_PLACEMENT, at, "%s: node %d %s", key, node,
		!n           ? "does not exist"
		: !n->bytes  ? "has no memory"
		: n->allowed ? "has a number that Linux does not know"
			     : "may not be used by this process (cpuset)");
	return error_hint(e, "nodes that can hold vectors here: %s",
		topo_usable_memory_nodes(p->topo, usable, sizeof(usable)));
}

static int add_node(struct plan *p, struct plan_vector *v, const struct names *names,
	const char *text, struct place at, struct errors *e)
{
	static const char key[] = "nodePerVector";
	int node = names_node(names, text, key, at, e);

	if (node == NAMES_FAILED || plan_usable_node(p, node, key, at, e))
		return -1;
	v->nodes[node] = true;
	v->node = node;
	return 0;
}

static uint64_t memory_left(void)
{
	return capacity_left(-1).bytes;
}

/* All nodes that can hold vectors, but not a GPU's. */
void plan_memory(struct plan *p)
{
	int n = 0;

	p->memory_nodes = alloc_zeroed((size_t)p->topo->nnodes + 1, sizeof(*p->memory_nodes));
	for (int i = 0; i < p->topo->nnodes; i++)
		if (holds_vectors(&p->topo->nodes[i]) && topo_is_target(&p->topo->nodes[i]))
			p->memory_nodes[n++] = p->topo->nodes[i].node;
	p->memory = (struct machine_memory){p->memory_nodes, n, memory_left};
}

/* interleave without a list. */
static void add_all_nodes(const struct plan *p, struct plan_vector *v)
{
	for (int i = 0; i < p->memory.nnodes; i++)
		v->nodes[p->memory.nodes[i]] = true;
}

/* interleave:kind(K), bind:kind(K),0: all nodes of that kind of memory. */
static void add_kind(const struct plan *p, struct plan_vector *v)
{
	const char *kind = topo_node(p->topo, v->node)->memory;

	for (int i = 0; i < p->topo->nnodes; i++)
		if (holds_vectors(&p->topo->nodes[i]) && topo_has_memory(&p->topo->nodes[i], kind))
			v->nodes[p->topo->nodes[i].node] = true;
}

/* Each node once, because its pages are counted. After add_node(). */
static int add_weight(
	struct plan_vector *v, const struct value_nodes *asked, size_t i, struct errors *e)
{
	unsigned *weight = &v->weights[v->node];

	if (*weight) {
		error_add(e, STATUS_USAGE, asked->nodes.at,
			"nodePerVector: weighted: names node %d twice", v->node);
		return error_hint(e, "add its weights up: each node has one");
	}
	*weight = asked->weights[i];
	return 0;
}

/* Of the nodes in ascending order: so many as there are weights, in the form that names them. */
static char *with_nodes(const struct plan *p, const struct value_nodes *asked)
{
	char *text = alloc_format("weighted:");

	for (int i = 0; i < p->memory.nnodes && (size_t)i < asked->nweights; i++)
		alloc_append(
			&text, "", "%s%d=%u", i ? "," : "", p->memory.nodes[i], asked->weights[i]);
	return text;
}

/* weighted:3,1. After add_all_nodes(). */
static int weigh_all(struct plan *p, struct plan_vector *v, const struct value_nodes *asked,
	const char *word, struct errors *e)
{
	char nodes[256];

	if (asked->nweights == (size_t)p->memory.nnodes) {
		for (int i = 0; i < p->memory.nnodes; i++)
			v->weights[p->memory.nodes[i]] = asked->weights[i];
		return 0;
	}
	text_ranges(v->nodes, MEM_MAX_NODES, nodes, sizeof(nodes));
	error_add(e, STATUS_PLACEMENT, asked->nodes.at,
		"nodePerVector: '%s' has %zu weight%s for the nodes that can hold vectors here, "
		"which are %d: %s",
		word, asked->nweights, asked->nweights == 1 ? "" : "s", p->memory.nnodes, nodes);
	char *example = with_nodes(p, asked);

	error_hint(e, "%s names the nodes; a node that is not named gets no page", example);
	free(example);
	return -1;
}

/* A policy in the words of numactl. */
static int check_words(
	const struct names *names, const char *word, struct place at, struct errors *e)
{
	char *meant = names_defined(names, word) ? NULL : synonym_policy(word);
	const int failed = meant ? error_unknown(e, STATUS_USAGE, at, meant,
					   "nodePerVector: '%s' is a word of numactl", word)
				 : 0;

	free(meant);
	return failed;
}

static int count_nodes(const struct plan_vector *v)
{
	int n = 0;

	for (int node = 0; node < MEM_MAX_NODES; node++)
		n += v->nodes[node];
	return n;
}

/* A kind in such a list stands for all its nodes; alone, and preferred, for the first of them. */
static bool is_listed(const struct plan_vector *v, const char *word)
{
	return v->policy == MEM_INTERLEAVE || (v->policy == MEM_BIND && strchr(word, ':'));
}

static int place_vector(struct plan *p, struct plan_vector *v, const struct names *names,
	const char *word, struct place at, struct errors *e)
{
	struct value_nodes asked = {.nodes.at = at};
	int failed = check_words(names, word, at, e);

	if (!failed)
		failed = values_nodes(&asked, word, at, e);

	v->nodes = alloc_zeroed(MEM_MAX_NODES, sizeof(*v->nodes));
	v->policy = asked.policy;
	v->node = -1;
	v->measured = asked.measured;
	v->placement = asked.placement;
	v->division = asked.division;
	v->whole = (int)(v - p->vectors);
	v->parts = 1;
	if (v->division)
		v->policy = MEM_BIND;
	if (asked.weights || asked.measured)
		v->weights = alloc_zeroed(MEM_MAX_NODES, sizeof(*v->weights));
	for (size_t i = 0; i < asked.nodes.count; i++) {
		int bad = add_node(p, v, names, asked.nodes.word[i], at, e);

		if (!bad && v->weights)
			bad = add_weight(v, &asked, i, e);
		else if (!bad && is_listed(v, word) && tiers_kind(asked.nodes.word[i]))
			add_kind(p, v);
		failed |= bad;
	}
	if (count_nodes(v) > 1)
		v->node = -1;
	if (v->policy == MEM_INTERLEAVE) {
		v->node = -1;
		if (!asked.nodes.count)
			add_all_nodes(p, v);
		if (asked.nweights)
			failed |= weigh_all(p, v, &asked, word, e);
	}
	plan_describe_vector(p, v);
	words_free(&asked.nodes);
	free(asked.weights);
	v->refused = failed;
	return failed;
}

/* Pages are dealt out by moving them, and these do not move one by one. */
static int check_weights(const struct plan *p, struct place at, struct errors *e)
{
	for (int i = 0; i < p->nvectors; i++) {
		const struct plan_vector *v = &p->vectors[i];

		if (!v->weights || (!mem_from_pool(v->pages) && !mem_is_mthp(v->pages)))
			continue;
		error_add(e, STATUS_USAGE, at,
			"vector %d: pages of pagesPerVector: %s cannot be dealt out by weights", i,
			pages_names[v->pages]);
		return error_hint(e, "weighted goes with pagesPerVector: system, base or thp");
	}
	return 0;
}

/* Does nodePerVector end with V*, a vector for every thread? */
static bool for_each_thread(const struct plan *p)
{
	const struct words *w = &p->request->node_per_vector;
	const char *last = w->word[w->count - 1];

	return last[strlen(last) - 1] == '*';
}

int plan_vector_list(const struct plan *p, const struct words *in, const char *key,
	struct words *out, struct errors *e)
{
	const struct list_rules rules = {.key = key, .want = (size_t)p->nwhole};

	if (list_expand(in, &rules, out, e))
		return -1;
	if (out->count == (size_t)p->nwhole) {
		for (int i = p->nwhole; i < p->nvectors; i++) {
			const char *word = out->word[p->vectors[i].whole];

			words_add(out, word, strlen(word));
		}
		return 0;
	}
	const size_t count = out->count;

	words_free(out);
	if (!p->nthreads && for_each_thread(p))
		return -1; /* how many threads there are was refused */
	error_add(e, STATUS_USAGE, in->at, "%s has %zu value%s, nodePerVector has %d", key, count,
		text_s(count), p->nwhole);
	return error_hint(e, "one value for each vector; V* stands for V as often as is needed");
}

/* A list of names, one for each vector, into a field of type enum (so int) at `offset`. */
static int read_choices(struct plan *p, const struct words *in, const char *key,
	const char *const *names, size_t offset, struct errors *e)
{
	struct words list;
	int failed = 0;

	if (plan_vector_list(p, in, key, &list, e)) {
		plan_refuse_vectors(p);
		return -1;
	}
	for (int i = 0; i < p->nvectors; i++) {
		int *field = (int *)((char *)&p->vectors[i] + offset);
		if (!values_choice(field, names, list.word[i], key, list.at, e))
			continue;
		p->vectors[i].refused = true;
		failed = -1;
	}
	words_free(&list);
	return failed;
}

static int read_nodes(struct plan *p, const struct names *names, struct errors *e)
{
	/* N* is a vector for every thread; of threads that were refused there is one */
	const struct list_rules rules = {.key = "nodePerVector",
		.want = p->nthreads ? (size_t)p->nthreads : 1,
		.ranges = true};
	struct words list;
	int failed = 0;

	if (list_expand(&p->request->node_per_vector, &rules, &list, e))
		return -1;
	p->nvectors = p->nwhole = (int)list.count;
	p->vectors = alloc_zeroed((size_t)p->nvectors + 1, sizeof(*p->vectors));
	for (int i = 0; i < p->nvectors; i++)
		failed |= place_vector(p, &p->vectors[i], names, list.word[i], list.at, e);
	words_free(&list);
	return failed;
}

/* After read_nodes(): a list of nodes and `none` (-1), into a field of type int at `offset`. */
static int read_further_nodes(struct plan *p, const struct words *in, const char *key,
	const struct names *names, size_t offset, struct errors *e)
{
	struct words list;
	int failed = 0;

	if (plan_vector_list(p, in, key, &list, e))
		return -1;
	for (int i = 0; i < p->nvectors; i++) {
		int *field = (int *)((char *)&p->vectors[i] + offset);

		*field = -1;
		if (!strcmp(list.word[i], "none"))
			continue;
		int node = names_node(names, list.word[i], key, list.at, e);

		if (node == NAMES_FAILED || plan_usable_node(p, node, key, list.at, e))
			failed = -1;
		else
			*field = node;
	}
	words_free(&list);
	return failed;
}

int plan_vectors(struct plan *p, const struct names *names, struct errors *e)
{
	const struct request *r = p->request;
	size_t sizes = r->size_per_vector.count;

	if (!r->node_per_vector.count) {
		/* --set may be meant for a whole batch of files, some of them without vectors */
		if (!sizes || r->size_per_vector.at.line <= 0)
			return 0;
		error_add(e, STATUS_USAGE, r->size_per_vector.at,
			"sizePerVector needs nodePerVector: the node of each vector");
		return error_hint(e, "for example nodePerVector: 0, or local");
	}
	if (!sizes) {
		error_add(e, STATUS_USAGE, r->node_per_vector.at,
			"nodePerVector needs sizePerVector: the size of each vector");
		return error_hint(e, "for example sizePerVector: 8xL3*");
	}
	int failed = read_nodes(p, names, e);
	if (!p->vectors)
		return -1;
	failed |= read_further_nodes(p, &r->target_per_vector, "targetPerVector", names,
		offsetof(struct plan_vector, target), e);
	failed |= read_further_nodes(p, &r->tables_per_vector, "tablesPerVector", names,
		offsetof(struct plan_vector, tables), e);
	failed |= plan_backing(p, names, e);
	failed |= read_choices(p, &r->pages_per_vector, "pagesPerVector", pages_names,
		offsetof(struct plan_vector, pages), e);
	failed |= read_choices(p, &r->order_per_vector, "initOrderPerVector", touch_order_names,
		offsetof(struct plan_vector, order), e);
	if (!failed)
		failed = check_weights(p, r->node_per_vector.at, e);
	failed |= read_choices(p, &r->type_per_vector, "typePerVector", element_names,
		offsetof(struct plan_vector, type), e);
	return failed;
}
