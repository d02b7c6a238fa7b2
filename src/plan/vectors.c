/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where each vector lies, how large it is, of what elements and pages. */
#include <stdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/list.h"
#include "plan/parts.h"

/* The topology of another machine may have node numbers that this Linux does not allow. */
static bool holds_vectors(const struct topo_node *n)
{
	return n->bytes && n->allowed && n->node < MEM_MAX_NODES;
}

/* A node that vectors may be put on, or a message. */
static int usable_node(struct plan *p, int node, struct place at, struct errors *e)
{
	const struct topo_node *n = topo_node(p->topo, node);
	char usable[256];

	if (n && holds_vectors(n))
		return 0;
	error_add(e, STATUS_PLACEMENT, at, "nodePerVector: node %d %s", node,
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
	int node = names_node(names, text, "nodePerVector", at, e);

	if (node == NAMES_FAILED || usable_node(p, node, at, e))
		return -1;
	v->nodes[node] = true;
	v->node = node;
	return 0;
}

static void describe(struct plan_vector *v)
{
	char ranges[256];

	text_ranges(v->nodes, MEM_MAX_NODES, ranges, sizeof(ranges));
	if (v->policy == MEM_BIND)
		v->asked = alloc_format("%d", v->node);
	else if (v->policy == MEM_PREFERRED)
		v->asked = alloc_format("preferred:%d", v->node);
	else if (v->policy == MEM_INTERLEAVE)
		v->asked = alloc_format("interleave:%s", ranges);
	else
		v->asked = alloc_format("local");
}

/* interleave without a list: all nodes that can hold vectors. */
static void add_all_nodes(const struct plan *p, struct plan_vector *v)
{
	for (int i = 0; i < p->topo->nnodes; i++)
		if (holds_vectors(&p->topo->nodes[i]))
			v->nodes[p->topo->nodes[i].node] = true;
}

static int place_vector(struct plan *p, struct plan_vector *v, const struct names *names,
	const char *word, struct place at, struct errors *e)
{
	struct value_nodes asked;
	int failed = values_nodes(&asked, word, at, e);

	v->nodes = alloc_zeroed(MEM_MAX_NODES, sizeof(*v->nodes));
	v->policy = asked.policy;
	v->node = -1;
	for (size_t i = 0; i < asked.nodes.count; i++)
		failed |= add_node(p, v, names, asked.nodes.word[i], at, e);
	if (v->policy == MEM_INTERLEAVE) {
		v->node = -1;
		if (!asked.nodes.count)
			add_all_nodes(p, v);
	}
	describe(v);
	words_free(&asked.nodes);
	return failed;
}

/* Memory of the nodes of the vector's policy, for sizes in percent; 0: no fixed nodes. */
static uint64_t nodes_total(const struct plan *p, const struct plan_vector *v)
{
	uint64_t total = 0;

	for (int i = 0; i < p->topo->nnodes; i++) {
		const struct topo_node *n = &p->topo->nodes[i];

		if (n->node < MEM_MAX_NODES && v->nodes[n->node])
			total += n->bytes;
	}
	return total;
}

static double bytes_of_caches(const struct topo *t, const struct value_size *s)
{
	const struct topo_cache *c = &t->caches[s->last ? topo_last_level(t) : s->level];

	if (!s->level && !s->last)
		return topo_caches(t, s->per_core);
	return (double)c->bytes / (s->per_core && c->cores ? c->cores : 1);
}

static int size_of_caches(const struct plan *p, const struct value_size *s, const char *word,
	double *bytes, struct place at, struct errors *e)
{
	/* whole lines, rounded up: at least as many times as asked for */
	*bytes = ceil(s->part * bytes_of_caches(p->topo, s) / 64) * 64;
	if (*bytes > 0)
		return 0;
	error_add(e, STATUS_PLACEMENT, at,
		s->level ? "tamPerVector: '%s', but the machine shows no L%d cache"
			 : "tamPerVector: '%s', but the machine shows no caches",
		word, s->level);
	return error_hint(e, "give the size in bytes, such as 200MiB");
}

static int find_bytes(const struct plan *p, const struct plan_vector *v, const struct value_size *s,
	const char *word, double *bytes, struct place at, struct errors *e)
{
	if (s->kind == SIZE_CACHES)
		return size_of_caches(p, s, word, bytes, at, e);
	*bytes = s->kind == SIZE_SHARE ? s->part * (double)nodes_total(p, v) : (double)s->number;
	if (s->kind == SIZE_SHARE && !(*bytes > 0)) {
		error_add(e, STATUS_USAGE, at,
			"tamPerVector: '%s' is a share of a node, but a local vector has no node "
			"of its own",
			word);
		return error_hint(e, "give the size in bytes, such as 200MiB");
	}
	return 0;
}

/* Bytes are rounded down to whole elements. */
static int find_elements(const struct plan *p, struct plan_vector *v, const char *word,
	struct place at, struct errors *e)
{
	struct value_size size;
	double bytes;

	if (values_size(&size, word, at, e))
		return -1;
	v->elements = size.number;
	if (size.kind == SIZE_ELEMENTS)
		return 0;
	if (find_bytes(p, v, &size, word, &bytes, at, e))
		return -1;
	/* 2^53: up to there a double holds every whole number of bytes */
	if (bytes >= 9007199254740992.0)
		return error_add(
			e, STATUS_USAGE, at, "tamPerVector: '%s' exceeds the address space", word);
	v->elements = (uint64_t)bytes / element_bytes(v->type);
	return 0;
}

static int size_vector(const struct plan *p, struct plan_vector *v, const char *word,
	struct place at, struct errors *e)
{
	size_t element = element_bytes(v->type);

	if (find_elements(p, v, word, at, e))
		return -1;
	if (!v->elements) {
		error_add(e, STATUS_USAGE, at, "tamPerVector: '%s' makes a vector without elements",
			word);
		return error_hint(e, "at least 1 element of %zu bytes", element);
	}
	if (v->elements > (uint64_t)INT64_MAX / element)
		return error_add(e, STATUS_USAGE, at,
			"tamPerVector: %s elements of %zu bytes exceed the address space", word,
			element);
	if (plan_quick(p, v, word, at, e))
		return -1;
	v->bytes = v->elements * element;
	return 0;
}

/* Shows a sum beyond 64 bits as the most that 64 bits hold. */
static uint64_t whole_bytes(double bytes)
{
	return bytes < 0x1p64 ? (uint64_t)bytes : UINT64_MAX;
}

/* Each node must be able to hold all vectors bound to it. Free memory is checked later, when the
 * vectors are mapped. */
static int check_capacity(const struct plan *p, struct place at, struct errors *e)
{
	char asked[32], has[32];
	int failed = 0;

	for (int i = 0; i < p->topo->nnodes; i++) {
		const struct topo_node *n = &p->topo->nodes[i];
		double need = 0;

		for (int k = 0; k < p->nvectors; k++)
			if (p->vectors[k].policy == MEM_BIND && p->vectors[k].node == n->node)
				need += (double)p->vectors[k].bytes;
		if (need <= (double)n->bytes)
			continue;
		failed = error_add(e, STATUS_PLACEMENT, at,
			"tamPerVector: the vectors of node %d take %s, the node has %s", n->node,
			text_size(whole_bytes(need), asked, sizeof(asked)),
			text_size(n->bytes, has, sizeof(has)));
		error_hint(e, "make them smaller, or spread them: nodePerVector: interleave");
	}
	return failed;
}

int plan_vector_list(const struct plan *p, const struct words *in, const char *key,
	struct words *out, struct errors *e)
{
	if (list_expand(in, key, (size_t)p->nvectors, false, out, e))
		return -1;
	if (out->count == (size_t)p->nvectors)
		return 0;
	error_add(e, STATUS_USAGE, in->at, "%s has %zu value%s, nodePerVector has %d", key,
		out->count, out->count == 1 ? "" : "s", p->nvectors);
	error_hint(e, "one value for each vector; V* stands for V as often as is needed");
	words_free(out);
	return -1;
}

/* A list of names, one for each vector, into a field of type enum (so int) at `offset`. */
static int read_choices(struct plan *p, const struct words *in, const char *key,
	const char *const *names, size_t offset, struct errors *e)
{
	struct words list;
	int failed = 0;

	if (plan_vector_list(p, in, key, &list, e))
		return -1;
	for (int i = 0; i < p->nvectors; i++) {
		int *field = (int *)((char *)&p->vectors[i] + offset);
		failed |= values_choice(field, names, list.word[i], key, list.at, e);
	}
	words_free(&list);
	return failed;
}

static int read_sizes(struct plan *p, struct errors *e)
{
	struct words list;
	int failed = 0;

	if (plan_vector_list(p, &p->request->size_per_vector, "tamPerVector", &list, e))
		return -1;
	for (int i = 0; i < p->nvectors; i++)
		failed |= size_vector(p, &p->vectors[i], list.word[i], list.at, e);
	if (!failed)
		failed = check_capacity(p, list.at, e);
	words_free(&list);
	return failed;
}

static int read_nodes(struct plan *p, const struct names *names, struct errors *e)
{
	struct words list;
	int failed = 0;

	/* N* is a vector for every thread; of threads that were refused there is one */
	if (list_expand(&p->request->node_per_vector, "nodePerVector",
		    p->nthreads ? (size_t)p->nthreads : 1, true, &list, e))
		return -1;
	p->nvectors = (int)list.count;
	p->vectors = alloc_zeroed((size_t)p->nvectors + 1, sizeof(*p->vectors));
	for (int i = 0; i < p->nvectors; i++)
		failed |= place_vector(p, &p->vectors[i], names, list.word[i], list.at, e);
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
			"tamPerVector needs nodePerVector: the node of each vector");
		return error_hint(e, "for example nodePerVector: 0, or local");
	}
	if (!sizes) {
		error_add(e, STATUS_USAGE, r->node_per_vector.at,
			"nodePerVector needs tamPerVector: the size of each vector");
		return error_hint(e, "for example tamPerVector: 8xL3*");
	}
	int failed = read_nodes(p, names, e);
	if (!p->vectors)
		return -1;
	failed |= read_choices(p, &r->pages_per_vector, "pagesPerVector", pages_names,
		offsetof(struct plan_vector, pages), e);
	if (read_choices(p, &r->type_per_vector, "typePerVector", element_names,
		    offsetof(struct plan_vector, type), e))
		return -1;
	return read_sizes(p, e) | failed;
}
