/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the values of vectors. */
#include "input/values.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/list.h"

const char *const element_names[] = {"char", "short", "int", "long", "float", "double", NULL};
const char *const pages_names[] = {"system", "4K", "thp", "2M", "1G", "base", "16K", "64K", "32M",
	"512M", "16G", "thp:16K", "thp:32K", "thp:64K", "thp:128K", "thp:256K", "thp:512K",
	"thp:1M", "thp:2M", "thp:4M", "thp:8M", "thp:16M", "thp:32M", "thp:64M", "thp:128M",
	"thp:256M", "thp+base", NULL};
const char *const init_names[] = {"node", "owner", "main", "thread", NULL};
const char *const touch_order_names[] = {"any", "hot_first", "hot_last", NULL};
const char *const placement_names[] = {"", "local_2m", "local_2m_4k", "local_4k", "interleave_2m",
	"remote_2m", "local_frag", "rhp_frag", "rhp_frag_profiler", NULL};
const char *const division_names[] = {"", "replicate", "slices", NULL};
const char *const state_names[] = {"none", "M", "E", "S", "O", "F", "I", NULL};

/* Larger caches are no one's yet; more cores than Linux has CPUs share none. */
#define MAX_CACHE   (UINT64_C(1) << 50)
#define MAX_SHARERS LINUX_CPUS

static int find_word(const char *const *names, const char *word)
{
	for (int i = 0; names[i]; i++)
		if (!strcmp(names[i], word))
			return i;
	return -1;
}

int values_choice(int *index, const char *const *names, const char *word, const char *key,
	struct place at, struct errors *e)
{
	int found = find_word(names, word);
	char known[512];
	size_t count = 0;

	if (found >= 0) {
		*index = found;
		return 0;
	}
	while (names[count])
		count++;
	const char *nearest = text_nearest(word, names, count);
	error_unknown(e, STATUS_USAGE, at, nearest, "%s: unknown value '%s'", key, word);
	return error_hint(e, "%s", text_one_of(names, known, sizeof(known)));
}

/* What follows a prefix, or NULL. */
static const char *behind(const char *word, const char *prefix)
{
	size_t length = strlen(prefix);

	return strncmp(word, prefix, length) ? NULL : word + length;
}

static int refuse_weight(const char *word, struct place at, struct errors *e)
{
	error_add(e, STATUS_USAGE, at,
		"nodePerVector: '%s' is not a node with a weight from 1 to %d", word,
		VALUES_WEIGHT_MAX);
	return error_hint(e,
		"weighted:0=3,1=1 gives node 0 three pages for each page of node 1; weighted:3,1 "
		"has a weight for each node of a machine of two");
}

static int read_weight(const char *text, unsigned *out)
{
	uint64_t weight;

	if (text_count(text, &weight) || !weight || weight > VALUES_WEIGHT_MAX)
		return -1;
	*out = (unsigned)weight;
	return 0;
}

/* "3,1": no nodes are named. */
static bool read_weights_alone(struct value_nodes *v)
{
	const struct place at = v->nodes.at;

	for (size_t i = 0; i < v->nodes.count; i++)
		if (read_weight(v->nodes.word[i], &v->weights[i]))
			return false;
	v->nweights = v->nodes.count;
	words_free(&v->nodes);
	v->nodes.at = at;
	return true;
}

/* "0=3,far(0)=1": cuts the weights off the words. */
static int read_weights(struct value_nodes *v, const char *list, struct place at, struct errors *e)
{
	list_split(&v->nodes, list);
	v->policy = MEM_INTERLEAVE;
	v->weights = alloc_zeroed(v->nodes.count + 1, sizeof(*v->weights));
	if (!v->nodes.count)
		return refuse_weight(list, at, e);
	if (read_weights_alone(v))
		return 0;
	for (size_t i = 0; i < v->nodes.count; i++) {
		char *equals = strrchr(v->nodes.word[i], '=');

		if (!equals || equals == v->nodes.word[i] ||
			read_weight(equals + 1, &v->weights[i])) {
			refuse_weight(v->nodes.word[i], at, e);
			words_free(&v->nodes); /* what is no pair would be no node either */
			return -1;
		}
		*equals = '\0';
	}
	return 0;
}

/* Policies for the nodes of a list. 0: the word is none of them. */
static int read_list(struct value_nodes *v, const char *word, struct place at, struct errors *e)
{
	static const struct {
		const char *before;
		enum mem_policy policy;
	} lists[] = {{"interleave:", MEM_INTERLEAVE}, {"bind:", MEM_BIND},
		{"preferred:", MEM_PREFERRED}};

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		const char *list = behind(word, lists[i].before);

		if (!list)
			continue;
		v->policy = lists[i].policy;
		list_split(&v->nodes, list);
		if (v->nodes.count)
			return 1;
		error_add(
			e, STATUS_USAGE, at, "nodePerVector: '%s' names no node", lists[i].before);
		return error_hint(e, "for example %s0,1, without blanks", lists[i].before);
	}
	return 0;
}

