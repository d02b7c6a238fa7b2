/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Resolves names and expressions of nodes against the machine. */
#include "input/names.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/linux.h"
#include "base/list.h"
#include "input/tiers.h"

/* far(near(far(X))) and kind(HBM,far(X)) are shorter; each level of a longer one would be a level
 * of recursion. */
#define MAX_EXPRESSION 100

static struct name *find_name(const struct names *n, const char *text)
{
	for (size_t i = 0; i < n->count; i++)
		if (!strcmp(n->list[i].name, text))
			return &n->list[i];
	return NULL;
}

bool names_defined(const struct names *n, const char *text)
{
	return find_name(n, text);
}

/* Which numbers of the level this process may use; of memory those that vectors may be on. */
static void find_usable(const struct topo *t, const char *level, bool memory, bool *usable)
{
	for (int i = 0; i < t->ncpus && strcmp(level, "node") != 0; i++)
		if (t->cpus[i].allowed)
			usable[*level == 'c' ? t->cpus[i].core : t->cpus[i].cpu] = true;
	for (int i = 0; i < t->nnodes && !strcmp(level, "node"); i++)
		usable[t->nodes[i].node] =
			memory ? topo_is_target(&t->nodes[i]) : t->nodes[i].allowed_cpus > 0;
}

/* Keeps of the usable ones those that the word names; false: it is no word of numactl. */
static bool keep_named(const char *text, bool *usable, size_t n)
{
	bool *named = alloc_zeroed(n, sizeof(*named));
	const bool all = !strcmp(text, "all"), relative = *text == '+';
	const bool known = all || ((relative || *text == '!') &&
					  text_parse_ranges(text + 1, named, (int)n) > 0);
	size_t at = 0;

	for (size_t i = 0; i < n && known && !all; i++)
		if (usable[i])
			usable[i] = relative ? named[at++] : !named[i];
	free(named);
	return known;
}

/* Other keys take several nodes, or places of threads. */
static bool takes_one_node(const char *key)
{
	static const char *const keys[] = {
		"tablesPerVector", "pageCachePerVector", "leaveHuge", "let"};

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (!strcmp(key, keys[i]))
			return true;
	return false;
}

int names_refuse_numactl(const struct topo *t, const char *level, const char *text, const char *key,
	struct place at, struct errors *e)
{
	const bool one = takes_one_node(key), memory = one || !strcmp(key, "nodePerVector");
	const size_t n = (size_t)(t->ncpu_index > LINUX_NODES ? t->ncpu_index : LINUX_NODES) + 1;
	bool *usable = alloc_zeroed(n, sizeof(*usable));
	char ranges[256], *list = NULL;
	int count = 0;

	find_usable(t, level, memory, usable);
	const bool known = keep_named(text, usable, n);

	for (size_t i = 0; i < n; count += usable[i++])
		if (usable[i])
			alloc_append(&list, ",", "%zu", i);
	text_ranges(usable, n, ranges, sizeof(ranges));
	free(usable);
	if (known) {
		error_add(e, STATUS_USAGE, at, "%s: '%s' is a word of numactl", key, text);
		if (!count)
			error_hint(e, "here it names none that may be used");
		else if (one)
			error_hint(e, "here it names node%s %s: write the number of one",
				text_s((unsigned long long)count), list);
		else if (memory)
			error_hint(e, "here it is nodePerVector: %s%s", count > 1 ? "bind:" : "",
				list);
		else
			error_hint(e, "here it is placePerThread: %s(%s)", level, ranges);
	}
	free(list);
	return known ? -1 : 0;
}

static int refuse_unknown_name(
	const struct names *n, const char *text, const char *key, struct place at, struct errors *e)
{
	const char **list = alloc_zeroed(n->count + 1, sizeof(*list));
	const char *nearest;

	if (names_refuse_numactl(n->topo, "node", text, key, at, e)) {
		free(list);
		return NAMES_FAILED;
	}
	for (size_t i = 0; i < n->count; i++)
		list[i] = n->list[i].name;
	nearest = text_nearest(text, list, n->count);
	free(list);
	error_unknown(e, STATUS_USAGE, at, nearest,
		"%s: '%s' is neither a node's number nor a name of let", key, text);
	if (strchr(text, ',') && !strpbrk(text, ":("))
		error_hint(e, "blanks divide nodes, not commas: %s: 0 1", key);
	else
		error_hint(e,
			"write a node as 0, first, far(0), near(0), kind(HBM), best(bandwidth), or "
			"a name defined by 'let: X=0'%s",
			strcmp(key, "nodePerVector")
				? ""
				: "; or a policy: local, interleave, interleave:0,1, preferred:0");
	return NAMES_FAILED;
}

