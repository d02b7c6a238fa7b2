/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens the values that are to be searched. */
#include "prediction/advice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "input/registry.h"

#define OPEN '?'
/* Each is planned: some seconds, and some hundred MB. */
#define ALL 10000
/* Their numbers are whole numbers also in floating point. */
#define MOST 1e15
/* Of values; each is a variable of the sweep, also where only one value can be chosen. */
#define MOST_OPEN 1024

static const struct searched {
	const char *key, *values;
	size_t count; /* of values, at most, besides one for each node; 0: only these */
	bool nodes;
	bool divided; /* in files all of whose kernels divide what their threads share */
} searched[] = {{"nodePerVector", "nodes interleave slices replicate", 3, true, true},
	{"nodePerVector", "nodes", 0, true, false}, {"nodePerThread", "cpunodes", 0, true, false},
	{"pagesPerVector", "system 4K thp 2M", 4, false, false},
	/* the work is the same for any number of them */
	{"threads", "1..cores*2 cores..cores cpus..cpus", 32, false, true}};
#define ROWS (sizeof(searched) / sizeof(*searched))

static bool has_one_memory(const struct topo *t)
{
	int targets = 0;

	for (int i = 0; i < t->nnodes; i++)
		targets += topo_is_target(&t->nodes[i]);
	return targets == 1;
}

/* Where one node has all memory, the pages of a vector are the same in every division. */
static bool is_of_use(const struct topo *t, const struct searched *row)
{
	return !row->nodes || !row->divided || !has_one_memory(t);
}

/* Do all kernels of the file divide a vector among the threads that share it? */
static bool divides(const struct args *a)
{
	bool all = true, any = false;

	for (size_t i = 0; i < a->count; i++) {
		struct words words = {0};

		if (strcmp(a->entries[i].key, "kernels") != 0 &&
			strcmp(a->entries[i].key, "opType") != 0)
			continue;
		words_split(&words, a->entries[i].value, " \t+");
		for (size_t k = 0; k < words.count; k++) {
			const struct kernel *kernel = registry_find(words.word[k]);

			any = true;
			all &= kernel && kernel->accesses.divides;
		}
		words_free(&words);
	}
	return any && all;
}

/* NULL: it is not searched in this file. */
static const struct searched *row_of(const struct args *a, const struct topo *t, const char *key)
{
	for (size_t i = 0; i < ROWS; i++)
		if (!strcmp(key, searched[i].key) && (!searched[i].divided || divides(a)) &&
			is_of_use(t, &searched[i]))
			return &searched[i];
	return NULL;
}

bool advice_searches(const char *key)
{
	for (size_t i = 0; i < ROWS; i++)
		if (!strcmp(key, searched[i].key))
			return true;
	return false;
}

/* "?*3" are three values, each of them open, and "?*" is one for all that are left. Returns how
 * many are open, 0 for another word; *behind is what follows each: "" or "*". */
static size_t open_in(const char *word, const char **behind)
{
	uint64_t n = 1;

	*behind = "";
	if (*word != OPEN)
		return 0;
	if (!strcmp(word + 1, "*"))
		*behind = word + 1;
	else if (word[1] && (word[1] != '*' || text_count(word + 2, &n)))
		return 0;
	return n <= MOST_OPEN ? n : MOST_OPEN + 1;
}

/* Does --set give this key another value? */
static bool is_replaced(const struct args *a, const struct entry *entry)
{
	for (const struct entry *later = entry + 1; later < a->entries + a->count; later++)
		if (!strcmp(later->key, entry->key) && strcmp(entry->key, "sweep") != 0)
			return true;
	return false;
}

static size_t count_open(const struct args *a, const struct entry *entry)
{
	const char *behind;
	struct words words = {0};
	size_t n = 0;

	if (is_replaced(a, entry))
		return 0;
	words_split(&words, entry->value, " \t");
	for (size_t i = 0; i < words.count; i++)
		n += open_in(words.word[i], &behind);
	words_free(&words);
	return n;
}

/* The value with a variable in place of each `?`; *next is the number of the first. */
static char *with_variables(const struct entry *entry, size_t *next)
{
	struct words words = {0};
	char *value = alloc_string("", 0);

	words_split(&words, entry->value, " \t");
	for (size_t i = 0; i < words.count; i++) {
		const char *behind;
		const size_t n = open_in(words.word[i], &behind);

		if (!n)
			alloc_append(&value, " ", "%s", words.word[i]);
		for (size_t k = 0; k < n; k++)
			alloc_append(&value, " ", "$open%zu%s", (*next)++, behind);
	}
	words_free(&words);
	return value;
}

