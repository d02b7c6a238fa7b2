/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How large each vector is: after its threads are known, since caches are those of their cores. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "input/quick.h"
#include "plan/parts.h"

/* [level][cache]: threads with vectors under it. */
struct sharers {
	int *under[TOPO_LEVELS];
};

static struct sharers multiples_count(const struct plan *p)
{
	struct sharers s = {{NULL}};

	for (int level = 1; level < TOPO_LEVELS; level++) {
		s.under[level] =
			alloc_zeroed((size_t)p->topo->caches[level].count + 1, sizeof(int));
		for (int i = 0; i < p->nthreads; i++) {
			const struct topo_cpu *cpu = topo_cpu(p->topo, p->threads[i].cpu);

			if (cpu && cpu->caches[level] >= 0 && p->threads[i].nvectors)
				s.under[level][cpu->caches[level]]++;
		}
	}
	return s;
}

static void multiples_free(struct sharers *s)
{
	for (int level = 1; level < TOPO_LEVELS; level++)
		free(s->under[level]);
}

/* The last level above a CPU; a hidden one counts. */
static int last_level(const struct topo *t, const struct topo_cpu *cpu)
{
	int level = TOPO_LEVELS - 1;

	while (level > 0 && !topo_cache_bytes(t, cpu, level))
		level--;
	return level;
}

/* A level that is named counts where it is shown only: half of a cache that may not be there is no
 * size. A sum, which is to exceed all caches, counts a hidden one, too. */
static double one_level(const struct topo *t, const struct topo_cpu *cpu, int level,
	const struct value_size *s, const struct sharers *sharers)
{
	const struct topo_one_cache *one = level ? topo_cache_above(t, cpu, level) : NULL;

	if (!one)
		return level && !s->level ? (double)topo_cache_bytes(t, cpu, level) : 0;
	if (s->per_thread && sharers->under[level][cpu->caches[level]])
		return (double)one->bytes / sharers->under[level][cpu->caches[level]];
	return (double)one->bytes / (s->per_core && one->cores ? one->cores : 1);
}

/* Bytes of the caches above a CPU that the size multiplies. */
static double multiples_of_cpu(const struct topo *t, const struct topo_cpu *cpu,
	const struct value_size *s, const struct sharers *sharers)
{
	double bytes = 0;

	if (s->level || s->last)
		return one_level(t, cpu, s->last ? last_level(t, cpu) : s->level, s, sharers);
	for (int level = 1; level < TOPO_LEVELS; level++)
		bytes += one_level(t, cpu, level, s, sharers);
	return bytes;
}

/* The same of the machine, the most of each level: for threads that may run anywhere. */
static double multiples_of_machine(const struct topo *t, const struct value_size *s)
{
	if (!s->level && !s->last)
		return topo_caches(t, s->per_core);
	return topo_cache_of_machine(t, s->last ? topo_last_level(t) : s->level, s->per_core);
}

/* Makes a vector smaller where the request is for a trial, but not one whose size is the name of
 * its run: that one is refused. 0, or -1 with a message. */
static int shorten_for_trial(const struct plan *p, struct plan_vector *v, const char *word,
	struct place at, struct errors *e)
{
	size_t element = element_bytes(v->type);
	uint64_t most = quick_elements(p->request, p->nvectors, element);
	char limit[32];

	if (v->elements <= most)
		return 0;
	if (!p->request->size_swept) {
		v->elements = most;
		return 0;
	}
	/* what cannot run for another reason need not be shorter, too */
	if (e->failures)
		return -1;
	error_add(e, STATUS_PLACEMENT, at, "sizePerVector: '%s' is too large for a quick trial, %s",
		word, text_size(most * element, limit, sizeof(limit)));
	return error_hint(e, "quick: no measures it");
}

/* The size of a vector as the file gives it: of all its parts. */
struct sized {
	const char *word;
	struct value_size size;
	uint64_t elements; /* of a whole one */
	double caches;     /* bytes that `size` multiplies */
	int users;         /* threads that have it, or a part of it */
	bool unknown;      /* caches of a thread that has no place */
	bool bad;          /* the word is no size */
};

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

