/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * strsearch: partitionStringSearch of Piccoli's dissertation (figure 4.5). Each of the vector's
 * threads searches its slice of the text for a pattern, once for each query, byte by byte up to the
 * first letter that differs. Threads with vectors of their own search all of them. A unit is a
 * place at which the pattern is compared; a round does all queries.
 *
 * As published, nearly every comparison ends at the first letter: the text is all 'b', the pattern
 * 'a' and then 'b'. Here the text also has some 'a', so that there is something to find and a
 * number that verify() can hold against the places where they are.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"
#include "policy.h"
#include "uses.h"
#include "works.h"

struct strsearch_args {
	struct policy_args policy;
	uint64_t queries, pattern;
};

static const struct kernel_figure strsearch_figures[] = {POLICY_FIGURE_ROWS, {0}};

static const struct param strsearch_params[] = {
	POLICY_PARAMS(struct strsearch_args),
	{.name = "queries",
		.type = PARAM_COUNT,
		.offset = offsetof(struct strsearch_args, queries),
		.fallback = "8",
		.min = 1,
		.max = 1e6,
		.help = "how often the text is searched in one round"},
	{.name = "pattern",
		.type = PARAM_COUNT,
		.offset = offsetof(struct strsearch_args, pattern),
		.fallback = "16",
		.min = 2,
		.max = 4096, /* shorter than the distance of two matches */
		.help = "letters of the pattern"},
	{0},
};

/* A prime above a page, so that the places within pages differ. */
#define EVERY 4099
#define FIRST 7

struct search {
	struct policy_account account;
	uint64_t found, expected; /* since setup() */
	char pattern[];
};

/* Of a vector's text: the bytes [from, to), and places where the pattern fits. */
struct slice {
	const char *text;
	uint64_t from, to, places;
};

static uint64_t bytes_of(const struct vector *v)
{
	return v->elements * v->element_size;
}

/* Neighbours share no byte. */
static struct slice slice_of(const struct worker *w, const struct vector *v)
{
	const struct strsearch_args *args = w->args;
	const unsigned __int128 bytes = bytes_of(v);
	const uint64_t rank = (uint64_t)v->rank, users = (uint64_t)v->users;
	struct slice s = {.text = v->base,
		.from = (uint64_t)(bytes * rank / users),
		.to = (uint64_t)(bytes * (rank + 1) / users)};

	s.places = s.to - s.from + 1 - args->pattern;
	return s;
}

static const char *strsearch_check(const struct worker *w, char *why, size_t n)
{
	const struct strsearch_args *args = w->args;

	for (const struct vector *v = w->vectors; v < w->vectors + w->nvectors; v++) {
		if (bytes_of(v) / (uint64_t)v->users >= args->pattern)
			continue;
		snprintf(why, n,
			"pattern = %" PRIu64
			" letters do not fit into a slice: %zu bytes for %d thread%s",
			args->pattern, (size_t)bytes_of(v), v->users, v->users == 1 ? "" : "s");
		return why;
	}
	return policy_check(w, why, n);
}

/* How many of FIRST, FIRST + EVERY, ... are below the end. */
static uint64_t matches_below(uint64_t end)
{
	return end > FIRST ? (end - 1 - FIRST) / EVERY + 1 : 0;
}

static uint64_t matches_in(const struct slice *s)
{
	return matches_below(s->from + s->places) - matches_below(s->from);
}

static void write_text(char *text, uint64_t from, uint64_t to)
{
	memset(text + from, 'b', to - from);
	for (uint64_t at = FIRST + matches_below(from) * EVERY; at < to; at += EVERY)
		text[at] = 'a';
}

static const char *strsearch_setup(struct worker *w)
{
	const struct strsearch_args *args = w->args;
	struct search *own = w->own = malloc(sizeof(*own) + args->pattern);

	if (!own)
		return "no memory";
	*own = (struct search){0};
	for (const struct vector *v = w->vectors; v < w->vectors + w->nvectors; v++) {
		struct slice s = slice_of(w, v);

		write_text(v->base, s.from, s.to);
	}
	return NULL;
}

static void search(struct worker *w, const struct slice *s)
{
	const struct strsearch_args *args = w->args;
	struct search *own = w->own;

	struct policy *policy = policy_of(w);
	const uint64_t bytes = s->to - s->from;
	const char *text = policy_take(policy, &own->account, 0, s->text + s->from, bytes, true);
	const int64_t places = (int64_t)s->places, length = (int64_t)args->pattern,
		      queries = (int64_t)args->queries, matches = (int64_t)matches_in(s);
	const struct uses uses = {uses_strsearch(places, length, queries),
		uses_strsearch_actual(places, length, queries, matches)};

	policy_eager(policy, text, bytes);
	policy_call(policy, text, bytes, 1, uses);
	own->found +=
		policy_works(&args->policy)
			->strsearch(text, s->places, own->pattern, args->pattern, args->queries);
	policy_release(policy, text, bytes);
	policy_give(policy, &own->account, 0, false);
	own->expected += matches_in(s) * args->queries;
}

static uint64_t strsearch_run(struct worker *w, uint64_t passes)
{
	const struct strsearch_args *args = w->args;
	struct policy *policy = policy_of(w);
	struct search *own = w->own;
	uint64_t places = 0;

	policy_begin(policy, &own->account);
	for (uint64_t pass = 0; pass < passes; pass++)
		for (const struct vector *v = w->vectors; v < w->vectors + w->nvectors; v++) {
			struct slice s = slice_of(w, v);

			search(w, &s);
			places += s.places * args->queries;
		}
	policy_end(policy, &own->account);
	return places;
}

static const char *strsearch_verify(const struct worker *w, char *why, size_t n)
{
	const struct search *own = w->own;

	if (own->found == own->expected)
		return NULL;
	snprintf(why, n, "it found the pattern %" PRIu64 " times, not %" PRIu64, own->found,
		own->expected);
	return why;
}

static void strsearch_teardown(struct worker *w)
{
	policy_forget(w->own);
	free(w->own);
	w->own = NULL;
}

static const char *strsearch_finds(const struct worker *w, int k)
{
	(void)w;
	(void)k;
	return "text with some matches";
}

const struct kernel strsearch_kernel = {
	.summary = "searches slices of a text for a pattern, query by query",
	.unit = "place",
	.run = strsearch_run,
	.per_unit = {.loads = 1},
	.fixed = true,
	.migration.moves = policy_moves,
	.reset = policy_reset,
	.migration.arrange = policy_arrange,
	.figures = strsearch_figures,
	.tell = policy_tell,
	.params = strsearch_params,
	.args_size = sizeof(struct strsearch_args),
	.min_vectors = 1,
	.types = TYPE_SET(TYPE_CHAR),
	.check = strsearch_check,
	.lacks_for = policy_lacks,
	.share = policy_share,
	.setup = strsearch_setup,
	.verify = strsearch_verify,
	.teardown = strsearch_teardown,
	.unshare = policy_unshare,
	.prepares = true,
	.accesses.divides = true,
	.finds = strsearch_finds,
};