static int refuse_entry(const struct args *a, const struct entry *entry, struct errors *e)
{
	error_add(e, STATUS_USAGE, entry->at, "'%s: ?' cannot be searched", entry->key);
	if (advice_searches(entry->key) && !divides(a))
		return error_hint(e, "the number of threads can where their kernels divide the "
				     "work, as gemv does; others do more, the more they are");
	return error_hint(e, "nodePerVector, nodePerThread and pagesPerVector can");
}

static int check_entries(const struct args *a, const struct topo *t, struct errors *e)
{
	size_t open = 0;

	for (size_t i = 0; i < a->count; i++) {
		const struct entry *entry = &a->entries[i];

		if (!strcmp(entry->key, "sweep")) {
			error_add(e, STATUS_USAGE, entry->at,
				"--advise searches one experiment, and a sweep makes several");
			return error_hint(e, "write the values of one of its runs into the file");
		}
		if (row_of(a, t, entry->key))
			open += count_open(a, entry);
		else if (count_open(a, entry))
			return refuse_entry(a, entry, e);
	}
	if (open > MOST_OPEN) {
		error_add(e, STATUS_USAGE, (struct place){args_name(a->path), 0},
			"leaves more than %d values open", MOST_OPEN);
		return error_hint(e, "nodePerVector: ?* is one value for all vectors");
	}
	if (open)
		return 0;
	error_add(e, STATUS_USAGE, (struct place){args_name(a->path), 0}, "leaves no value open");
	return error_hint(e, "nodePerVector: ? ? and --advise choose the nodes of two vectors; "
			     "--predict predicts the file as it is");
}

int advice_closed(const struct args *a, struct errors *e)
{
	int failed = 0;

	for (size_t i = 0; i < a->count; i++) {
		const struct entry *entry = &a->entries[i];

		if (advice_searches(entry->key) && count_open(a, entry))
			failed = error_add(e, STATUS_USAGE, entry->at,
				"'%s: %s' leaves a value open", entry->key, entry->value);
	}
	if (!failed)
		return 0;
	return error_hint(e, "affinity --advise PROFILE ARGS chooses it by a profile of the "
			     "machine (scripts/ejec.sh args/profile); else write a value");
}

static double choices_of(const struct topo *t, const struct searched *row)
{
	return (double)row->count + (row->nodes ? (double)t->nnodes : 0);
}

static double placements(const struct args *a, const struct topo *t)
{
	double all = 1;

	for (size_t i = 0; i < a->count; i++) {
		const struct searched *row = row_of(a, t, a->entries[i].key);

		if (row)
			all *= pow(choices_of(t, row), (double)count_open(a, &a->entries[i]));
	}
	return all;
}

static int check_number(const struct args *a, const struct topo *t, struct errors *e)
{
	const double all = placements(a, t);

	if (all <= MOST)
		return 0;
	error_add(e, STATUS_USAGE, (struct place){args_name(a->path), 0},
		"leaves %.3g placements open, and --advise searches %.0g at most", all, MOST);
	return error_hint(e, "write a value in place of some ?: threads that do the same may be "
			     "given in one order");
}

int advice_open(struct args *a, const struct topo *t, struct errors *e)
{
	const size_t count = a->count;
	size_t next = 0;

	if (check_entries(a, t, e) || check_number(a, t, e))
		return -1;
	for (size_t i = 0; i < count; i++) {
		const struct searched *row = row_of(a, t, a->entries[i].key);
		size_t first = next;

		if (!row || !count_open(a, &a->entries[i]))
			continue;
		char *value = with_variables(&a->entries[i], &next);

		free(a->entries[i].value);
		a->entries[i].value = value;
		for (; first < next; first++) {
			char *sweep = alloc_format("open%zu = %s", first, row->values);

			args_add(a, "sweep", sweep, NOWHERE);
			free(sweep);
		}
	}
	return 0;
}

/* By the variables of advice_open(). */
bool advice_is_large(const struct args *a, const struct topo *t)
{
	double all = 1;

	for (size_t i = 0; i < a->count; i++) {
		const struct entry *entry = &a->entries[i];
		const char *equals = strstr(entry->value, " = ");

		if (strcmp(entry->key, "sweep") != 0 || strncmp(entry->value, "open", 4) != 0 ||
			!equals)
			continue;
		for (size_t k = 0; k < ROWS; k++)
			if (!strcmp(equals + 3, searched[k].values))
				all *= choices_of(t, &searched[k]);
	}
	return all > ALL;
}