/* Sets the bytes of caches that the size of each vector multiplies: those of its threads, and of
 * threads on unlike cores the largest. Threads that share a vector have as many parts of it. */
static void find_caches(const struct plan *p, struct sized *sized)
{
	struct sharers sharers = multiples_count(p);

	for (int i = 0; i < p->nthreads; i++) {
		const struct topo_cpu *cpu = topo_cpu(p->topo, p->threads[i].cpu);

		for (int k = 0; k < p->threads[i].nvectors; k++) {
			const int vector = p->threads[i].vector_ids[k];
			struct sized *s = &sized[p->vectors[vector].whole];
			double has = cpu ? multiples_of_cpu(p->topo, cpu, &s->size, &sharers)
					 : multiples_of_machine(p->topo, &s->size);

			s->users++;
			s->unknown |= !plan_placed(&p->threads[i]);
			s->caches = has > s->caches ? has : s->caches;
		}
	}
	for (int v = 0; v < p->nwhole; v++) {
		struct sized *s = &sized[v];

		if (!s->users)
			s->caches = multiples_of_machine(p->topo, &s->size);
		else if (s->size.per_thread)
			s->caches *= s->users;
	}
	multiples_free(&sharers);
}

static bool counts_hidden(const struct value_size *s)
{
	return s->kind == SIZE_CACHES && !s->level && !s->side;
}

/* Once is enough: --topology names all CPUs. */
static bool warn_hidden(const struct plan *p, const struct sized *sized, struct errors *e)
{
	char size[32];

	for (int i = 0; i < p->nthreads; i++) {
		const struct topo_cpu *cpu = topo_cpu(p->topo, p->threads[i].cpu);
		bool counts = false;

		for (int k = 0; k < p->threads[i].nvectors; k++)
			counts |= counts_hidden(
				&sized[p->vectors[p->threads[i].vector_ids[k]].whole].size);
		for (int level = TOPO_LEVELS - 1; cpu && counts && level > 0; level--) {
			if (!topo_cache_hidden(p->topo, cpu, level))
				continue;
			error_warn(e,
				"the machine shows an L%d cache for some CPUs and none for CPU %d "
				"of thread %d: sizes count the largest, %s",
				level, cpu->cpu, i,
				text_size(p->topo->caches[level].bytes, size, sizeof(size)));
			error_hint(e, "where the CPU has none, or a smaller one, give all: caches: "
				      "32K 1M 32M/8");
			return true;
		}
	}
	return false;
}

/* Sizes of one word are compared: by how much they may differ without a word. */
#define ALIKE 2

/* Threads of unlike cores, or on nodes with unlike caches, have vectors of unlike sizes. Once is
 * enough, for the vectors that differ most from the first of their word. */
static void warn_unlike(const struct plan *p, const struct sized *sized, struct errors *e)
{
	char one[32], other[32];

	for (int i = 0; i < p->nwhole; i++)
		for (int k = i + 1; k < p->nwhole; k++) {
			const struct sized *a = &sized[i], *b = &sized[k];

			if (!counts_hidden(&a->size) || a->size.per_thread || !a->caches ||
				!b->caches || strcmp(a->word, b->word) != 0 ||
				(a->caches < ALIKE * b->caches && b->caches < ALIKE * a->caches))
				continue;
			error_warn(e,
				"sizePerVector: '%s' is %s for vector %d and %s for vector %d: the "
				"caches of their threads are unlike",
				a->word, text_size(p->vectors[i].bytes, one, sizeof(one)), i,
				text_size(p->vectors[k].bytes, other, sizeof(other)), k);
			error_hint(e, "give bytes where sizes are to be equal");
			return;
		}
}

