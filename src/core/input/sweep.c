/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Variables, their combinations, and the file with their values put in. */
#include "input/sweep.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "statistics/random.h"
#include "input/quick.h"
#include "input/sweep_values.h"
#include "input/where.h"
#include "topology/pairs.h"

static size_t name_length(const char *text)
{
	size_t n = 0;

	if (isalpha((unsigned char)*text) || *text == '_')
		while (isalnum((unsigned char)text[n]) || text[n] == '_')
			n++;
	return n;
}

int sweep_find(const struct sweep *s, const char *name)
{
	for (size_t i = 0; i < s->nvariables; i++)
		if (!strcmp(s->variables[i].name, name))
			return (int)i;
	return -1;
}

static int bad_sweep(const struct line *line, struct errors *e)
{
	error_add(e, STATUS_USAGE, line->at, "sweep: '%s' is not of the form NAME = VALUES",
		line->text);
	return error_hint(
		e, "for example sweep: d = 0..900:100, sweep: s = 1 2 4..4096*2, sweep: n = nodes");
}

/* A variable that --set sweeps anew replaces the file's. */
static struct variable *variable_for(
	struct sweep *s, const char *name, const struct line *line, struct errors *e)
{
	int known = sweep_find(s, name);

	if (known >= 0 && line->at.line > 0) {
		error_add(e, STATUS_USAGE, line->at, "sweep: '%s' is swept twice", name);
		return NULL;
	}
	if (known >= 0) {
		words_free(&s->variables[known].values);
		return &s->variables[known];
	}
	s->variables = alloc_grow(s->variables, s->nvariables, sizeof(*s->variables));
	s->variables[s->nvariables] = (struct variable){.name = alloc_string(name, strlen(name))};
	return &s->variables[s->nvariables++];
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Two runs of the same name could not be told apart in tables and comparisons. */
static int refuse_twice(const struct variable *v, struct errors *e)
{
	size_t n = v->values.count;
	char **sorted = alloc_zeroed(n, sizeof(*sorted));
	int failed = 0;

	memcpy(sorted, v->values.word, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), by_text);
	for (size_t i = 1; i < n; i++)
		if (!strcmp(sorted[i - 1], sorted[i])) {
			failed = error_add(e, STATUS_USAGE, v->values.at,
				"sweep: '%s' has the value '%s' more than once", v->name,
				sorted[i]);
			error_hint(e, "keep one of them; a line sweep: " SWEEP_REPEAT
				      " = 1..3:1 measures every run three times");
		}
	free(sorted);
	return failed;
}

static int read_variable(
	struct sweep *s, const struct line *line, const struct names *names, struct errors *e)
{
	size_t length = name_length(line->text);
	const char *equals = line->text + length + strspn(line->text + length, " \t");

	if (!length || *equals != '=')
		return bad_sweep(line, e);
	char *name = alloc_string(line->text, length);
	struct variable *v = variable_for(s, name, line, e);
	free(name);
	if (!v)
		return -1;
	v->values.at = line->at;
	v->of_machine = sweep_values_of_machine(equals + 1);
	return sweep_values(&v->values, equals + 1, names, e) || refuse_twice(v, e);
}

static const char *value_at(const struct sweep *s, size_t combination, size_t v)
{
	for (size_t i = s->nvariables - 1; i > v; i--)
		combination /= s->variables[i].values.count;
	return s->variables[v].values.word[combination % s->variables[v].values.count];
}

static const char *operand(const struct sweep *s, size_t combination, const char *text)
{
	int v = sweep_find(s, text);

	return v < 0 ? text : value_at(s, combination, (size_t)v);
}

/* Of conditions and what may hold instead of them, one has to hold each time. Returns -1 with a
 * message if values cannot be compared, whatever else holds. */
static int is_wanted(
	const struct sweep *s, size_t combination, const struct topo *t, struct errors *e)
{
	bool wanted = true;

	for (size_t i = 0; i < s->nconditions && wanted;) {
		wanted = false;
		do {
			const struct condition *c = &s->conditions[i++];
			int holds = where_holds(c, operand(s, combination, c->left),
				operand(s, combination, c->right), t, e);

			if (holds < 0)
				return -1;
			wanted |= holds;
		} while (i < s->nconditions && s->conditions[i].instead);
	}
	return wanted;
}

static int too_many(struct place at, size_t limit, struct errors *e)
{
	error_add(e, STATUS_USAGE, at, "the sweeps make more than %zu runs", limit);
	return error_hint(e, limit == SWEEP_MAX_RUNS ? "give fewer values, write several files, or "
						       "let runs: 100 choose that many at random"
						     : "give fewer values, or write several files");
}

/* The variable of runsEach, whose values are CPUs; -1 with a message. */
static int variable_of_cpus(
	const struct sweep *s, const char *name, const struct request_file *f, struct errors *e)
{
	const int v = sweep_find(s, name);

	if (v >= 0 && s->variables[v].of_machine)
		return v;
	error_add(e, STATUS_USAGE, f->runs_each.at,
		"runsEach: '%s' is no variable whose values are CPUs", name);
	return error_hint(e, "for example sweep: a = cpus, sweep: b = cpus, runsEach: a b");
}