/* far(...) and near(...) */
static int by_distance(const struct names *n, const struct list_call *c, const char *text,
	const char *key, struct place at, struct errors *e)
{
	const bool far = !strcmp(c->name, "far");
	const int from = names_node(n, c->arguments.word[0], key, at, e);

	if (from == NAMES_FAILED)
		return NAMES_FAILED;
	if (!topo_node(n->topo, from)) {
		error_add(e, STATUS_PLACEMENT, at, "%s: node %d of '%s' does not exist", key, from,
			text);
		error_hint(e, "affinity --topology shows the nodes");
		return NAMES_FAILED;
	}
	int node = far ? topo_far(n->topo, from) : topo_near(n->topo, from);
	if (node < 0) {
		error_add(e, STATUS_PLACEMENT, at,
			"%s: '%s' needs a second node with CPUs and memory; %s has none that may "
			"be used",
			key, text, n->topo->source);
		error_hint(e, "affinity --topology shows the nodes");
		return NAMES_FAILED;
	}
	return node;
}

static int by_call(const struct names *n, const struct list_call *c, const char *text,
	const char *key, struct place at, struct errors *e)
{
	if ((!strcmp(c->name, "far") || !strcmp(c->name, "near")) && c->arguments.count == 1)
		return by_distance(n, c, text, key, at, e);
	if (tiers_named(c))
		return tiers_node(n, c, text, key, at, e);
	return refuse_unknown_name(n, text, key, at, e);
}

int names_node(
	const struct names *n, const char *text, const char *key, struct place at, struct errors *e)
{
	const struct name *name = find_name(n, text);
	struct list_call call = {0};
	uint64_t number;

	if (name)
		return name->node;
	if (!text_count(text, &number) && number < INT_MAX)
		return (int)number;
	if (!strcmp(text, "first")) {
		int node = topo_first(n->topo);
		if (node < 0) {
			error_add(e, STATUS_PLACEMENT, at,
				"%s: no node of %s can hold both threads and vectors", key,
				n->topo->source);
			error_hint(e, "affinity --topology shows the nodes");
		}
		return node < 0 ? NAMES_FAILED : node;
	}
	const bool called = strlen(text) <= MAX_EXPRESSION && list_call_read(&call, text);
	const int node = called ? by_call(n, &call, text, key, at, e)
				: refuse_unknown_name(n, text, key, at, e);

	list_call_free(&call);
	return node;
}

static bool is_name(const char *text)
{
	if (!isalpha((unsigned char)*text) && *text != '_')
		return false;
	for (const char *c = text; *c; c++)
		if (!isalnum((unsigned char)*c) && *c != '_')
			return false;
	return strcmp(text, "first") && strcmp(text, "far") && strcmp(text, "near") &&
	       strcmp(text, "interleave") && strcmp(text, "weighted") &&
	       strcmp(text, "preferred") && strcmp(text, "local") && strcmp(text, "none");
}

static size_t length_of_name(const char *word)
{
	const char *equals = strchr(word, '=');

	return equals ? (size_t)(equals - word) : strlen(word);
}

/* The last definition of a name counts, at the place of its first one, so that --set let=X=2 also
 * changes Y=far(X) of the file. */
static const char *last_definition(const struct words *let, size_t index)
{
	const char *word = let->word[index];
	size_t length = length_of_name(word);

	for (size_t i = let->count; i-- > index;)
		if (length_of_name(let->word[i]) == length && !strncmp(let->word[i], word, length))
			return let->word[i];
	return word;
}

static void define(struct names *n, const char *word, struct place at, struct errors *e)
{
	const char *equals = strchr(word, '=');
	char *name = alloc_string(word, length_of_name(word));

	if (!equals || !equals[1] || !is_name(name)) {
		error_add(e, STATUS_USAGE, at, "let: '%s' is not of the form NAME=NODE", word);
		error_hint(e,
			"for example let: X=0 Y=far(X); no spaces around =, and names such as "
			"first, far or local are taken");
		free(name);
		return;
	}
	if (find_name(n, name)) {
		free(name);
		return;
	}
	int node = names_node(n, equals + 1, "let", at, e);
	n->list = alloc_grow(n->list, n->count, sizeof(*n->list));
	n->list[n->count++] = (struct name){name, node};
}

int names_read(struct names *n, const struct words *let, const struct topo *t, struct errors *e)
{
	size_t before = e->failures;

	*n = (struct names){.topo = t};
	for (size_t i = 0; i < let->count; i++)
		define(n, last_definition(let, i), let->at, e);
	return e->failures == before ? 0 : -1;
}

void names_free(struct names *n)
{
	for (size_t i = 0; i < n->count; i++)
		free(n->list[i].name);
	free(n->list);
	*n = (struct names){0};
}