static int refuse_caches(
	const struct plan *p, const struct sized *s, struct place at, struct errors *e)
{
	const struct topo *t = p->topo;

	if (s->size.level && t->caches[s->size.level].bytes)
		error_add(e, STATUS_PLACEMENT, at,
			"sizePerVector: '%s', but no thread of the vector has an L%d cache",
			s->word, s->size.level);
	else
		error_add(e, STATUS_PLACEMENT, at,
			s->size.level ? "sizePerVector: '%s', but the machine shows no L%d cache"
				      : "sizePerVector: '%s', but the machine shows no caches",
			s->word, s->size.level);
	if (t->this_system && t->caches_from == CACHES_UNKNOWN)
		return error_hint(e, "affinity --measure-caches caches.json measures them, for "
				     "caches: measured:caches.json; or give them: caches: 32K 1M "
				     "32M");
	return error_hint(e,
		"give the size in bytes, such as 200MiB, or the caches: caches: 32K 1M "
		"32M");
}

static int size_of_caches(const struct plan *p, const struct sized *s, double *bytes,
	struct place at, struct errors *e)
{
	/* whole lines, rounded up: at least as many times as asked for, in every thread's part */
	const int parts = s->size.per_thread && s->users > 1 ? s->users : 0;

	*bytes = (ceil(s->size.part * s->caches / TOPO_LINE) + (s->caches > 0 ? parts : 0)) *
		 TOPO_LINE;
	return *bytes > 0 ? 0 : refuse_caches(p, s, at, e);
}

/* The memory-side caches before all nodes of the vector, since interleaved pages lie behind each of
 * them; of a local one, which lies on one node that is not known, the largest. */
static double bytes_of_side(const struct plan *p, const struct plan_vector *v)
{
	double all = 0, largest = 0;

	for (int i = 0; i < p->topo->nnodes; i++) {
		const struct topo_node *n = &p->topo->nodes[i];

		largest = fmax(largest, (double)n->cache);
		if (n->node < MEM_MAX_NODES && v->nodes[n->node])
			all += (double)n->cache;
	}
	return v->policy == MEM_LOCAL ? largest : all;
}

static int size_of_side(const struct plan *p, const struct plan_vector *v, const struct sized *s,
	double *bytes, struct place at, struct errors *e)
{
	*bytes = ceil(s->size.part * bytes_of_side(p, v) / TOPO_LINE) * TOPO_LINE;
	if (*bytes > 0)
		return 0;
	error_add(e, STATUS_PLACEMENT, at,
		"sizePerVector: '%s', but the machine shows no memory-side cache before node %s",
		s->word, v->asked);
	return error_hint(e, "affinity --topology shows them; give the size in bytes, such as "
			     "200GiB");
}

static int find_bytes(const struct plan *p, const struct plan_vector *v, const struct sized *sized,
	double *bytes, struct place at, struct errors *e)
{
	const struct value_size *s = &sized->size;

	if (s->kind == SIZE_CACHES && s->side)
		return size_of_side(p, v, sized, bytes, at, e);
	if (s->kind == SIZE_CACHES)
		return size_of_caches(p, sized, bytes, at, e);
	/* of nodes or threads that are refused already there is no share, and no cache */
	if (v->refused || (s->kind == SIZE_CACHES && !s->side && sized->unknown))
		return -1;
	*bytes = s->kind == SIZE_SHARE ? s->part * (double)nodes_total(p, v) : (double)s->number;
	if (s->kind == SIZE_SHARE && !(*bytes > 0)) {
		error_add(e, STATUS_USAGE, at,
			"sizePerVector: '%s' is a share of a node, but a local vector has no node "
			"of its own",
			sized->word);
		return error_hint(e, "give the size in bytes, such as 200MiB");
	}
	return 0;
}

/* Bytes are rounded down to whole elements. */
static int find_elements(const struct plan *p, const struct plan_vector *v, struct sized *s,
	struct place at, struct errors *e)
{
	double bytes;

	s->elements = s->size.number;
	if (s->size.kind == SIZE_ELEMENTS)
		return 0;
	if (find_bytes(p, v, s, &bytes, at, e))
		return -1;
	/* 2^53: up to there a double holds every whole number of bytes */
	if (bytes >= 9007199254740992.0)
		return error_add(e, STATUS_USAGE, at,
			"sizePerVector: '%s' exceeds the address space", s->word);
	s->elements = (uint64_t)bytes / element_bytes(v->type);
	return 0;
}

