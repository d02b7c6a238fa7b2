/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the results that tell of runs without a change. */
#include "compare/history.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "document/files.h"
#include "document/named.h"

/* The first fact of a list that is another one in the result; NULL: none. */
static const char *other_fact(
	const char *const *facts, size_t n, const struct costs *a, const struct costs *b)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(document_fact(&a->document, facts[i]),
			    document_fact(&b->document, facts[i])))
			return facts[i];
	return NULL;
}

/* The first condition that differs; NULL: none. */
static const char *other_condition(const struct conditions *a, const struct conditions *b)
{
	for (size_t i = 0; i < a->count; i++) {
		const struct condition_fact *f = conditions_find(b, a->list[i].name, i);

		if (!condition_is_chosen(&a->list[i]) &&
			(!f || strcmp(f->value, a->list[i].value) != 0))
			return a->list[i].name;
	}
	for (size_t i = 0; i < b->count; i++)
		if (!condition_is_chosen(&b->list[i]) && !conditions_find(a, b->list[i].name, i))
			return b->list[i].name;
	return NULL;
}

/* Is a cost that is compared disturbed, or missing? One that the first result lacks is none: units
 * of unlike kernels have no total. */
static const struct cost *spoiled(const struct costs *like, const struct costs *c)
{
	for (size_t i = 0; i < like->count; i++) {
		const struct cost *found = costs_find(c, &like->list[i]);

		if (!(like->list[i].cost.value > 0))
			continue;
		if (!found || found->disturbed || !(found->cost.value > 0))
			return &like->list[i];
	}
	return NULL;
}

/* Why the result cannot be used; to be freed. NULL: it can. */
static char *reason_against(const struct side *used, const struct costs *c,
	const struct conditions *conditions, const struct side *before, const struct side *after)
{
	static const char *const machine[] = {"host", "cpu_model", "topology"},
				 *const build[] = {
					 "affinity_version", "compiler", "compiler_flags"};
	const struct costs *first = &before->costs[0];
	const char *other = other_fact(machine, 3, first, c);

	if (side_contains(used, c) || side_contains(before, c) || side_contains(after, c))
		return alloc_format("the same result is there already");
	if (other)
		return alloc_format(
			"another machine: %s is %s", other, document_fact(&c->document, other));
	other = other_condition(&before->conditions[0], conditions);
	if (other)
		return alloc_format("other arguments: %s", other);
	other = used->paths.count ? other_fact(build, 3, &used->costs[0], c) : NULL;
	if (other)
		return alloc_format("another build than %s: %s is %s", used->paths.word[0], other,
			document_fact(&c->document, other));
	const struct cost *cost = spoiled(first, c);

	return cost ? alloc_format("disturbed or missing: %s%s%s", cost->operation,
			      *cost->run ? ", run " : "", cost->run)
		    : NULL;
}

static void leave_out(const char *path, const char *why, FILE *out)
{
	fprintf(out, " - left out: %s: %s\n", path, why);
}

/* A folder may contain other files; what is named must be a result. */
static int take_earlier(struct side *s, const char *path, bool named, const struct side *before,
	const struct side *after, FILE *out, struct errors *e)
{
	struct errors unread = {0};
	size_t n = s->paths.count;
	int failed = costs_read(&s->costs[n], path, &unread);

	if (failed) {
		if (named)
			error_copy(e, &unread.list[0]);
		else
			leave_out(path, access(path, R_OK) ? strerror(errno) : "no complete result",
				out);
		costs_free(&s->costs[n]);
		errors_free(&unread);
		return named ? -1 : 0;
	}
	conditions_read(&s->conditions[n], &s->costs[n].document);
	char *why = reason_against(s, &s->costs[n], &s->conditions[n], before, after);

	if (why) {
		leave_out(path, why, out);
		costs_free(&s->costs[n]);
		conditions_free(&s->conditions[n]);
	} else {
		words_add(&s->paths, path, strlen(path));
	}
	free(why);
	errors_free(&unread);
	return 0;
}

/* A name may stand for several results. */
static int find_all(struct words *files, const char *paths, struct errors *e)
{
	struct words given = {0};
	int failed = document_files(&given, paths, e);

	for (size_t i = 0; i < given.count; i++) {
		if (document_is_named(paths, given.word[i]))
			failed |= named_history(files, given.word[i], e);
		else
			words_add(files, given.word[i], strlen(given.word[i]));
	}
	words_free(&given);
	return failed;
}

int history_read(struct side *s, const char *paths, const struct side *before,
	const struct side *after, FILE *out, struct errors *e)
{
	struct words files = {0};
	int failed = find_all(&files, paths, e);

	*s = (struct side){0};
	s->costs = alloc_zeroed(files.count + 1, sizeof(*s->costs));
	s->conditions = alloc_zeroed(files.count + 1, sizeof(*s->conditions));
	fprintf(out, "\n+ History\n");
	for (size_t i = 0; i < files.count; i++)
		failed |= take_earlier(s, files.word[i], document_is_named(paths, files.word[i]),
			before, after, out, e);
	if (!failed)
		fprintf(out, " - %zu of %zu result%s used\n", s->paths.count, files.count,
			files.count == 1 ? " is" : "s are");
	if (!failed && !s->paths.count) {
		failed = error_add(e, STATUS_USAGE, NOWHERE,
			"--history: no result of '%s' can be used", paths);
		error_hint(e, "it takes results of equal builds, of the same arguments, measured "
			      "on this machine; + History says what each lacks");
	}
	words_free(&files);
	return failed;
}
