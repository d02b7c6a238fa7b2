/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How entries become a request.
 *
 * args.c reads lines, sweep.c gives each run the file with the values of its variables, keys.c has
 * a row for each key, and request.c makes typed fields of the lines by these rows (param.c).
 * values.c reads words of vectors, places.c and names.c words of places and nodes, registry.c words
 * of kernels; where a word is wrong, synonyms.c knows what was meant.
 */
#include "input/request.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "input/param.h"
#include "input/synonyms.h"
#include "mapping/mapping.h"

static const struct param *find_parameter(const char *name)
{
	const struct param *found = param_find(common_params, name);

	for (const struct kernel_id *k = kernel_map; !found && k->id; k++)
		found = param_find(k->kernel->params, name);
	return found;
}

bool request_is_parameter(const char *name)
{
	return find_parameter(name);
}

const struct param *request_find(const char *name)
{
	const struct param *key = param_find(request_keys, name);

	return key ? key : find_parameter(name);
}

/* A kernel takes pairs that no table names. Whether the file names it is the plan's question. */
static bool any_pairs(void)
{
	for (const struct kernel_id *k = kernel_map; k->id; k++)
		if (param_find_pairs(k->kernel->params))
			return true;
	return false;
}

static size_t append_names(const char **names, size_t count, const struct param *table)
{
	for (const struct param *p = table; p && p->name; p++) {
		if (names)
			names[count] = p->name;
		count++;
		if (names && p->alias)
			names[count] = p->alias;
		count += p->alias != NULL;
	}
	return count;
}

/* names NULL: only counts. */
static size_t all_names(const char **names)
{
	size_t count = append_names(names, 0, request_keys);

	count = append_names(names, count, common_params);
	for (const struct kernel_id *k = kernel_map; k->id; k++)
		count = append_names(names, count, k->kernel->params);
	return count;
}

void request_unknown(const char *key, struct place at, struct errors *e)
{
	size_t count = all_names(NULL);
	const char **names = alloc_zeroed(count, sizeof(*names));
	const char *nearest;

	all_names(names);
	nearest = synonym_nearest(key_synonyms, key, names, count);
	error_unknown(e, STATUS_USAGE, at, nearest, "unknown key '%s'", key);
	error_hint(e, "affinity --help keys lists every key; affinity --help KERNEL a kernel's "
		      "parameters");
	free(names);
}

static struct setting *find_setting(struct request *r, const char *name)
{
	for (size_t i = 0; i < r->nsettings; i++)
		if (!strcmp(r->settings[i].name, name))
			return &r->settings[i];
	return NULL;
}

/* A value of the command line replaces the file's; a second value in the file is a mistake. */
static void add_setting(struct request *r, const char *name, const char *values,
	const char *separators, struct place at, struct errors *e)
{
	struct setting *s = find_setting(r, name);

	if (s && at.line > 0) {
		error_add(e, STATUS_USAGE, at, "'%s' is given twice, first in line %d", name,
			s->values.at.line);
		return;
	}
	if (!s) {
		r->settings = alloc_grow(r->settings, r->nsettings, sizeof(*r->settings));
		s = &r->settings[r->nsettings++];
		*s = (struct setting){.name = alloc_string(name, strlen(name))};
	}
	words_free(&s->values);
	words_split(&s->values, values, separators);
	s->values.at = at;
}

/* An entry before entries[index] with the same key, or NULL. */
static const struct entry *earlier(const struct args *a, size_t index, const struct param *p)
{
	for (size_t i = 0; i < index; i++)
		if (param_find(request_keys, a->entries[i].key) == p)
			return &a->entries[i];
	return NULL;
}

/* base: the struct that the row describes. */
static int read_key(
	void *base, const struct args *a, size_t index, const struct param *p, struct errors *e)
{
	const struct entry *entry = &a->entries[index], *before = earlier(a, index, p);
	bool from_file = index < a->from_file;

	if (before && from_file && p->type != PARAM_LINES)
		return error_add(e, STATUS_USAGE, entry->at,
			"'%s' is given twice, first in line %d", entry->key, before->at.line);
	if (before && p->type == PARAM_WORDS && !(p->flags & PARAM_ADDS))
		words_free((struct words *)((char *)base + p->offset));
	return param_set(p, base, entry->value, entry->at, e);
}

