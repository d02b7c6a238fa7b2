/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the results of one side of a comparison. */
#include "compare/sides.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "document/named.h"

static void differ(
	struct differences *d, const struct condition_fact *f, const char *was, const char *is)
{
	if (f->work && !d->work++)
		d->first = f->name;
	if (d->all++ < COMPARE_LISTED && d->out)
		fprintf(d->out, " - %s: was %s, is %s%s\n", f->name, was, is,
			f->work ? "; not the same work" : "");
}

void side_differences(
	struct differences *d, const struct conditions *was, const struct conditions *is)
{
	for (size_t i = 0; i < was->count; i++) {
		const struct condition_fact *f = &was->list[i],
					    *other = conditions_find(is, f->name, i);

		if (other ? strcmp(f->value, other->value) != 0 : f->argument)
			differ(d, f, f->value, other ? other->value : "not given");
	}
	for (size_t i = 0; i < is->count; i++)
		if (is->list[i].argument && !conditions_find(was, is->list[i].name, i))
			differ(d, &is->list[i], "not given", is->list[i].value);
}

static bool is_same(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

/* A copy would count as a run that agrees with the other one to the last digit. */
static bool is_copy(const struct costs *a, const struct costs *b)
{
	bool same = a->count == b->count && is_same(a->document.elapsed_s, b->document.elapsed_s);

	for (size_t i = 0; same && i < a->count; i++) {
		const struct cost *x = &a->list[i], *y = &b->list[i];

		same = is_same(x->cost.value, y->cost.value) && !strcmp(x->run, y->run) &&
		       !strcmp(x->operation, y->operation);
	}
	return same;
}

bool side_contains(const struct side *s, const struct costs *c)
{
	for (size_t i = 0; i < s->paths.count; i++)
		if (is_copy(&s->costs[i], c))
			return true;
	return false;
}

static int check_copies(const struct side *s, struct errors *e)
{
	int failed = 0;

	for (size_t i = 0; i < s->paths.count; i++)
		for (size_t k = i + 1; k < s->paths.count; k++) {
			if (!is_copy(&s->costs[i], &s->costs[k]))
				continue;
			failed = error_add(e, STATUS_USAGE, NOWHERE,
				"'%s' and '%s' of one side are the same result", s->paths.word[i],
				s->paths.word[k]);
			error_hint(e, "every result of a side is a run of its own");
		}
	return failed;
}

int side_check(const struct side *s, bool force, struct errors *e)
{
	int failed = check_copies(s, e);

	for (size_t i = 1; i < s->paths.count && !force; i++) {
		struct differences d = {.out = NULL};

		side_differences(&d, &s->conditions[0], &s->conditions[i]);
		if (!d.work)
			continue;
		failed = error_add(e, STATUS_USAGE, NOWHERE,
			"'%s' and '%s' of one side did not do the same work: %s", s->paths.word[0],
			s->paths.word[i], d.first);
		error_hint(e, "the results of a side are repetitions of one run");
	}
	return failed;
}

/* The files that the names mean. 0, or -1 with messages. */
static int find_files(struct words *files, const char *names, struct errors *e)
{
	struct words list = {0};
	int failed = 0;

	words_split(&list, names, ",");
	for (size_t i = 0; i < list.count; i++) {
		char *path = named_result(list.word[i], e);

		if (path)
			words_add(files, path, strlen(path));
		else
			failed = -1;
		free(path);
	}
	words_free(&list);
	return failed;
}

int side_read(struct side *s, const char *paths, struct errors *e)
{
	*s = (struct side){0};
	int failed = find_files(&s->paths, paths, e);

	if (failed)
		words_free(&s->paths);
	if (failed)
		return -1;
	if (!s->paths.count)
		return error_add(e, STATUS_USAGE, NOWHERE, "--compare: '%s' names no file", paths);
	s->costs = alloc_zeroed(s->paths.count, sizeof(*s->costs));
	s->conditions = alloc_zeroed(s->paths.count, sizeof(*s->conditions));
	for (size_t i = 0; i < s->paths.count; i++) {
		if (costs_read(&s->costs[i], s->paths.word[i], e))
			failed = -1;
		else
			conditions_read(&s->conditions[i], &s->costs[i].document);
	}
	return failed;
}

void side_free(struct side *s)
{
	for (size_t i = 0; i < s->paths.count; i++) {
		costs_free(&s->costs[i]);
		conditions_free(&s->conditions[i]);
	}
	free(s->costs);
	free(s->conditions);
	words_free(&s->paths);
}
