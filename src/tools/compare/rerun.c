/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands for a second look. They leave out what did not differ where the argument file allows it:
 * values of the sweep, and words of the key kernels. */
#include "compare/rerun.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "document/arguments.h"

static const struct document_run *run_of(const struct document *d, const char *label)
{
	for (size_t i = 0; i < d->nruns; i++)
		if (!strcmp(d->runs[i].label, label))
			return &d->runs[i];
	return NULL;
}

static bool holds(const struct words *w, const char *word)
{
	for (size_t i = 0; i < w->count; i++)
		if (!strcmp(w->word[i], word))
			return true;
	return false;
}

static void add_once(struct words *w, const char *word)
{
	if (word && !holds(w, word))
		words_add(w, word, strlen(word));
}

static void print_set(const char *key, const char *name, const struct words *values, FILE *out)
{
	char *text = alloc_format("%s%s%s", key, *name ? name : "", *name ? " =" : "");

	for (size_t i = 0; i < values->count; i++)
		alloc_append(&text, "", "%s%s", i || *name ? " " : "", values->word[i]);
	fputs("--set ", out);
	text_print_quoted(text, out);
	fputc(' ', out);
	free(text);
}

/* The values of a variable in all runs. */
static struct words all_values(const struct document *d, const char *variable)
{
	struct words values = {0};

	for (size_t i = 0; i < d->nruns; i++)
		add_once(&values, document_value(&d->runs[i], variable));
	return values;
}

/* The same in the runs that differ and in their baselines. */
static struct words values_of(
	const struct ratios *r, const struct document *d, const char *variable)
{
	struct words values = {0};

	for (size_t i = 0; i < r->count; i++) {
		const struct document_run *run = run_of(d, r->list[i].like->run);
		const struct document_run *base =
			run && run->baseline ? run_of(d, run->baseline) : NULL;

		if (!r->list[i].differs || !run)
			continue;
		add_once(&values, document_value(run, variable));
		if (base)
			add_once(&values, document_value(base, variable));
	}
	return values;
}

/* `runs` chooses some runs of a sweep at random: with fewer values it would choose others. */
static void print_sweep(const struct ratios *r, const struct side *s, FILE *out)
{
	const struct document *d = &s->costs[0].document;

	if (!d->nruns || conditions_find(&s->conditions[0], "argument runs", 0))
		return;
	for (size_t i = 0; i < d->runs[0].values.count; i++) {
		const char *name = d->runs[0].values.list[i].name;
		struct words values = values_of(r, d, name), all = all_values(d, name);

		if (values.count < all.count)
			print_set("sweep=", name, &values, out);
		words_free(&values);
		words_free(&all);
	}
}

static bool any_speedup(const struct document *d)
{
	for (size_t i = 0; i < d->nruns; i++)
		if (d->runs[i].nspeedups)
			return true;
	return false;
}

/* Speedups name operations, so that none may be missing; a word with a variable stands for
 * different operations. */
static void print_operations(const struct ratios *r, const struct side *s, FILE *out)
{
	const struct document *d = &s->costs[0].document;
	const struct condition_fact *f = conditions_find(&s->conditions[0], "argument kernels", 0);
	struct words differing = {0}, all = {0}, left = {0};

	if (!f || strchr(f->value, '$') || any_speedup(d))
		return;
	for (size_t i = 0; i < r->count; i++)
		if (r->list[i].differs)
			add_once(&differing, r->list[i].like->operation);
	words_split(&all, f->value, " \t");
	for (size_t i = 0; i < all.count; i++)
		if (holds(&differing, all.word[i]))
			add_once(&left, all.word[i]);
	if (left.count == differing.count && left.count < all.count)
		print_set("kernels=", "", &left, out);
	words_free(&differing);
	words_free(&all);
	words_free(&left);
}

/* "before.json" -> "before-again"; to be freed. */
static char *stem_of(const char *path)
{
	size_t length = strlen(path);

	if (length > 5 && !strcmp(path + length - 5, ".json"))
		length -= 5;
	return alloc_format("%.*s-again", (int)length, path);
}

static void print_run(const struct ratios *r, const struct side *s, const char *stem, FILE *out)
{
	const struct document *d = &s->costs[0].document;

	fputs("    affinity ", out);
	document_print_set(d, out);
	print_sweep(r, s, out);
	print_operations(r, s, out);
	fputs("--json ", out);
	text_print_quoted(stem, out);
	fputs("$i.json ", out);
	text_print_quoted(d->arguments.path ? d->arguments.path : "ARGS", out);
	fprintf(out, " /dev/null   # as %s was measured\n", s->paths.word[0]);
}

static void print_series(const char *stem, FILE *out)
{
	fputc(' ', out);
	for (int i = 1; i <= 3; i++) {
		fputs(i > 1 ? "," : "", out);
		text_print_quoted(stem, out);
		fprintf(out, "%d.json", i);
	}
}

void rerun_print(
	const struct ratios *r, const struct side *before, const struct side *after, FILE *out)
{
	char *was = stem_of(before->paths.word[0]), *is = stem_of(after->paths.word[0]);

	if (r->differing) {
		fprintf(out, "\nto judge what differs, measure only that, three times a side in "
			     "turn:\n  for i in 1 2 3; do\n");
		print_run(r, before, was, out);
		print_run(r, after, is, out);
		fprintf(out, "  done\n  affinity --compare");
		print_series(was, out);
		print_series(is, out);
		fputc('\n', out);
	}
	free(was);
	free(is);
}