/* params: sleep:100 stride:16 fraction:1,0.5 */
static void read_extra(struct request *r, struct errors *e)
{
	struct place at = r->extra.at;

	for (size_t i = 0; i < r->extra.count; i++) {
		const char *word = r->extra.word[i], *colon = strchr(word, ':');

		if (!colon || colon == word || !colon[1]) {
			error_add(e, STATUS_USAGE, at, "params: '%s' is not of the form name:value",
				word);
			error_hint(e, "for example params: sleep:0,500 stride:192B");
			continue;
		}
		char *name = alloc_string(word, (size_t)(colon - word));
		if (!request_is_parameter(name) && !any_pairs())
			request_unknown(name, at, e);
		else
			add_setting(r, name, colon + 1, ",", at, e);
		free(name);
	}
}

static void read_entry(struct request *r, const struct args *a, size_t index, struct errors *e)
{
	const struct entry *entry = &a->entries[index];
	const struct param *key = param_find(request_keys, entry->key);

	if (!key && request_is_parameter(entry->key))
		add_setting(r, entry->key, entry->value, " \t,", entry->at, e);
	else if (!key)
		request_unknown(entry->key, entry->at, e);
	else if (key->flags & PARAM_FILE)
		return; /* request_read_file() has read it */
	else if (!read_key(r, a, index, key, e) && key->offset == offsetof(struct request, extra))
		read_extra(r, e);
	if (key && key->offset == offsetof(struct request, size_per_vector))
		r->size_swept = entry->swept;
}

/* of_file: PARAM_FILE or 0, which of the keys base has. */
static void default_values(void *base, unsigned of_file)
{
	for (const struct param *p = request_keys; p->name; p++)
		if (p->type != PARAM_WORDS && p->fallback && (p->flags & PARAM_FILE) == of_file) {
			const struct param row[] = {*p, {0}};
			param_defaults(row, base);
		}
}

static void release(void *base, unsigned of_file)
{
	for (const struct param *p = request_keys; p->name; p++)
		if ((p->flags & PARAM_FILE) == of_file) {
			const struct param row[] = {*p, {0}};
			param_release(row, base);
		}
}

static void default_words(struct request *r)
{
	for (const struct param *p = request_keys; p->name; p++) {
		struct words *w = (struct words *)((char *)r + p->offset);

		if (p->type == PARAM_WORDS && p->fallback && !w->count)
			words_split(w, p->fallback, " ");
	}
}

static void check_required(const struct request *r, const char *path, struct errors *e)
{
	for (const struct param *p = request_keys; p->name; p++) {
		const struct words *w = (const struct words *)((const char *)r + p->offset);

		if ((p->flags & PARAM_REQUIRED) && !w->count)
			error_add(e, STATUS_USAGE, (struct place){path, 0}, "missing key '%s': %s",
				p->name, p->help);
	}
	if (!r->node_per_thread.count && !r->core_per_thread.count && !r->cpu_per_thread.count &&
		!r->place_per_thread.count && !r->threads.count)
		error_add(e, STATUS_USAGE, (struct place){path, 0},
			"missing key 'nodePerThread' (or corePerThread, cpuPerThread, "
			"placePerThread, threads): where threads run");
}

/* In a shorter window the start would take a noticeable part; a longer one is a mistyped unit. */
#define MIN_WINDOW_NS UINT64_C(1000000)
#define MAX_WINDOW_NS UINT64_C(3600000000000)

static int read_mode(struct request *r, struct errors *e)
{
	const char *mode = r->mode.word[0];

	if (!strcmp(mode, "work"))
		return 0;
	if (strncmp(mode, "time:", 5) || text_duration(mode + 5, &r->window_ns)) {
		error_add(e, STATUS_USAGE, r->mode.at, "mode: unknown value '%s'", mode);
		return error_hint(e, "work, or time and how long a sample works: time:2s");
	}
	if (r->window_ns < MIN_WINDOW_NS || r->window_ns > MAX_WINDOW_NS)
		return error_add(
			e, STATUS_USAGE, r->mode.at, "mode: '%s' is not within 1ms .. 60min", mode);
	return 0;
}

static struct place place_of(const struct args *a, const char *key)
{
	struct place at = {a->path, 0};

	for (size_t i = 0; i < a->count; i++)
		if (!strcmp(a->entries[i].key, key))
			at = a->entries[i].at;
	return at;
}

