/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes the sizes of caches from the user or from a measurement. */
#include "affinity/caches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/output.h"
#include "base/text.h"
#include "machine/caches.h"
#include "findings/findings.h"
#include "input/values.h"
#include "measure/calibrate.h"
#include "memory/capacity.h"
#include "result/result.h"

/* On the first CPU that may be used, in steps of a root of two, which is how well a size is known.
 * A page of 256 KiB at a time, so that missing translations do not hide the steps. Many samples, so
 * short that some are undisturbed beside other programs. */
static const char staircase[] = "# The staircase of latencies that shows the sizes of caches.\n"
				"sweep:           size = 8KiB..%lluMiB*1.41421356237\n"
				"kernels:         chase\n"
				"cpuPerThread:    %d\n"
				"nodePerVector:   local\n"
				"vectorPerThread: 0\n"
				"sizePerVector:   $size\n"
				"pages:           local\n"
				"loads:           10000\n"
				"samples:         %d\n"
				"placements:      1\n"
				"statistic:       min\n"
				"table:           ns_per_unit rows=size\n";

/* Past the caches of nearly all processors; a larger cache is not found, and no vector of a trial
 * is past it either. */
#define MOST_MIB 512

/* Nearly no processor has more; further steps are of a last level that others use too. */
#define MEASURED_LEVELS 3

/* Sizes from 8 KiB on, two for each doubling. */
#define LEAST_MIB    (1.0 / 128)
#define PER_DOUBLING 2

/* As many samples as let the staircase end in about half a minute, where a slow clock makes each of
 * them long. */
#define MOST_SAMPLES  40
#define LEAST_SAMPLES 3
#define SAMPLES_NS    1.2e10

/* Further samples of each size: the warm-up, and those that find the number of rounds. */
#define FURTHER 5
/* A number of rounds is a power of two: samples are once to twice as long as they must be. */
#define LONGER 1.4
/* Seconds to make the chains and to touch the vectors of a GiB. */
#define PREPARING_S_PER_GIB 6

/* Of the memory that this process may still take, the part that the staircase may need. */
#define MEMORY_PART 4

static int first_cpu(const struct topo *t)
{
	int first = -1;

	for (int i = 0; i < t->ncpus; i++)
		if (t->cpus[i].allowed && (first < 0 || t->cpus[i].cpu < first))
			first = t->cpus[i].cpu;
	return first;
}

struct scope {
	uint64_t most_mib;
	int samples;
	double guess_s;
};

static struct scope scope_here(void)
{
	uint64_t most = capacity_left(-1).bytes / MEMORY_PART >> 20;
	struct scope x = {.most_mib = most > MOST_MIB ? MOST_MIB : most < 1 ? 1 : most};
	double sizes = 1 + PER_DOUBLING * log2((double)x.most_mib / LEAST_MIB);
	double round_ns = sizes * LONGER * calibrate_least_ns();
	double samples = SAMPLES_NS / round_ns - FURTHER;

	x.samples = (int)fmin(fmax(samples, LEAST_SAMPLES), MOST_SAMPLES);
	x.guess_s = round_ns * (x.samples + FURTHER) * 1e-9 +
		    PREPARING_S_PER_GIB * (double)x.most_mib / 1024;
	return x;
}

static char *write_file(const struct topo *t, const struct scope *x)
{
	return alloc_format(staircase, (unsigned long long)x->most_mib, first_cpu(t), x->samples);
}

/* The measured staircase, and what it is made of. */
struct staircase {
	struct args args;
	struct experiment experiment;
	struct views views;
	struct environment environment;
	struct errors warnings;
	struct document document;
};

static void make_document(struct staircase *s, double elapsed_s)
{
	const struct claims none = {0};
	const struct result_of of = {&s->experiment, &s->views, &none, &s->environment, &s->args,
		&s->warnings, elapsed_s};

	environment_read(&s->environment, s->experiment.topo);
	views_read(&s->views, &s->experiment, &s->warnings);
	result_make(&s->document, &of);
	findings_fill(&s->document);
	s->document.path = alloc_format("the staircase just measured");
}

static void free_staircase(struct staircase *s)
{
	document_free(&s->document);
	views_free(&s->views);
	environment_free(&s->environment);
	experiment_free(&s->experiment);
	args_free(&s->args);
	errors_free(&s->warnings);
}