int values_nodes(struct value_nodes *v, const char *word, struct place at, struct errors *e)
{
	const char *weights = behind(word, "weighted:");

	*v = (struct value_nodes){.nodes.at = at};
	if (!strcmp(word, "local")) {
		v->policy = MEM_LOCAL;
		return 0;
	}
	if (find_word(placement_names, word) > 0) {
		v->placement = (enum vector_placement)find_word(placement_names, word);
		return 0;
	}
	if (find_word(division_names, word) > 0) {
		v->division = (enum vector_division)find_word(division_names, word);
		return 0;
	}
	if (weights && !strcmp(weights, "measured")) {
		v->policy = MEM_INTERLEAVE;
		v->measured = true;
		return 0;
	}
	if (weights)
		return read_weights(v, weights, at, e);
	if (!strcmp(word, "interleave")) {
		v->policy = MEM_INTERLEAVE;
		return 0;
	}
	const int listed = read_list(v, word, at, e);

	if (listed)
		return listed < 0 ? -1 : 0;
	v->policy = MEM_BIND;
	words_add(&v->nodes, word, strlen(word));
	return 0;
}

/* "8xL3", "4xcaches/core", "4xcaches/thread" */
static int read_caches(struct value_size *v, const char *word, struct place at, struct errors *e)
{
	const char *x = strchr(word, 'x'), *each = strchr(x, '/');
	char *times = alloc_string(word, (size_t)(x - word));
	char *name = alloc_string(x + 1, each ? (size_t)(each - x - 1) : strlen(x + 1));
	uint64_t level = 0;
	bool all = !strcmp(name, "caches"), last = !strcmp(name, "LLC");
	bool side = !strcmp(name, "memcache");
	bool per_core = each && !strcmp(each, "/core"),
	     per_thread = each && !strcmp(each, "/thread");
	bool bad =
		text_real(times, &v->part) || v->part <= 0 || (each && !per_core && !per_thread) ||
		(!all && !last && !side &&
			(*name != 'L' || text_count(name + 1, &level) || level < 1 || level > 4));

	free(times);
	free(name);
	v->kind = SIZE_CACHES;
	v->level = bad ? 0 : (int)level; /* the plan goes on, to find further mistakes */
	v->last = last;
	v->side = side;
	v->per_core = per_core;
	v->per_thread = per_thread;
	if (!bad)
		return 0;
	return error_add(e, STATUS_USAGE, at,
		"sizePerVector: '%s' is not of the form 8xL3 (a positive number, xL, 1 to 4), "
		"8xLLC, 8xcaches, 8xL3/core or 8xL3/thread",
		word);
}

/* "64KB", "64mb" */
static const char *hint_unit(const char *word)
{
	const char *unit = word + strspn(word, "0123456789.");

	if (unit == word || strlen(unit) != 2 || tolower((unsigned char)unit[1]) != 'b')
		return "";
	switch (tolower((unsigned char)*unit)) {
	case 'k':
		return "kB is 1000 bytes, KiB 1024; ";
	case 'm':
		return "MB is 10^6 bytes, MiB 2^20; ";
	case 'g':
		return "GB is 10^9 bytes, GiB 2^30; ";
	}
	return "";
}

static int refuse_size(const char *word, struct place at, struct errors *e)
{
	char *meant = text_bytes_meant(word);

	error_unknown(e, STATUS_USAGE, at, meant, "sizePerVector: '%s' is not a size", word);
	free(meant);
	return error_hint(e,
		"%s209715200 elements, 200MiB, 8xL3 (times a cache), 8xLLC (the last one), "
		"8xcaches "
		"(all of them), 4xcaches/thread (of all threads together), 50%% (of the node's "
		"memory), max(4GiB,4xcaches)",
		*word == '-' ? "a size cannot be negative; " : hint_unit(word));
}

/* "64x4160B": so many times a size, such as places of a stride. */
static int read_times(struct value_size *v, const char *word, struct place at, struct errors *e)
{
	const char *x = strchr(word, 'x');
	char *times = alloc_string(word, (size_t)(x - word));
	uint64_t n, bytes;
	bool bad = text_count(times, &n) || text_bytes(x + 1, &bytes);

	free(times);
	v->kind = SIZE_BYTES;
	if (bad)
		return refuse_size(word, at, e);
	if (!__builtin_mul_overflow(n, bytes, &v->number))
		return 0;
	return error_add(
		e, STATUS_USAGE, at, "sizePerVector: '%s' exceeds the address space", word);
}

static int read_share(struct value_size *v, const char *word, struct place at, struct errors *e)
{
	v->kind = SIZE_SHARE;
	if (!text_fraction(word, &v->part) && v->part > 0 && v->part <= 1)
		return 0;
	return error_add(e, STATUS_USAGE, at,
		"sizePerVector: '%s' is not a share of a node's memory, above 0 and up to 100%%",
		word);
}

