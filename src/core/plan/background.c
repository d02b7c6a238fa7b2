/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes plans of the lines of background. */
#include "plan/background.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "input/param.h"
#include "plan/parts.h"

#define FORM "background: 20GB/s on node(0) by L3(2)*4, and writes=0.5 for a load that stores, too"

/* A rate's bytes: "20GB/s"; a bare number is GB/s, the unit of the reports. */
static int read_rate(double *rate, const char *word)
{
	const size_t n = strlen(word);
	char *bytes = alloc_string(word, n > 2 && !strcmp(word + n - 2, "/s") ? n - 2 : n);
	uint64_t count;
	int failed = 0;

	if (!text_real(word, rate))
		*rate *= 1e9;
	else if (strlen(bytes) < n && !text_bytes(bytes, &count))
		*rate = (double)count;
	else
		failed = -1;
	free(bytes);
	return failed || *rate < 0 ? -1 : 0;
}

/* "node(0)" as nodePerVector has it: "0". Other words of that key as they are. To be freed. */
static char *vectors_of(const char *where)
{
	const size_t n = strlen(where);

	if (!strncmp(where, "node(", 5) && where[n - 1] == ')')
		return alloc_format("%.*s*", (int)(n - 6), where + 5);
	return alloc_format("%s*", where);
}

static int refuse(const struct background *b, const char *why, const char *word, struct errors *e)
{
	error_add(e, STATUS_USAGE, b->line->at, "background: '%s' %s", word, why);
	return error_hint(e, "%s", FORM);
}

static void add(struct background *b, const char *key, const char *value)
{
	args_add(&b->args, key, value, b->line->at);
}

/* Without a size it is memory, whatever caches the machine shows. */
static int add_settings(struct background *b, struct words *w, size_t first, struct errors *e)
{
	const char *size = "max(16MiB,4xcaches/thread)";
	int failed = 0;

	for (size_t i = first; i < w->count && !failed; i++) {
		char *equals = strchr(w->word[i], '=');

		if (!equals)
			return refuse(b, "stands after the settings", w->word[i], e);
		*equals = '\0';
		if (!strcmp(w->word[i], "size"))
			size = equals + 1;
		else if (!strcmp(w->word[i], "writes"))
			add(b, "writes", equals + 1);
		else
			failed = refuse(
				b, "is no setting of a load; writes and size are", w->word[i], e);
	}
	char *each = alloc_format("%s*", size);

	add(b, "sizePerVector", each);
	free(each);
	return failed;
}

/* After "by": places, and then settings. */
static int add_places(struct background *b, struct words *w, struct errors *e)
{
	char *places = NULL;
	size_t i = 4;
	int failed = 0;

	for (; i < w->count && !strchr(w->word[i], '='); i++)
		alloc_append(&places, " ", "%s", w->word[i]);
	if (places)
		add(b, "placePerThread", places);
	else
		failed = refuse(b, "names no places of threads", b->line->text, e);
	free(places);
	return failed ? failed : add_settings(b, w, i, e);
}

static int read_words(struct background *b, struct words *w, struct errors *e)
{
	if (!w->count || read_rate(&b->wanted, w->word[0]))
		return refuse(b, "is no rate", w->count ? w->word[0] : "", e);
	if (w->count < 5 || strcmp(w->word[1], "on") != 0 || strcmp(w->word[3], "by") != 0)
		return refuse(b, "is not of the form RATE on NODE by PLACE", b->line->text, e);
	char *vectors = vectors_of(w->word[2]);

	add(b, "kernels", "traffic");
	add(b, "nodePerVector", vectors);
	add(b, "vectorPerThread", "own");
	free(vectors);
	return add_places(b, w, e);
}

static int make_plan(
	struct background *b, const struct plan *p, const bool *taken, struct errors *e)
{
	b->args.path = alloc_string(p->path, strlen(p->path));
	b->args.from_file = b->args.count;
	if (request_read(&b->request, &b->args, e))
		return -1;
	for (size_t i = 0; i < p->request->let.count; i++)
		words_add(
			&b->request.let, p->request->let.word[i], strlen(p->request->let.word[i]));
	b->request.taken = taken;
	b->request.verify = p->request->verify;
	b->request.spoiled_loops = p->request->spoiled_loops;
	if (plan_make(&b->plan, &b->request, p->topo, p->path, e))
		return -1;
	b->pause = param_find(b->plan.ops[0].jobs[0].kernel->params, "gap")->offset;
	return 0;
}

static int plan_line(struct background *b, const struct plan *p, bool *taken, struct errors *e)
{
	const struct backgrounds one = {b, 1};
	struct words w = {0};

	words_split(&w, b->line->text, " \t");
	int failed = read_words(b, &w, e);

	words_free(&w);
	if (failed || !(b->wanted > 0))
		return failed;
	failed = make_plan(b, p, taken, e);
	if (!failed)
		backgrounds_cpus(&one, taken);
	return failed;
}

static int refuse_key(const struct lines *l, const char *what, const char *hint, struct errors *e)
{
	error_add(e, STATUS_USAGE, l->list[0].at, "background cannot be used with %s", what);
	return error_hint(e, "%s", hint);
}

int backgrounds_plan(struct backgrounds *b, const struct plan *p, struct errors *e)
{
	const struct lines *lines = &p->request->background;
	int failed = 0;

	if (!lines->count)
		return 0;
	if (lines->count > BACKGROUNDS_MOST)
		return error_add(e, STATUS_USAGE, lines->list[BACKGROUNDS_MOST].at,
			"background: more than %d lines", BACKGROUNDS_MOST);
	if (p->request->interleave)
		return refuse_key(lines, "interleave: yes",
			"the loads of all runs would be there at the same time", e);
	bool *taken = plan_cpus(p);

	if (!taken)
		return refuse_key(lines, "threads that are not bound",
			"threads with places leave the CPUs of the load alone", e);
	b->list = alloc_zeroed(lines->count, sizeof(*b->list));
	for (; b->count < lines->count; b->count++) {
		b->list[b->count].line = &lines->list[b->count];
		failed |= plan_line(&b->list[b->count], p, taken, e);
		b->list[b->count].request.taken = NULL;
	}
	free(taken);
	return failed;
}

void backgrounds_cpus(const struct backgrounds *b, bool *set)
{
	for (size_t i = 0; i < b->count; i++)
		for (int k = 0; k < b->list[i].plan.nthreads; k++)
			if (b->list[i].plan.threads[k].cpu >= 0)
				set[b->list[i].plan.threads[k].cpu] = true;
}

void backgrounds_free(struct backgrounds *b)
{
	for (size_t i = 0; i < b->count; i++) {
		plan_free(&b->list[i].plan);
		request_free(&b->list[i].request);
		args_free(&b->list[i].args);
	}
	free(b->list);
	*b = (struct backgrounds){0};
}
