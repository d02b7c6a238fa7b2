/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which threads use each vector, and which touches it first. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/list.h"
#include "base/text.h"
#include "plan/parts.h"

/* A thousand threads that use a thousand vectors each; more do not fit in memory, at about a
 * hundred bytes each. */
#define MAX_USES (1u << 20)

int plan_no_thread(
	const struct plan *p, const char *key, uint64_t thread, struct place at, struct errors *e)
{
	unsigned long long number = thread;

	if (p->nthreads == 1)
		return error_add(e, STATUS_USAGE, at,
			"%s: there is no thread %llu; the only one is thread 0", key, number);
	return error_add(e, STATUS_USAGE, at, "%s: there is no thread %llu; threads are 0 .. %d",
		key, number, p->nthreads - 1);
}

/* Gives a vector to the thread that stands at list->word[rank]. Vectors are given in the order of
 * their numbers. */
static int give(struct plan *p, int thread, int vector, const struct words *list, size_t rank,
	struct errors *e)
{
	struct plan_thread *t = &p->threads[thread];
	const struct plan_vector *v = &p->vectors[vector];

	if (t->nvectors && t->vector_ids[t->nvectors - 1] == vector)
		return error_add(e, STATUS_USAGE, list->at,
			"vectorPerThread: thread %d stands twice in the group of vector %d", thread,
			vector);
	t->vectors = alloc_grow(t->vectors, (size_t)t->nvectors, sizeof(*t->vectors));
	t->vector_ids = alloc_grow(t->vector_ids, (size_t)t->nvectors, sizeof(*t->vector_ids));
	t->vectors[t->nvectors] = (struct vector){NULL, v->elements, element_bytes(v->type),
		v->type, v->node, (int)list->count, (int)rank, v->target, mem_page_bytes(v->pages),
		mem_is_mthp(v->pages), mem_from_pool(v->pages), (int)list->count, (int)list->count,
		(int)rank};
	t->vector_ids[t->nvectors++] = vector;
	return 0;
}

/* The threads of one group: "0 1", "0-3", "all". */
static int read_group(struct plan *p, int vector, const char *text, size_t *uses, struct errors *e)
{
	static const struct list_rules rules = {.key = "vectorPerThread", .ranges = true};
	struct words raw = {.at = p->request->vector_per_thread.at}, list;
	int failed;

	words_split(&raw, text, " \t");
	if (raw.count == 1 && !strcmp(raw.word[0], "all")) {
		free(raw.word[0]);
		raw.word[0] = alloc_format("0-%d", p->nthreads - 1);
	}
	failed = list_expand(&raw, &rules, &list, e);
	words_free(&raw);
	if (failed)
		return -1;
	*uses += list.count;
	if (*uses > MAX_USES) {
		words_free(&list);
		return error_add(e, STATUS_USAGE, p->request->vector_per_thread.at,
			"vectorPerThread: threads use vectors more than %u times in all", MAX_USES);
	}
	for (size_t i = 0; i < list.count; i++) {
		uint64_t thread;

		if (text_count(list.word[i], &thread))
			failed |= error_add(e, STATUS_USAGE, list.at,
				"vectorPerThread: '%s' is not the number of a thread",
				list.word[i]);
		else if (thread >= (uint64_t)p->nthreads)
			failed |= plan_no_thread(p, "vectorPerThread", thread, list.at, e);
		else
			failed |= give(p, (int)thread, vector, &list, i, e);
	}
	words_free(&list);
	return failed;
}

/* The value as one text again: commas, not blanks, divide the groups. */
static char *join(const struct words *w)
{
	size_t length = 0;

	for (size_t i = 0; i < w->count; i++)
		length += strlen(w->word[i]) + 1;
	char *text = alloc_zeroed(length + 1, 1), *end = text;
	for (size_t i = 0; i < w->count; i++) {
		end = stpcpy(end, w->word[i]);
		*end++ = ' ';
	}
	return text;
}

/* own: each thread gets the same number of vectors, for itself alone. */
static int deal_out(struct plan *p, struct errors *e)
{
	const struct words one = {.count = 1, .at = p->request->vector_per_thread.at};
	int each = p->nthreads ? p->nvectors / p->nthreads : 0, failed = 0;

	if (!each || p->nvectors % p->nthreads) {
		error_add(e, STATUS_USAGE, one.at,
			"vectorPerThread: own needs as many vectors for each thread; there %s %d "
			"vector%s and %d thread%s",
			p->nvectors == 1 ? "is" : "are", p->nvectors,
			text_s((unsigned long long)p->nvectors), p->nthreads,
			text_s((unsigned long long)p->nthreads));
		return error_hint(e, "nodePerVector: first* is a vector for every thread");
	}
	for (int v = 0; v < p->nvectors; v++)
		failed |= give(p, v / each, v, &one, 0, e);
	return failed;
}

