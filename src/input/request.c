/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of keys, and how entries become a request. A new key is a field and a row of the table.
 */
#include "input/request.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "mapping/mapping.h"
#include "input/param.h"

const char *const summary_names[] = {"max", "min", "sum", NULL};
const char *const statistic_names[] = {"mean", "median", "min", NULL};
const char *const verify_names[] = {"strict", "warn", NULL};
static const char *const measures_names[] = {"any", "memory", NULL};

#define FIELD(member) offsetof(struct request, member)

const struct param request_keys[] = {
	{"opType", NULL, PARAM_WORDS, FIELD(ops), NULL, 1, 1000, NULL,
		"kernels, run one after another; a+b: thread 0 runs a, thread 1 b, in turn; a+b*: "
		"all others b",
		PARAM_REQUIRED},
	{"nodePerThread", NULL, PARAM_WORDS, FIELD(node_per_thread), NULL, 1, 0, NULL,
		"node of each thread: a core of that node each; N*: one on each of its cores", 0},
	{"corePerThread", NULL, PARAM_WORDS, FIELD(core_per_thread), NULL, 1, 0, NULL,
		"logical core of each thread; equal ones take its hardware threads in turn", 0},
	{"cpuPerThread", NULL, PARAM_WORDS, FIELD(cpu_per_thread), NULL, 1, 0, NULL,
		"operating system CPU of each thread", 0},
	{"threads", NULL, PARAM_WORDS, FIELD(threads), NULL, 1, 1, NULL,
		"how many threads, instead of a place for each", 0},
	{"mapping", NULL, PARAM_WORDS, FIELD(mapping), NULL, 1, 1, NULL,
		"of threads: compact (default) scatter roundrobin os instruction", 0},
	{"mappingBy", NULL, PARAM_CHOICE, FIELD(mapping_by), "spread", 0, 0, mapping_types,
		"type of instructions that mapping: instruction sorts by; spread: the widest", 0},
	{"profile", NULL, PARAM_WORDS, FIELD(profile), NULL, 1, 1, NULL,
		"CSV file of instruction mixes for it: kernel,type,share", 0},
	{"nodePerVector", NULL, PARAM_WORDS, FIELD(node_per_vector), NULL, 1, 0, NULL,
		"node of each vector, or interleave, interleave:0,2, preferred:1, local", 0},
	{"tamPerVector", "sizePerVector", PARAM_WORDS, FIELD(size_per_vector), NULL, 1, 0, NULL,
		"elements of each vector, or a size: 200MiB, 8xL3, 50% of the node's memory", 0},
	{"typePerVector", NULL, PARAM_WORDS, FIELD(type_per_vector), "char*", 1, 0, NULL,
		"element type of each vector: char short int long float double", 0},
	{"pagesPerVector", NULL, PARAM_WORDS, FIELD(pages_per_vector), "system*", 1, 0, NULL,
		"page size of each vector: system 4K thp 2M 1G", 0},
	{"initPerVector", NULL, PARAM_WORDS, FIELD(init_per_vector), "node*", 1, 0, NULL,
		"who touches each vector first: node owner main thread:K", 0},
	{"statePerVector", "state", PARAM_WORDS, FIELD(state_per_vector), "none*", 1, 0, NULL,
		"coherence state of each vector's lines before every sample: M E S O F I none", 0},
	{"ownerPerVector", "owner", PARAM_WORDS, FIELD(owner_per_vector), "none*", 1, 0, NULL,
		"in whose cache, and for S O F who reads too: thread:1 cpu:4 thread:1,cpu:4", 0},
	{"vectorPerThread", NULL, PARAM_WORDS, FIELD(vector_per_thread), NULL, 1, 0, NULL,
		"the threads of each vector, groups divided by commas; all; own: as many for each "
		"thread",
		0},
	{"let", NULL, PARAM_WORDS, FIELD(let), NULL, 1, 256, NULL,
		"names for nodes: X=0 Y=far(X) Z=near(X) W=first", PARAM_ADDS},
	{"oversubscribe", NULL, PARAM_FLAG, FIELD(oversubscribe), "no", 0, 0, NULL,
		"may several threads share a hardware thread?", 0},
	{"summaryType", NULL, PARAM_CHOICE, FIELD(summary), "max", 0, 0, summary_names,
		"how the Total line sums up the threads", 0},
	{"speedupCalc", "speedup", PARAM_WORDS, FIELD(speedups), NULL, 1, 1000, NULL,
		"ratios of costs to print: write/read", 0},
	{"numIter", NULL, PARAM_COUNT, FIELD(iterations), "10", 1, 1e6, NULL,
		"samples of each kernel", 0},
	{"warmup", NULL, PARAM_COUNT, FIELD(warmup), "1", 0, 1e6, NULL,
		"first samples of each kernel that are discarded", 0},
	{"statistic", NULL, PARAM_CHOICE, FIELD(statistic), "mean", 0, 0, statistic_names,
		"which figure of a thread's samples is its cost", 0},
	{"confidence", NULL, PARAM_FRACTION, FIELD(confidence), "95%", 0.5, 0.9999, NULL,
		"of the intervals that are printed", 0},
	{"verify", NULL, PARAM_CHOICE, FIELD(verify), "strict", 0, 0, verify_names,
		"a page or thread in the wrong place: exit 3, or a warning", 0},
	{"mode", NULL, PARAM_WORDS, FIELD(mode), "work", 1, 1, NULL,
		"work: the same work in every sample; time:2s: work for that long and count", 0},
	{"measures", NULL, PARAM_CHOICE, FIELD(measures), "any", 0, 0, measures_names,
		"memory: warn where vectors are so small that caches hold a good part of them", 0},
	{"solo", NULL, PARAM_FLAG, FIELD(solo), "no", 0, 0, NULL,
		"run each thread alone too: overhead (eq. 4.1) and slowdown", 0},
	{"targetError", NULL, PARAM_FRACTION, FIELD(target_error), "0", 0, 1, NULL,
		"repeat beyond numIter until every thread's interval is that narrow; 0: do not", 0},
	{"timeLimit", NULL, PARAM_DURATION, FIELD(time_limit_ns), "60s", 1e6, 1e18, NULL,
		"of each operation with targetError", 0},
	{"interleave", NULL, PARAM_FLAG, FIELD(interleave), "no", 0, 0, NULL,
		"take samples of all operations and runs in random order", 0},
	{"seed", NULL, PARAM_COUNT, FIELD(seed), "0", 0, 0, NULL,
		"of that order, and of runs; 0: from the clock, and printed", 0},
	{"runs", NULL, PARAM_COUNT, FIELD(runs), "0", 0, 0, NULL,
		"of a sweep: so many of its runs, chosen at random; 0: all", 0},
	{"counters", NULL, PARAM_WORDS, FIELD(counters), NULL, 1, 1000, NULL,
		"what to count in further samples: mix cache tlb numa software, or events by name",
		0},
	{"requireCounters", NULL, PARAM_FLAG, FIELD(require_counters), "no", 0, 0, NULL,
		"exit 4 and measure nothing where these cannot be counted", 0},
	{"sweep", NULL, PARAM_LINES, FIELD(sweep), NULL, 0, 0, NULL,
		"a variable, used as $d: d = 0..900:100, s = 1 2 4..4096*2, n = nodes; lines "
		"multiply",
		0},
	{"where", NULL, PARAM_LINES, FIELD(where), NULL, 0, 0, NULL,
		"which runs of the sweeps to keep: a != b, d <= 500", 0},
	{"baseline", NULL, PARAM_WORDS, FIELD(baseline), NULL, 1, 0, NULL,
		"values of the run of the sweep that speedups refer to: d=0", 0},
	{"table", NULL, PARAM_LINES, FIELD(table), NULL, 0, 0, NULL, "a matrix: cost rows=v cols=t",
		0},
	{"plot", NULL, PARAM_LINES, FIELD(plot), NULL, 0, 0, NULL,
		"a curve or a heat map: cost x=d by=thread, cost rows=v cols=t", 0},
	{"argsExtra", NULL, PARAM_WORDS, FIELD(extra), NULL, 1, 0, NULL,
		"kernel parameters as name:value; values for each thread divided by commas", 0},
	{0},
};