static uint64_t slice(uint64_t elements, int part, int parts)
{
	const unsigned __int128 all = elements;

	return (uint64_t)(all * (unsigned)(part + 1) / (unsigned)parts -
			  all * (unsigned)part / (unsigned)parts);
}

static int size_vector(const struct plan *p, struct plan_vector *v, const struct sized *s,
	struct place at, struct errors *e)
{
	size_t element = element_bytes(v->type);
	const char *word = s->word;
	const int slices = v->division == DIVISION_SLICES ? v->parts : 1;

	v->elements = slice(s->elements, slices > 1 ? v->part : 0, slices);
	if (!v->elements) {
		error_add(e, STATUS_USAGE, at,
			"sizePerVector: '%s' makes a vector without elements", word);
		return error_hint(e, "at least %d element%s of %zu byte%s", slices,
			text_s((unsigned)slices), element, text_s(element));
	}
	if (v->elements > (uint64_t)INT64_MAX / element)
		return error_add(e, STATUS_USAGE, at,
			"sizePerVector: %s elements of %zu bytes exceed the address space", word,
			element);
	v->elements_asked = v->elements;
	if (!v->refused && shorten_for_trial(p, v, word, at, e))
		return -1;
	v->bytes = v->elements * element;
	return 0;
}

/* Shows a sum beyond 64 bits as the most that 64 bits hold. */
static uint64_t whole_bytes(double bytes)
{
	return bytes < 0x1p64 ? (uint64_t)bytes : UINT64_MAX;
}

/* Can the vector be on no node but those of the set? */
static bool lies_within(const struct plan_vector *v, const bool *set)
{
	if (v->refused || v->policy != MEM_BIND)
		return false;
	if (v->node >= 0)
		return v->node < MEM_MAX_NODES && set[v->node];
	for (int node = 0; node < MEM_MAX_NODES; node++)
		if (v->nodes[node] && !set[node])
			return false;
	return true;
}

/* The nodes of a set must be able to hold all vectors bound to them, or to some of them. */
static int check_set(const struct plan *p, int vector, struct place at, struct errors *e)
{
	const struct plan_vector *v = &p->vectors[vector];
	char asked[32], has[32];
	uint64_t all = 0;
	double need = 0;

	if (v->refused || v->policy != MEM_BIND || v->node >= 0)
		return 0;
	for (int k = 0; k < p->nvectors; k++) {
		const struct plan_vector *other = &p->vectors[k];

		if (!lies_within(other, v->nodes))
			continue;
		need += (double)other->bytes;
		if (k < vector && other->node < 0 && lies_within(v, other->nodes))
			return 0; /* told of the first vector of this set */
	}
	for (int i = 0; i < p->topo->nnodes; i++)
		if (p->topo->nodes[i].node < MEM_MAX_NODES && v->nodes[p->topo->nodes[i].node])
			all += p->topo->nodes[i].bytes;
	if (need <= (double)all)
		return 0;
	error_add(e, STATUS_PLACEMENT, at,
		"sizePerVector: vector %d and others on its nodes take %s, these have %s", vector,
		text_size(whole_bytes(need), asked, sizeof(asked)),
		text_size(all, has, sizeof(has)));
	return error_hint(e, "make it smaller, or name more nodes");
}

/* Each node must be able to hold all vectors bound to it. Free memory is checked later, when the
 * vectors are mapped. */