static int read_groups(struct plan *p, struct errors *e)
{
	struct words groups = {0};
	struct place at = p->request->vector_per_thread.at;
	char *text = join(&p->request->vector_per_thread);
	size_t uses = 0;
	int failed = 0;

	words_split(&groups, text, ",");
	free(text);
	if (groups.count != (size_t)p->nvectors) {
		failed = error_add(e, STATUS_USAGE, at,
			"vectorPerThread has %zu group%s, but there %s %d vector%s", groups.count,
			text_s(groups.count), p->nvectors == 1 ? "is" : "are", p->nvectors,
			text_s((unsigned)p->nvectors));
		error_hint(e, "a group of threads for each vector, divided by commas: 0 1, 2 3");
	}
	bool fits = groups.count == (size_t)p->nvectors;
	for (int i = 0; fits && i < p->nvectors && uses <= MAX_USES; i++)
		failed |= read_group(p, i, groups.word[i], &uses, e);
	words_free(&groups);
	return failed;
}

/* The first thread that uses each vector; thread 0 for a vector without users. */
static int *find_owners(const struct plan *p)
{
	int *owners = alloc_zeroed((size_t)p->nvectors, sizeof(*owners));

	for (int i = p->nthreads - 1; i >= 0; i--)
		for (int k = 0; k < p->threads[i].nvectors; k++)
			owners[p->threads[i].vector_ids[k]] = i;
	return owners;
}

static int set_toucher(
	struct plan *p, int vector, int owner, const char *word, struct place at, struct errors *e)
{
	struct plan_vector *v = &p->vectors[vector];
	struct value_init asked;

	v->toucher = -1;
	if (values_init(&asked, word, at, e))
		return -1;
	if (asked.init == INIT_THREAD && asked.thread >= (uint64_t)p->nthreads)
		return plan_no_thread(p, "initPerVector", asked.thread, at, e);
	v->init = asked.init;
	if (v->init == INIT_THREAD)
		v->toucher = (int)asked.thread;
	/* A vector without a node of its own lies on the node of the thread that touches it: its
	 * first user. */
	if (v->init == INIT_NODE && v->node < 0)
		v->init = INIT_OWNER;
	if (v->init == INIT_OWNER)
		v->toucher = owner;
	return 0;
}

static int set_touchers(struct plan *p, struct errors *e)
{
	struct words list;
	int failed = 0;

	if (plan_vector_list(p, &p->request->init_per_vector, "initPerVector", &list, e))
		return -1;
	int *owners = find_owners(p);
	for (int i = 0; i < p->nvectors; i++)
		failed |= set_toucher(p, i, owners[i], list.word[i], list.at, e);
	free(owners);
	words_free(&list);
	return failed;
}

int plan_use(struct plan *p, struct errors *e)
{
	if (!p->nvectors) {
		if (!p->request->vector_per_thread.count)
			return 0;
		error_add(e, STATUS_USAGE, p->request->vector_per_thread.at,
			"vectorPerThread needs vectors, but nodePerVector is missing");
		return error_hint(
			e, "add nodePerVector and sizePerVector, or leave vectorPerThread out");
	}
	if (!p->request->vector_per_thread.count) {
		error_add(e, STATUS_USAGE, (struct place){p->path, 0},
			"missing key 'vectorPerThread': which threads use which vector");
		return error_hint(e, "vectorPerThread: all gives every vector to every thread");
	}
	const struct words *use = &p->request->vector_per_thread;
	bool own = use->count == 1 && !strcmp(use->word[0], "own");
	int failed = own ? deal_out(p, e) : read_groups(p, e);
	if (!failed)
		failed = plan_divided(p, e);
	else
		plan_refuse_vectors(p);
	failed |= plan_named(p, e);
	return failed | set_touchers(p, e);
}

bool *plan_cpus(const struct plan *p)
{
	bool *used = alloc_zeroed((size_t)p->topo->ncpu_index + 1, sizeof(*used));

	for (int i = 0; i < p->nthreads; i++) {
		if (p->threads[i].cpu == UNBOUND) {
			free(used);
			return NULL;
		}
		used[p->threads[i].cpu] = true;
	}
	for (int i = 0; i < p->nvectors; i++)
		for (int k = 0; k < p->vectors[i].nsteps; k++)
			used[p->vectors[i].steps[k].cpu] = true;
	return used;
}