/* Which runs count together for `runs`: by the nearest place that both CPUs share, or all.
 */
static int find_classes(const struct sweep *s, const struct request_file *f, const struct topo *t,
	int *classes, struct errors *e)
{
	int of[2] = {0};

	for (size_t k = 0; k < f->runs_each.count; k++)
		if ((of[k] = variable_of_cpus(s, f->runs_each.word[k], f, e)) < 0)
			return -1;
	for (size_t i = 0; f->runs_each.count && i < s->count; i++) {
		const struct topo_cpu *cpus[2];

		for (size_t k = 0; k < 2; k++) {
			uint64_t number = UINT32_MAX;

			text_count(value_at(s, s->combinations[i], (size_t)of[k]), &number);
			cpus[k] = number < INT32_MAX ? topo_cpu(t, (int)number) : NULL;
		}
		if (!cpus[0] || !cpus[1])
			continue;
		const struct topo_pair pair = topo_pair(t, cpus[0], cpus[1]);

		classes[i] = (pair.shared + 1) * (t->nlevels + 1) + pair.unknown + 1;
	}
	return 0;
}

/* Takes `wanted` of the combinations of each class, any with the same chance, in one go and in
 * order (selection sampling: Knuth, The Art of Computer Programming, vol. 2, 3.4.2, algorithm S).
 */
static void choose_combinations(struct sweep *s, uint64_t wanted, uint64_t seed, const int *classes)
{
	int most = 0;
	uint64_t state;
	size_t taken = 0;
	bool fewer = false;

	s->all = s->count;
	for (size_t i = 0; i < s->count; i++)
		most = classes[i] > most ? classes[i] : most;
	size_t *left = alloc_zeroed((size_t)most + 1, sizeof(*left));
	size_t *need = alloc_zeroed((size_t)most + 1, sizeof(*need));

	for (size_t i = 0; i < s->count; i++)
		left[classes[i]]++;
	for (int c = 0; c <= most; c++) {
		need[c] = wanted && wanted < left[c] ? wanted : left[c];
		fewer |= need[c] < left[c];
	}
	s->seed = !fewer ? 0 : seed ? seed : random_seed();
	state = s->seed;
	for (size_t i = 0; fewer && i < s->all; i++) {
		const int c = classes[i];

		if (random_next(&state) % left[c]-- >= need[c])
			continue;
		need[c]--;
		s->combinations[taken++] = s->combinations[i];
	}
	s->count = fewer ? taken : s->all;
	free(left);
	free(need);
}

/* Where values are CPUs, a machine with one CPU has no two that differ: the file is right, but the
 * machine lacks something. */
static int nothing_left(const struct sweep *s, size_t all, struct errors *e)
{
	const struct place at = s->conditions[0].at;
	bool of_machine = false;

	for (size_t i = 0; i < s->nvariables; i++)
		of_machine |= s->variables[i].of_machine;
	enum status status = of_machine ? STATUS_PLACEMENT : STATUS_USAGE;
	if (all == 1)
		error_add(e, status, at, "where: the only run does not fulfil it");
	else
		error_add(e, status, at, "where: none of the %zu runs fulfils it", all);
	return of_machine ? error_hint(e, "this machine has too few nodes, cores or CPUs for it")
			  : -1;
}

static int combine(
	struct sweep *s, const struct request_file *f, const struct topo *t, struct errors *e)
{
	size_t all = 1;

	for (size_t i = 0; i < s->nvariables; i++) {
		if (all > SWEEP_MAX_COMBINATIONS / s->variables[i].values.count)
			return too_many(s->variables[i].values.at, SWEEP_MAX_COMBINATIONS, e);
		all *= s->variables[i].values.count;
	}
	s->combinations = alloc_zeroed(all, sizeof(*s->combinations));
	for (size_t i = 0; i < all; i++) {
		int wanted = is_wanted(s, i, t, e);

		if (wanted < 0)
			return -1;
		if (wanted)
			s->combinations[s->count++] = i;
	}
	if (!s->count)
		return nothing_left(s, all, e);
	int *classes = alloc_zeroed(s->count, sizeof(*classes));
	const int failed = find_classes(s, f, t, classes, e);

	if (!failed)
		choose_combinations(s, f->runs, f->seed, classes);
	free(classes);
	if (failed)
		return -1;
	if (s->count > SWEEP_MAX_RUNS)
		return too_many(s->variables[s->nvariables - 1].values.at, SWEEP_MAX_RUNS, e);
	return 0;
}

static void take_chosen_runs(struct sweep *s, const struct sweep_choice *some)
{
	s->combinations = alloc_zeroed(some->count, sizeof(*s->combinations));
	memcpy(s->combinations, some->combinations, some->count * sizeof(*s->combinations));
	s->all = s->count = some->count;
}

int sweep_read(
	struct sweep *s, const struct request_file *f, const struct topo *t, struct errors *e)
{
	return sweep_read_some(s, f, t, NULL, e);
}