static int check_capacity(const struct plan *p, struct place at, struct errors *e)
{
	char asked[32], has[32];
	int failed = 0;

	for (int k = 0; k < p->nvectors; k++)
		failed |= check_set(p, k, at, e);
	for (int i = 0; i < p->topo->nnodes; i++) {
		const struct topo_node *n = &p->topo->nodes[i];
		double need = 0;
		bool copies = false;

		for (int k = 0; k < p->nvectors; k++) {
			const struct plan_vector *v = &p->vectors[k];

			if (v->refused || v->policy != MEM_BIND || v->node != n->node)
				continue;
			need += (double)v->bytes;
			copies |= v->division == DIVISION_REPLICATE;
		}
		if (need <= (double)n->bytes)
			continue;
		failed = error_add(e, STATUS_PLACEMENT, at,
			"sizePerVector: the vectors of node %d take %s, the node has %s", n->node,
			text_size(whole_bytes(need), asked, sizeof(asked)),
			text_size(n->bytes, has, sizeof(has)));
		error_hint(e, "make them smaller%s: nodePerVector: interleave",
			copies ? ", such as fewer layers of a model, or spread them instead of "
				 "copies"
			       : ", or spread them");
	}
	return failed;
}

/* What the kernels see of a vector. */
static void tell_threads(struct plan *p)
{
	for (int i = 0; i < p->nthreads; i++)
		for (int k = 0; k < p->threads[i].nvectors; k++)
			p->threads[i].vectors[k].elements =
				p->vectors[p->threads[i].vector_ids[k]].elements;
}

/* "max(4GiB,4xcaches/thread)", or min: the second size; NULL: the word is a single one. To be
 * freed.
 */
static char *second_of(const char *word)
{
	const char *comma = strchr(word, ',');
	const size_t n = strlen(word);

	if ((strncmp(word, "max(", 4) && strncmp(word, "min(", 4)) || !comma || word[n - 1] != ')')
		return NULL;
	return alloc_string(comma + 1, (size_t)(word + n - 1 - comma - 1));
}

static void read_first(struct sized *s, const char *word, struct place at, struct errors *e)
{
	char *second = second_of(word);
	const char *from = second ? word + strlen("max(") : word;
	char *first = alloc_string(from, second ? strcspn(from, ",") : strlen(from));

	s->word = word;
	s->bad = values_size(&s->size, first, at, e);
	free(first);
	free(second);
}

static void read_second(struct sized *s, const char *word, struct place at, struct errors *e)
{
	char *second = second_of(word);

	s->word = word;
	s->bad = !second || values_size(&s->size, second, at, e);
	free(second);
}

/* Where the second size is not known, as on a machine that shows no caches, the first one counts.
 */
static void take_second(const struct plan *p, const struct plan_vector *v, struct sized *s,
	struct sized *second, struct place at)
{
	struct errors unknown = {0};

	if (!second->bad && !find_elements(p, v, second, at, &unknown) &&
		(!strncmp(second->word, "min(", 4) ? second->elements < s->elements
						   : second->elements > s->elements))
		s->elements = second->elements;
	errors_free(&unknown);
}

int plan_sizes(struct plan *p, struct errors *e)
{
	struct words list;
	int failed = 0;

	if (plan_vector_list(p, &p->request->size_per_vector, "sizePerVector", &list, e))
		return -1;
	struct sized *sized = alloc_zeroed((size_t)p->nwhole + 1, sizeof(*sized));
	struct sized *seconds = alloc_zeroed((size_t)p->nwhole + 1, sizeof(*seconds));
	for (int i = 0; i < p->nwhole; i++) {
		read_first(&sized[i], list.word[i], list.at, e);
		read_second(&seconds[i], list.word[i], list.at, e);
	}
	find_caches(p, sized);
	find_caches(p, seconds);
	if (!warn_hidden(p, sized, e))
		warn_hidden(p, seconds, e);
	for (int i = 0; i < p->nvectors; i++) {
		struct sized *s = &sized[p->vectors[i].whole];

		if (i < p->nwhole && !s->bad) {
			s->bad = find_elements(p, &p->vectors[i], s, list.at, e);
			take_second(p, &p->vectors[i], s, &seconds[i], list.at);
		}
		failed |= s->bad || size_vector(p, &p->vectors[i], s, list.at, e);
	}
	if (!failed)
		warn_unlike(p, sized, e);
	if (!failed)
		failed = check_capacity(p, list.at, e);
	tell_threads(p);
	free(seconds);
	free(sized);
	words_free(&list);
	return failed;
}
