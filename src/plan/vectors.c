/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where each vector lies, how large it is, of what elements and pages. */
#include <stdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/list.h"
#include "plan/parts.h"

/* Machines that are only planned for can have more nodes than Linux has numbers for. */
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

/* interleave over every node that may be used, interleave:0,2 over those. */
static int place_interleave(struct plan *p, struct plan_vector *v, const struct names *names,
	const char *list, struct place at, struct errors *e)
{
	struct words nodes = {0};
	int failed = 0;

	v->policy = MEM_INTERLEAVE;
	for (int i = 0; !list && i < p->topo->nnodes; i++) {
		const struct topo_node *n = &p->topo->nodes[i];
		if (holds_vectors(n))
			v->nodes[n->node] = true;
	}
	if (list)
		words_split(&nodes, list, ",");
	for (size_t i = 0; i < nodes.count; i++)
		failed |= add_node(p, v, names, nodes.word[i], at, e);
	if (list && !nodes.count)
		failed = error_add(
			e, STATUS_USAGE, at, "nodePerVector: 'interleave:' names no node");
	words_free(&nodes);
	v->node = -1;
	return failed;
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

static int place_vector(struct plan *p, struct plan_vector *v, const struct names *names,
	const char *word, struct place at, struct errors *e)
{
	int failed = 0;

	v->nodes = alloc_zeroed(MEM_MAX_NODES, sizeof(*v->nodes));
	v->node = -1;
	if (!strcmp(word, "local")) {
		v->policy = MEM_LOCAL;
	} else if (!strcmp(word, "interleave") || !strncmp(word, "interleave:", 11)) {
		failed = place_interleave(p, v, names, word[10] ? word + 11 : NULL, at, e);
	} else if (!strncmp(word, "preferred:", 10)) {
		v->policy = MEM_PREFERRED;
		failed = add_node(p, v, names, word + 10, at, e);
	} else {
		v->policy = MEM_BIND;
		failed = add_node(p, v, names, word, at, e);
	}
	describe(v);
	return failed;
}

static int set_choice(int *field, const char *const *names, const char *word, const char *key,
	struct place at, struct errors *e)
{
	char known[128];
	size_t count = 0;

	for (; names[count]; count++)
		if (!strcmp(names[count], word)) {
			*field = (int)count;
			return 0;
		}
	const char *nearest = text_nearest(word, names, count);
	error_add(e, STATUS_USAGE, at, "%s: unknown value '%s'%s%s%s", key, word,
		nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
	return error_hint(e, "%s", text_one_of(names, known, sizeof(known)));
}

/* Bytes that the vector's policy lets it take from, for sizes in percent; 0: no fixed nodes. */
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

/* "8xL3": times the largest cache of that level; caches: of all above a core. With "/core" a core's
 * share of that, for vectors on all cores under it. */
struct cache_size {
	double times;
	int level; /* 0: all */
	bool shared;
};

static int read_cache_size(const char *word, struct cache_size *s)
{
	const char *x = strchr(word, 'x'), *each = strchr(x, '/');
	char *times = alloc_string(word, (size_t)(x - word));
	char *name = alloc_string(x + 1, each ? (size_t)(each - x - 1) : strlen(x + 1));
	uint64_t level = 0;
	bool all = !strcmp(name, "caches");
	int bad =
		text_real(times, &s->times) || s->times <= 0 || (each && strcmp(each, "/core")) ||
		(!all && (*name != 'L' || text_count(name + 1, &level) || level < 1 || level > 4));

	free(times);
	free(name);
	s->level = (int)level;
	s->shared = each;
	return bad ? -1 : 0;
}

static double bytes_of_caches(const struct topo *t, const struct cache_size *s)
{
	const struct topo_cache *c = &t->caches[s->level];

	if (!s->level)
		return topo_caches(t, s->shared);
	return (double)c->bytes / (s->shared && c->cores ? c->cores : 1);
}

static int size_of_caches(
	const struct plan *p, const char *word, double *bytes, struct place at, struct errors *e)
{
	struct cache_size s;

	if (read_cache_size(word, &s))
		return error_add(e, STATUS_USAGE, at,
			"tamPerVector: '%s' is not of the form 8xL3 (a positive number, xL, 1 to "
			"4), 8xcaches or 8xL3/core",
			word);
	/* whole lines, lest it be a little less than so many times */
	*bytes = ceil(s.times * bytes_of_caches(p->topo, &s) / 64) * 64;
	if (*bytes > 0)
		return 0;
	error_add(e, STATUS_PLACEMENT, at,
		s.level ? "tamPerVector: '%s', but the machine shows no L%d cache"
			: "tamPerVector: '%s', but the machine shows no caches",
		word, s.level);
	return error_hint(e, "give the size in bytes, such as 200MiB");
}

static int refuse_size(const char *word, struct place at, struct errors *e)
{
	error_add(e, STATUS_USAGE, at, "tamPerVector: '%s' is not a size", word);
	return error_hint(e,
		"%s209715200 elements, 200MiB, 8xL3 (times a cache), 8xcaches (all of them), 50%% "
		"(of the node's memory)",
		*word == '-' ? "a size cannot be negative; " : "");
}

/* Sizes in units of bytes, rounded down to whole elements. */
static int parse_bytes(const struct plan *p, const struct plan_vector *v, const char *word,
	double *bytes, struct place at, struct errors *e)
{
	uint64_t exact;
	double share;

	if (strstr(word, "xL") || strstr(word, "xcaches"))
		return size_of_caches(p, word, bytes, at, e);
	if (strchr(word, '%')) {
		if (text_fraction(word, &share) || share <= 0 || share > 1)
			return error_add(e, STATUS_USAGE, at,
				"tamPerVector: '%s' is not a share of a node's memory, above 0 and "
				"up to 100%%",
				word);
		*bytes = share * (double)nodes_total(p, v);
		if (*bytes > 0)
			return 0;
		return error_add(e, STATUS_USAGE, at,
			"tamPerVector: '%s' of what? a local vector has no node of its own", word);
	}
	if (text_bytes(word, &exact))
		return refuse_size(word, at, e);
	*bytes = (double)exact;
	return 0;
}

static int size_vector(const struct plan *p, struct plan_vector *v, const char *word,
	struct place at, struct errors *e)
{
	size_t element = element_bytes(v->type);
	double bytes = 0;

	if (text_count(word, &v->elements)) {
		if (strspn(word, "0123456789") == strlen(word))
			return error_add(e, STATUS_USAGE, at,
				"tamPerVector: %s elements are more than memory can be addressed",
				word);
		if (parse_bytes(p, v, word, &bytes, at, e))
			return -1;
		/* 2^53: up to there a double holds every whole number of bytes */
		if (bytes >= 9007199254740992.0)
			return error_add(e, STATUS_USAGE, at,
				"tamPerVector: '%s' is more than memory can be addressed", word);
		v->elements = (uint64_t)bytes / element;
	}
	if (!v->elements) {
		error_add(e, STATUS_USAGE, at, "tamPerVector: '%s' makes a vector without elements",
			word);
		return error_hint(e, "at least 1 element of %zu bytes", element);
	}
	if (v->elements > (uint64_t)INT64_MAX / element)
		return error_add(e, STATUS_USAGE, at,
			"tamPerVector: %s elements of %zu bytes are more than memory can be "
			"addressed",
			word, element);
	v->bytes = v->elements * element;
	return 0;
}

/* A sum beyond 64 bits is told as the most that 64 bits hold. */
static uint64_t whole_bytes(double bytes)
{
	return bytes < 0x1p64 ? (uint64_t)bytes : UINT64_MAX;
}

/* Each node must be able to hold all that is bound to it; what is free just now is looked at later,
 * when the vectors are made. */
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

/* One key's list, expanded and as long as there are vectors. */
static int vector_list(const struct plan *p, const struct words *in, const char *key,
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

	if (vector_list(p, in, key, &list, e))
		return -1;
	for (int i = 0; i < p->nvectors; i++) {
		int *field = (int *)((char *)&p->vectors[i] + offset);
		failed |= set_choice(field, names, list.word[i], key, list.at, e);
	}
	words_free(&list);
	return failed;
}

static int read_sizes(struct plan *p, struct errors *e)
{
	struct words list;
	int failed = 0;

	if (vector_list(p, &p->request->size_per_vector, "tamPerVector", &list, e))
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

	/* N* is a vector for every thread */
	if (list_expand(&p->request->node_per_vector, "nodePerVector", (size_t)p->nthreads, true,
		    &list, e))
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
		if (sizes && r->size_per_vector.at.line > 0)
			return error_add(e, STATUS_USAGE, r->size_per_vector.at,
				"tamPerVector without nodePerVector: where do the vectors lie?");
		return 0;
	}
	if (!sizes) {
		error_add(e, STATUS_USAGE, r->node_per_vector.at,
			"nodePerVector without tamPerVector: how large are the vectors?");
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