static void check_stopped_by(const struct request *r, const struct args *a, struct errors *e)
{
	if (r->window_ns || r->stopped_by == STOPPED_BY_CLOCK)
		return;
	error_add(e, STATUS_USAGE, place_of(a, "stoppedBy"),
		"stoppedBy: flag has no effect with mode: work");
	error_hint(e, "mode: time:2s works until it is set");
}

/* A minimum has no interval, so the samples would go on until timeLimit. An interval of 100 % any
 * samples have: who writes 1 means 1 %. */
static void check_target(const struct request *r, const struct args *a, struct errors *e)
{
	if (r->target_error >= 1) {
		error_add(e, STATUS_USAGE, place_of(a, "targetError"),
			"targetError: half an interval as wide as the cost itself is no target");
		error_hint(e, "targetError: 1%% is one per cent, 1 alone a hundred");
	}
	if (!(r->target_error > 0) || r->statistic != STATISTIC_MIN)
		return;
	error_add(e, STATUS_USAGE, place_of(a, "targetError"),
		"targetError: with statistic: min there is no interval that could reach it");
	error_hint(e, "statistic: mean or median, or samples: N alone");
}

/* As many as a list of threads may have values. */
#define MAX_THREADS 65536

static const struct param threads_row = {
	"threads", NULL, PARAM_COUNT, 0, NULL, 1, MAX_THREADS, NULL, NULL, 0};

/* The words stay, too: they say whether the keys are given, and where. */
static void read_mapping(struct request *r, struct errors *e)
{
	const struct words *threads = &r->threads, *method = &r->mapping;

	if (threads->count &&
		param_set(&threads_row, &r->thread_count, threads->word[0], threads->at, e))
		r->thread_count = 0;
	if (method->count && mapping_read("mapping", method->word[0], method->at, &r->mapped, e))
		r->thread_count = 0;
}

/* Where several placements are watched, five of them at least: intervals of 97 % that end the
 * sampling as soon as they are narrow then cover 95 to 98 % (simulated). */
static void decide_effort(struct request *r)
{
	bool open = r->placements == COUNT_WORD;

	if (open)
		r->placements = PLACEMENTS_LEAST;
	r->placements_most = open ? PLACEMENTS_ENOUGH : r->placements;
	r->enough = open ? PLACEMENTS_ERROR : 0;
	if (r->target_error > 0 && r->placements > 1) {
		if (r->placements < PLACEMENTS_LEAST)
			r->placements = PLACEMENTS_LEAST;
		r->placements_most = PLACEMENTS_MAX;
		r->enough = r->target_error;
	}
	if (r->iterations == COUNT_WORD)
		r->iterations = r->placements == 1 ? SAMPLES_ALONE : SAMPLES_EACH;
}

int request_read(struct request *r, const struct args *a, struct errors *e)
{
	size_t before = e->failures;

	*r = (struct request){0};
	default_values(r, 0);
	for (size_t i = 0; i < a->count; i++)
		read_entry(r, a, i, e);
	default_words(r);
	decide_effort(r);
	read_mode(r, e);
	read_mapping(r, e);
	check_target(r, a, e);
	check_stopped_by(r, a, e);
	check_required(r, a->path, e);
	return e->failures == before ? 0 : -1;
}

bool request_of_file(const char *key)
{
	const struct param *p = param_find(request_keys, key);

	return p && (p->flags & PARAM_FILE);
}

int request_read_file(struct request_file *f, const struct args *a, struct errors *e)
{
	size_t before = e->failures;

	*f = (struct request_file){0};
	default_values(f, PARAM_FILE);
	for (size_t i = 0; i < a->count; i++) {
		const struct param *key = param_find(request_keys, a->entries[i].key);

		if (key && (key->flags & PARAM_FILE))
			read_key(f, a, i, key, e);
		if (!strcmp(a->entries[i].key, "let") && !strchr(a->entries[i].value, '$')) {
			words_split(&f->let, a->entries[i].value, " \t");
			f->let.at = a->entries[i].at;
		}
	}
	return e->failures == before ? 0 : -1;
}

void request_file_free(struct request_file *f)
{
	release(f, PARAM_FILE);
	words_free(&f->let);
	*f = (struct request_file){0};
}

void request_free(struct request *r)
{
	release(r, 0);
	for (size_t i = 0; i < r->nsettings; i++) {
		free(r->settings[i].name);
		words_free(&r->settings[i].values);
	}
	free(r->settings);
	*r = (struct request){0};
}