int sweep_read_some(struct sweep *s, const struct request_file *f, const struct topo *t,
	const struct sweep_choice *some, struct errors *e)
{
	size_t before = e->failures;
	struct errors of_names = {0}; /* whoever reads a run says it, if there is one */
	struct names names;
	int failed = 0;

	*s = (struct sweep){0};
	names_read(&names, &f->let, t, &of_names);
	for (size_t i = 0; i < f->sweep.count; i++)
		failed |= read_variable(s, &f->sweep.list[i], &names, e);
	for (size_t i = 0; failed && e->failures == before && i < of_names.count; i++)
		error_copy(e, &of_names.list[i]);
	errors_free(&of_names);
	names_free(&names);
	for (size_t i = 0; i < f->where.count; i++)
		where_read(s, &f->where.list[i], e);
	if (e->failures != before)
		return -1;
	if (f->quick)
		quick_sweep(s, &f->baseline, &f->small_pages);
	if (!some)
		return combine(s, f, t, e);
	take_chosen_runs(s, some);
	return 0;
}

const char *sweep_value(const struct sweep *s, size_t index, size_t v)
{
	return value_at(s, s->combinations[index], v);
}

/* The last variable changes quickest. */
static size_t combination_of(const struct sweep *s, const size_t *values)
{
	size_t combination = 0;

	for (size_t v = 0; v < s->nvariables; v++)
		combination = combination * s->variables[v].values.count + values[v];
	return combination;
}

long sweep_at(const struct sweep *s, const size_t *values)
{
	const size_t wanted = combination_of(s, values);

	for (size_t i = 0; i < s->count; i++)
		if (s->combinations[i] == wanted)
			return (long)i;
	return -1;
}

char *sweep_label(const struct sweep *s, size_t index)
{
	char *label = alloc_string("", 0);

	for (size_t v = 0; v < s->nvariables; v++)
		alloc_append(&label, " ", "%s=%s", s->variables[v].name, sweep_value(s, index, v));
	return label;
}

/* The name behind a `$`; its length and how much text the whole reference takes. 0: not a
 * reference. */
static size_t reference(const char *dollar, const char **name, size_t *length)
{
	bool braces = dollar[1] == '{';

	*name = dollar + 1 + braces;
	*length = name_length(*name);
	if (!*length || (braces && (*name)[*length] != '}'))
		return 0;
	return 1 + *length + (braces ? 2 : 0);
}

struct growing {
	char *text;
	size_t length;
};

static void append_growing(struct growing *g, const char *more, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		g->text = alloc_grow(g->text, g->length, 1);
		g->text[g->length++] = more[i];
	}
}

static char *substitute(
	const struct sweep *s, size_t index, const struct entry *entry, struct errors *e)
{
	struct growing out = {0};
	const char *rest = entry->value, *dollar;

	while ((dollar = strchr(rest, '$'))) {
		const char *name;
		size_t length, taken = reference(dollar, &name, &length);
		char *copy = alloc_string(name, length);
		int v = taken ? sweep_find(s, copy) : -1;

		append_growing(&out, rest, (size_t)(dollar - rest));
		if (v >= 0) {
			const char *value = sweep_value(s, index, (size_t)v);
			append_growing(&out, value, strlen(value));
		} else {
			error_add(e, STATUS_USAGE, entry->at, "%s: no sweep defines '$%s'",
				entry->key, copy);
			error_hint(e, "sweep: %s = VALUES defines it", *copy ? copy : "d");
		}
		free(copy);
		rest = dollar + (taken ? taken : 1);
	}
	append_growing(&out, rest, strlen(rest) + 1);
	return out.text;
}

int sweep_apply(const struct sweep *s, size_t index, const struct args *in, struct args *out,
	struct errors *e)
{
	size_t before = e->failures;

	*out = (struct args){.path = alloc_string(in->path, strlen(in->path)),
		.count = in->count,
		.from_file = in->from_file,
		.entries = alloc_zeroed(in->count + 1, sizeof(*in->entries))};
	for (size_t i = 0; i < in->count; i++) {
		const struct entry *entry = &in->entries[i];
		bool of_file = request_of_file(entry->key);

		out->entries[i].key = alloc_string(entry->key, strlen(entry->key));
		out->entries[i].value = of_file ? alloc_string(entry->value, strlen(entry->value))
						: substitute(s, index, entry, e);
		out->entries[i].at = entry->at;
		out->entries[i].swept = !of_file && strchr(entry->value, '$');
	}
	return e->failures == before ? 0 : -1;
}

void sweep_free(struct sweep *s)
{
	for (size_t i = 0; i < s->nvariables; i++) {
		free(s->variables[i].name);
		words_free(&s->variables[i].values);
	}
	for (size_t i = 0; i < s->nconditions; i++) {
		free(s->conditions[i].left);
		free(s->conditions[i].right);
	}
	free(s->variables);
	free(s->conditions);
	free(s->combinations);
	*s = (struct sweep){0};
}
