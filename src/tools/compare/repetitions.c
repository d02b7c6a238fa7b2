/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare/repetitions.h"

#include <string.h>

struct list {
	size_t count;
	FILE *out;
};

bool repetitions_fact_varies(const char *fact)
{
	static const char *const names[] = {"date", "load_average", "clock", "steal_during_run",
		"others_load_during_run", "kernel_load_during_run",
		"others_load_on_core_during_run", "others_load_under_cache_during_run",
		"others_load_on_node_during_run", "throttled_during_run",
		"control_group_memory_left", "slurm_job"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(fact, names[i]))
			return true;
	return false;
}

/* Starts a line; false: there are enough. */
static bool line(struct list *l)
{
	if (!l->count++)
		fprintf(l->out, "\n+ No repetitions of one run\n");
	return l->count <= COMPARE_LISTED;
}

static void list_difference(
	struct list *l, const struct side *s, size_t index, const char *const fact[3])
{
	if (line(l))
		fprintf(l->out, " - %s: %s in %s, %s in %s\n", fact[0], fact[1], s->paths.word[0],
			fact[2], s->paths.word[index]);
}

static void tell_conditions(struct list *l, const struct side *s, size_t index)
{
	const struct conditions *was = &s->conditions[0], *is = &s->conditions[index];

	for (size_t i = 0; i < was->count; i++) {
		const struct condition_fact *f = &was->list[i],
					    *other = conditions_find(is, f->name, i);

		if (other ? strcmp(f->value, other->value) && !condition_is_chosen(f) : f->argument)
			list_difference(l, s, index,
				(const char *const[]){
					f->name, f->value, other ? other->value : "not given"});
	}
	for (size_t i = 0; i < is->count; i++)
		if (is->list[i].argument && !conditions_find(was, is->list[i].name, i))
			list_difference(l, s, index,
				(const char *const[]){
					is->list[i].name, "not given", is->list[i].value});
}

static void tell_machine(struct list *l, const struct side *s, size_t index)
{
	const struct document *first = &s->costs[0].document, *d = &s->costs[index].document;

	for (size_t i = 0; i < d->environment.count; i++) {
		const char *name = d->environment.facts[i].name,
			   *value = d->environment.facts[i].value,
			   *before = document_fact(first, name);

		if (!repetitions_fact_varies(name) && strcmp(before, value) != 0)
			list_difference(l, s, index, (const char *const[]){name, before, value});
	}
}

static void tell_lost(struct list *l, const struct side *s, size_t index)
{
	const struct document *d = &s->costs[index].document;

	for (size_t i = 0; i < d->nruns; i++)
		if (d->runs[i].lost && line(l))
			fprintf(l->out, " - %s lost run %s: %s\n", s->paths.word[index],
				d->runs[i].label, d->runs[i].skipped);
}

static void tell_side(struct list *l, const struct side *s)
{
	for (size_t i = 0; i < s->paths.count; i++) {
		if (s->costs[i].document.interrupted && line(l))
			fprintf(l->out, " - %s was interrupted: it has a part of its samples\n",
				s->paths.word[i]);
		tell_lost(l, s, i);
		if (!i)
			continue;
		tell_conditions(l, s, i);
		tell_machine(l, s, i);
	}
}

void repetitions_print(const struct side *before, const struct side *after, FILE *out)
{
	struct list l = {.out = out};

	tell_side(&l, before);
	tell_side(&l, after);
	if (l.count > COMPARE_LISTED)
		fprintf(out, " - and %zu more\n", l.count - COMPARE_LISTED);
	if (l.count)
		fprintf(out,
			" - what changed is judged by repetitions: leave these out, or measure "
			"them again as the others\n");
}