const struct param common_params[] = {
	{"passes", NULL, PARAM_COUNT, offsetof(struct common_args, passes), "1", 1, 1e12, NULL,
		"rounds of the kernel in one sample", 0},
	{"sleep", NULL, PARAM_DURATION, offsetof(struct common_args, sleep_ns), "0", 0, 3.6e12,
		NULL,
		"wait after the common start; counts in the cost; one value is thread 1's alone",
		PARAM_THREAD_1},
	{0},
};

static bool is_parameter(const char *name)
{
	if (param_find(common_params, name))
		return true;
	for (const struct kernel_id *k = kernel_map; k->id; k++)
		if (param_find(k->kernel->params, name))
			return true;
	return false;
}

static size_t append_names(const char **names, size_t count, const struct param *table)
{
	for (const struct param *p = table; p && p->name; p++) {
		if (names)
			names[count] = p->name;
		count++;
	}
	return count;
}

/* Counts when names is NULL. */
static size_t all_names(const char **names)
{
	size_t count = append_names(names, 0, request_keys);

	count = append_names(names, count, common_params);
	for (const struct kernel_id *k = kernel_map; k->id; k++)
		count = append_names(names, count, k->kernel->params);
	return count;
}

static void unknown_key(const char *key, struct place at, struct errors *e)
{
	size_t count = all_names(NULL);
	const char **names = alloc_zeroed(count, sizeof(*names));
	const char *nearest;

	all_names(names);
	nearest = text_nearest(key, names, count);
	error_add(e, STATUS_USAGE, at, "unknown key '%s'%s%s%s", key,
		nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
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

/* Values given later on the command line replace; a second one in the file is a mistake. */
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

/* The entry that gave this key before entries[index], so that the same line twice is noticed. */
static const struct entry *earlier(const struct args *a, size_t index, const struct param *p)
{
	for (size_t i = 0; i < index; i++)
		if (param_find(request_keys, a->entries[i].key) == p)
			return &a->entries[i];
	return NULL;
}

static int read_key(struct request *r, const struct args *a, size_t index, const struct param *p,
	struct errors *e)
{
	const struct entry *entry = &a->entries[index], *before = earlier(a, index, p);
	bool from_file = index < a->from_file;

	if (before && from_file && p->type != PARAM_LINES)
		return error_add(e, STATUS_USAGE, entry->at,
			"'%s' is given twice, first in line %d", entry->key, before->at.line);
	if (before && p->type == PARAM_WORDS && !(p->flags & PARAM_ADDS))
		words_free((struct words *)((char *)r + p->offset));
	return param_set(p, r, entry->value, entry->at, e);
}

/* argsExtra: sleep:100 stride:16 fraction:1,0.5 */
static void read_extra(struct request *r, const struct entry *entry, struct errors *e)
{
	struct words words = {0};

	words_split(&words, entry->value, " \t");
	for (size_t i = 0; i < words.count; i++) {
		char *name = words.word[i], *colon = strchr(name, ':');

		if (!colon || colon == name || !colon[1]) {
			error_add(e, STATUS_USAGE, entry->at,
				"argsExtra: '%s' is not of the form name:value", name);
			continue;
		}
		*colon = '\0';
		if (!is_parameter(name))
			unknown_key(name, entry->at, e);
		else
			add_setting(r, name, colon + 1, ",", entry->at, e);
	}
	words_free(&words);
}

static void read_entry(struct request *r, const struct args *a, size_t index, struct errors *e)
{
	const struct entry *entry = &a->entries[index];
	const struct param *key = param_find(request_keys, entry->key);

	if (!key && is_parameter(entry->key))
		add_setting(r, entry->key, entry->value, " \t,", entry->at, e);
	else if (!key)
		unknown_key(entry->key, entry->at, e);
	else if (!read_key(r, a, index, key, e) && key->offset == FIELD(extra))
		read_extra(r, entry, e);
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
		!r->threads.count)
		error_add(e, STATUS_USAGE, (struct place){path, 0},
			"missing key 'nodePerThread' (or corePerThread, cpuPerThread, threads): "
			"where threads run");
}

/* Shorter and the start is a part of it; longer and it is a mistyped unit. */
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

int request_read(struct request *r, const struct args *a, struct errors *e)
{
	size_t before = e->failures;

	*r = (struct request){0};
	for (const struct param *p = request_keys; p->name; p++)
		if (p->type != PARAM_WORDS && p->fallback) {
			const struct param row[] = {*p, {0}};
			param_defaults(row, r);
		}
	for (size_t i = 0; i < a->count; i++)
		read_entry(r, a, i, e);
	default_words(r);
	read_mode(r, e);
	check_required(r, a->path, e);
	return e->failures == before ? 0 : -1;
}

void request_free(struct request *r)
{
	param_release(request_keys, r);
	for (size_t i = 0; i < r->nsettings; i++) {
		free(r->settings[i].name);
		words_free(&r->settings[i].values);
	}
	free(r->settings);
	*r = (struct request){0};
}
