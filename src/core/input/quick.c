/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a trial takes away from a file. */
#include "input/quick.h"

#include <string.h>

#include "input/param.h"

/* Three samples show whether they differ. */
#define QUICK_SAMPLES 3
#define QUICK_WARMUP  1

#define QUICK_PLACEMENTS 1

/* Long enough for thousands of accesses, so short that 100 samples take 2 s. */
#define QUICK_WINDOW_NS UINT64_C(20000000)

/* No further sample of an operation after its samples took so long. */
#define QUICK_LIMIT_NS UINT64_C(100000000)

/* 40 ms at 5 ns an access. */
#define QUICK_ELEMENTS (UINT64_C(8) << 20)

/* All vectors of a run: touching them takes about 0.1 s, a chain through them 1 s. */
#define QUICK_BYTES (UINT64_C(128) << 20)

/* Runs of a file, where the variables have more than two values each to give up. */
#define QUICK_RUNS 16

/* Does the command line give this key? */
static bool is_set(const struct args *a, const char *key)
{
	for (size_t i = a->from_file; i < a->count; i++)
		if (param_is(request_keys, a->entries[i].key, key))
			return true;
	return false;
}

static void at_most(uint64_t *value, uint64_t most)
{
	if (*value > most)
		*value = most;
}

void quick_request(struct request *r, const struct args *a)
{
	r->quick = true;
	if (!is_set(a, "samples"))
		at_most(&r->iterations, QUICK_SAMPLES);
	if (!is_set(a, "warmup"))
		at_most(&r->warmup, QUICK_WARMUP);
	if (!is_set(a, "placements")) {
		at_most(&r->placements, QUICK_PLACEMENTS);
		r->placements_most = r->placements;
		r->enough = 0;
	}
	if (!is_set(a, "mode"))
		at_most(&r->window_ns, QUICK_WINDOW_NS);
	if (!is_set(a, "targetError")) {
		r->target_error = r->enough = 0;
		r->placements_most = r->placements;
	}
	if (!is_set(a, "timeLimit"))
		at_most(&r->time_limit_ns, QUICK_LIMIT_NS);
}

/* The value in the words NAME=VALUE for the variable; NULL: none. */
static const char *value_of(const struct words *words, const char *name)
{
	size_t length = strlen(name);

	for (size_t i = 0; i < words->count; i++)
		if (!strncmp(words->word[i], name, length) && words->word[i][length] == '=')
			return words->word[i] + length + 1;
	return NULL;
}

/* A variable that --set gives is what the user wants to see. */
static bool may_thin(const struct variable *v)
{
	return v->values.at.line > 0;
}

/* The first of `keep` values, the last, and those at equal distances between; and these two. */
static void thin(struct words *values, size_t keep, const char *also, const char *and_also)
{
	struct words left = {.at = values->at};
	size_t next = 0;

	for (size_t i = 0; i < values->count; i++) {
		const char *word = values->word[i];
		bool due = i == next * (values->count - 1) / (keep - 1);

		next += due;
		if (due || (also && !strcmp(word, also)) || (and_also && !strcmp(word, and_also)))
			words_add(&left, word, strlen(word));
	}
	words_free(values);
	*values = left;
}

/* The most values of a variable, at least two, with which all make few enough runs. */
static size_t values_to_keep(const struct sweep *s)
{
	size_t keep = QUICK_RUNS;

	for (; keep > 2; keep--) {
		double runs = 1;

		for (size_t i = 0; i < s->nvariables; i++) {
			size_t count = s->variables[i].values.count;

			runs *= (double)(may_thin(&s->variables[i]) && count > keep ? keep : count);
		}
		if (runs <= QUICK_RUNS)
			break;
	}
	return keep;
}

void quick_sweep(struct sweep *s, const struct words *baseline, const struct words *small)
{
	size_t keep = values_to_keep(s);

	for (size_t i = 0; i < s->nvariables; i++) {
		struct variable *v = &s->variables[i];

		if (may_thin(v) && v->values.count > keep)
			thin(&v->values, keep, value_of(baseline, v->name),
				value_of(small, v->name));
	}
}

uint64_t quick_elements(const struct request *r, int vectors, size_t size)
{
	uint64_t share = QUICK_BYTES / (uint64_t)(vectors > 0 ? vectors : 1) / size;

	if (!r->quick || r->size_per_vector.at.line <= 0)
		return UINT64_MAX;
	share = share ? share : 1;
	return r->size_swept || share < QUICK_ELEMENTS ? share : QUICK_ELEMENTS;
}