/* What the plan guesses of the time to go does not know how long a slow clock makes samples. */
static void show_progress(void *progress, const struct experiment_step *step)
{
	struct experiment_step shown = *step;

	shown.done_s = 0;
	progress_show(progress, &shown);
}

/* 0, or -1 with messages in s->warnings. */
static int measure_staircase(struct staircase *s, const struct topo *t, struct progress *p)
{
	static const volatile sig_atomic_t never;
	struct errors *e = &s->warnings;
	uint64_t begin = clock_ns();
	const struct scope scope = scope_here();
	char *file = write_file(t, &scope);

	progress_begin(p, "measuring the sizes of the caches", scope.guess_s);
	int failed = args_parse(&s->args, "caches", file, strlen(file), e);

	if (!failed)
		failed = experiment_plan(&s->experiment, &s->args, t, e) ||
			 experiment_measure(&s->experiment, &never, show_progress, p, e);
	if (!failed)
		make_document(s, (double)(clock_ns() - begin) * 1e-9);
	progress_end(p);
	free(file);
	return failed;
}

/* Takes over what keeps the staircase from being measured. */
static int measure_alone(
	struct staircase *s, const struct topo *t, struct progress *p, struct errors *e)
{
	*s = (struct staircase){0};
	const int failed = measure_staircase(s, t, p);

	for (size_t i = 0; failed && i < s->warnings.count; i++)
		if (s->warnings.list[i].status != STATUS_OK)
			error_copy(e, &s->warnings.list[i]);
	return failed;
}

/* Makes own of the levels that the document shows; 1, or -1 with a message. */
static int take_levels(struct topo *own, const struct topo *t, const struct document *d,
	struct place at, struct errors *e)
{
	struct staircase_level levels[MEASURED_LEVELS];
	struct topo_given_cache list[MEASURED_LEVELS];
	size_t n = measured_caches(d, levels, MEASURED_LEVELS, at, e);

	if (!n)
		return -1;
	for (size_t i = 0; i < n; i++)
		list[i] = (struct topo_given_cache){levels[i].bytes, 1};
	char *note = measured_caches_note(levels, n);
	topo_with_caches(own, t, list, (int)n, CACHES_MEASURED, note);
	free(note);
	return 1;
}

static int take_document(
	struct topo *own, const struct topo *t, const char *path, struct place at, struct errors *e)
{
	struct document d;
	int made = document_read(&d, path, e) ? -1 : take_levels(own, t, &d, at, e);

	if (made == 1 && strcmp(document_fact(&d, "cpu_model"), NOT_RECORDED)) {
		struct environment env;

		environment_read(&env, t);
		if (strcmp(document_fact(&d, "cpu_model"), environment_get(&env, "cpu_model"))) {
			error_add(e, STATUS_OK, at, "caches: '%s' is of another processor: %s",
				path, document_fact(&d, "cpu_model"));
			error_hint(e, "affinity --measure-caches %s measures this one", path);
		}
		environment_free(&env);
	}
	document_free(&d);
	return made;
}

static uint64_t largest_vector(const struct document *d)
{
	int64_t most = 0;

	for (size_t i = 0; i < d->nruns; i++)
		if (d->runs[i].nvectors && d->runs[i].vectors[0].bytes > most)
			most = d->runs[i].vectors[0].bytes;
	return (uint64_t)most;
}

/* What lies past the staircase would else pass for memory without a word. */
static void warn_measured(const struct topo *own, uint64_t tried, struct errors *e)
{
	char most[32];

	error_warn(e,
		"the machine shows no sizes of caches; %s; a cache of more than %s is not found",
		own->caches_note, text_size(tried, most, sizeof(most)));
	error_hint(e, "affinity --measure-caches caches.json keeps them, for caches: "
		      "measured:caches.json; or give those of the processor's manual: caches: 32K "
		      "1M 32M");
}

static int take_measured(
	struct topo *own, const struct topo *t, struct progress *p, struct errors *e)
{
	struct staircase s;
	int made = measure_alone(&s, t, p, e) ? -1 : take_levels(own, t, &s.document, NOWHERE, e);