int values_size(struct value_size *v, const char *word, struct place at, struct errors *e)
{
	*v = (struct value_size){.kind = SIZE_ELEMENTS};
	if (!text_count(word, &v->number))
		return 0;
	if (strspn(word, "0123456789") == strlen(word))
		return error_add(e, STATUS_USAGE, at,
			"sizePerVector: %s elements exceed the address space", word);
	if (strstr(word, "xL") || strstr(word, "xcaches") || strstr(word, "xmemcache"))
		return read_caches(v, word, at, e);
	if (strchr(word, '%'))
		return read_share(v, word, at, e);
	if (strchr(word, 'x'))
		return read_times(v, word, at, e);
	v->kind = SIZE_BYTES;
	return text_bytes(word, &v->number) ? refuse_size(word, at, e) : 0;
}

/* "32M/8": one for eight cores. */
static int read_cache(
	struct topo_given_cache *c, const char *word, struct place at, struct errors *e)
{
	const char *slash = strchr(word, '/');
	char *size = alloc_string(word, slash ? (size_t)(slash - word) : strlen(word));
	uint64_t cores = 1;
	bool bad = text_bytes(size, &c->bytes) || !c->bytes || c->bytes > MAX_CACHE ||
		   (slash && (text_count(slash + 1, &cores) || !cores || cores > MAX_SHARERS));

	free(size);
	c->cores = (int)cores;
	if (!bad)
		return 0;
	error_add(e, STATUS_USAGE, at, "caches: '%s' is not the size of a cache", word);
	return error_hint(e, "from L1 on, each with a unit, and after / how many cores share one: "
			     "caches: 64K 1M 32M/8");
}

int values_caches(
	struct topo_given_cache *list, int *levels, const struct words *words, struct errors *e)
{
	int failed = 0;

	*levels = (int)words->count;
	if (words->count > VALUES_CACHES) {
		error_add(e, STATUS_USAGE, words->at, "caches has %zu values, levels are 1 to %d",
			words->count, VALUES_CACHES);
		return error_hint(e, "one for each level, from L1 on: caches: 64K 1M 32M/8");
	}
	for (size_t i = 0; i < words->count; i++) {
		failed |= read_cache(&list[i], words->word[i], words->at, e);
		if (failed || !i || list[i].bytes >= list[i - 1].bytes)
			continue;
		failed = error_add(e, STATUS_USAGE, words->at,
			"caches: '%s' of level %zu is smaller than the level before",
			words->word[i], i + 1);
		error_hint(e, "from L1 on: caches: 64K 1M 32M/8");
	}
	return failed;
}

int values_init(struct value_init *v, const char *word, struct place at, struct errors *e)
{
	const char *number = behind(word, "thread:");
	int found = find_word(init_names, word);

	*v = (struct value_init){.init = INIT_THREAD};
	if (number && !text_count(number, &v->thread))
		return 0;
	if (found >= 0 && found != INIT_THREAD) {
		v->init = (enum vector_init)found;
		return 0;
	}
	error_add(e, STATUS_USAGE, at, "initPerVector: unknown value '%s'", word);
	return error_hint(e, "node, owner, main or thread:K");
}

int values_state(enum vector_state *v, const char *word, struct place at, struct errors *e)
{
	int found = find_word(state_names, word);

	if (found >= 0) {
		*v = (enum vector_state)found;
		return 0;
	}
	error_add(e, STATUS_USAGE, at, "statePerVector: unknown value '%s'", word);
	return error_hint(e, "M, E, S, O, F, I or none");
}

static int read_owner(struct value_owner *v, const char *word, struct place at, struct errors *e)
{
	const char *thread = behind(word, "thread:"), *cpu = behind(word, "cpu:");

	*v = (struct value_owner){.is_cpu = cpu};
	if (cpu && text_count(cpu, &v->number))
		return error_add(e, STATUS_USAGE, at,
			"ownerPerVector: '%s' is not the number of a CPU", cpu);
	if (thread && text_count(thread, &v->number))
		return error_add(e, STATUS_USAGE, at,
			"ownerPerVector: '%s' is not the number of a thread", thread);
	if (cpu || thread)
		return 0;
	error_add(e, STATUS_USAGE, at, "ownerPerVector: unknown value '%s'", word);
	return error_hint(e, "thread:K or cpu:N, with a second one after a comma for states S, O "
			     "and F: thread:1,cpu:4");
}

int values_owners(struct value_owners *v, const char *word, struct place at, struct errors *e)
{
	struct words parts = {0};
	int failed = 0;

	*v = (struct value_owners){0};
	if (!strcmp(word, "none"))
		return 0;
	words_split(&parts, word, ",");
	v->count = parts.count;
	for (size_t i = 0; i < parts.count && i < 2 && !failed; i++)
		failed = read_owner(&v->owner[i], parts.word[i], at, e);
	words_free(&parts);
	return failed;
}