	if (made == 1)
		warn_measured(own, largest_vector(&s.document), e);
	free_staircase(&s);
	return made;
}

/* The user's word counts, but an error in it would spoil every size. */
static void warn_unlike(
	const struct topo *own, const struct topo *t, struct place at, struct errors *e)
{
	char here[32], there[32];

	for (int level = 1; level < TOPO_LEVELS && t->caches_from != CACHES_UNKNOWN; level++) {
		uint64_t a = own->caches[level].bytes, b = t->caches[level].bytes;

		if (a == b)
			continue;
		error_add(e, STATUS_OK, at, "caches: L%d is %s here, %s as %s has it", level,
			a ? text_size(a, here, sizeof(here)) : "none",
			b ? text_size(b, there, sizeof(there)) : "none", topo_caches_from(t));
		error_hint(e, "the key caches counts; leave it out for the machine's");
		return;
	}
}

/* The document that the value of the key names; NULL: it names none. */
static const char *document_in(const struct words *words)
{
	static const char measured[] = "measured:";

	if (words->count != 1 || strncmp(words->word[0], measured, strlen(measured)) != 0)
		return NULL;
	return words->word[0] + strlen(measured);
}

static int take_key(
	struct topo *own, const struct topo *t, const struct words *words, struct errors *e)
{
	struct topo_given_cache list[VALUES_CACHES];
	const char *path = document_in(words);
	int levels;

	if (path)
		return take_document(own, t, path, words->at, e);
	if (values_caches(list, &levels, words, e))
		return -1;
	topo_with_caches(own, t, list, levels, CACHES_USER, NULL);
	warn_unlike(own, t, words->at, e);
	return 1;
}

static bool overridden(const struct args *a, size_t i)
{
	for (size_t k = a->from_file; k < a->count; k++)
		if (k > i && !strcmp(a->entries[k].key, a->entries[i].key))
			return true;
	return false;
}

/* Does a size depend on the caches? */
static bool needs_caches(const struct args *a)
{
	for (size_t i = 0; i < a->count; i++)
		if (!overridden(a, i) && (strstr(a->entries[i].value, "xL") ||
						 strstr(a->entries[i].value, "xcaches")))
			return true;
	return false;
}

/* The value of the key; empty without one. The last one counts, as that of --set does; one twice in
 * a file is refused elsewhere. */
static struct words value_of_key(const struct args *a)
{
	struct words words = {0};

	for (size_t i = 0; i < a->count; i++) {
		if (strcmp(a->entries[i].key, "caches"))
			continue;
		words_free(&words);
		words.at = a->entries[i].at;
		words_split(&words, a->entries[i].value, " \t");
	}
	return words;
}

char *caches_document(const struct args *a)
{
	struct words words = value_of_key(a);
	const char *path = document_in(&words);
	char *copy = path ? alloc_string(path, strlen(path)) : NULL;

	words_free(&words);
	return copy;
}

int caches_for(struct topo *own, const struct args *a, const struct topo *t, struct progress *p,
	struct errors *e)
{
	struct words words = value_of_key(a);
	int made = 0;

	if (words.count)
		made = take_key(own, t, &words, e);
	else if (t->caches_from == CACHES_UNKNOWN && t->this_system && p && needs_caches(a))
		made = take_measured(own, t, p, e);
	words_free(&words);
	return made;
}

static int write_staircase(const struct document *d, const char *path, struct errors *e)
{
	struct buffer text;
	FILE *out = buffer_open(&text);
	int failed = document_write(d, out);

	buffer_close(&text, out);
	if (!failed)
		failed = output_write(path, text.data, text.size, e);
	else
		error_add(e, STATUS_FAILED, NOWHERE, "out of memory while writing '%s'", path);
	free(text.data);
	return failed;
}

int caches_measure(const struct topo *t, const char *path, struct progress *p, struct errors *e)
{
	struct staircase s;
	struct topo own;
	int failed = measure_alone(&s, t, p, e) || write_staircase(&s.document, path, e);

	if (!failed && take_levels(&own, t, &s.document, NOWHERE, e) == 1) {
		printf("%s\n", own.caches_note);
		topo_drop_caches(&own);
	}
	free_staircase(&s);
	return failed ? -1 : 0;
}
