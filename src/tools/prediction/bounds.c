/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an opened file leaves open. */
#include "prediction/bounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

size_t bounds_combination(const struct bounds *g)
{
	size_t combination = 0;

	for (size_t i = 0; i < g->variables; i++)
		combination = combination * g->values[i] + g->chosen[i];
	return combination;
}

/* Where nothing is said, vectors are on all nodes in turn: on one their memory may not suffice. */
static void clear_nodes(const struct bounds *g)
{
	for (size_t i = 0; i < g->variables; i++)
		g->chosen[i] = i % g->values[i];
}

bool bounds_plan(const struct bounds *g, const struct args *a, struct experiment *x)
{
	const size_t number = bounds_combination(g);
	const struct sweep_choice one = {&number, 1};
	struct errors own = {0};
	const bool placed =
		!experiment_plan_some(x, a, g->topo, &one, &own) && x->nruns && !x->runs[0].skipped;

	errors_free(&own);
	return placed;
}

double bounds_summarise(const struct bounds *g, const double *costs)
{
	double all = costs[0];

	for (size_t i = 1; i < g->threads; i++)
		if (g->summary == SUMMARY_SUM || g->summary == SUMMARY_MEAN)
			all += costs[i];
		else if ((costs[i] > all) == (g->summary == SUMMARY_MAX))
			all = costs[i];
	return g->summary == SUMMARY_MEAN ? all / (double)g->threads : all;
}

/* What a thread costs at least, alone. */
static double least_cost(
	const struct bounds *g, const struct plan *p, const struct plan_op *op, size_t thread)
{
	bool *with = alloc_zeroed(g->threads, sizeof(*with));
	struct modelled_view v = {.count = 0};
	double least = 0;
	struct predicted found = {.ends = &least};

	with[thread] = true;
	/* threads that meet wait for each other, and lines come from the CPU of another: of one of
	 * them nothing is known but that it costs more than 0 */
	if (!modelled_idle(p, op, (int)thread)) {
		char *why = training_look(g->set, p, op, with, &v);

		if (!why && v.kind != MODELLED_MEETING && v.kind != MODELLED_STATE) {
			why = training_predict(g->set, &v, &found);
			least *= g->discount;
		}
		least = why ? HUGE_VAL : least;
		free(why);
	}
	modelled_view_free(&v);
	free(with);
	return least;
}

static bool same_place(const struct plan *a, const struct plan *b, int thread)
{
	const struct plan_thread *t = &a->threads[thread], *u = &b->threads[thread];

	if (t->node != u->node || !t->nvectors || !u->nvectors)
		return t->node == u->node;
	const struct plan_vector *v = &a->vectors[t->vector_ids[0]],
				 *w = &b->vectors[u->vector_ids[0]];

	return v->node == w->node && v->policy == w->policy && v->pages == w->pages;
}

/* Which threads a variable moves: those whose places are not the same with another value. */
static void find_owners(struct bounds *g, const struct plan *base, size_t variable)
{
	bool *moved = alloc_zeroed(g->threads, sizeof(*moved));

	clear_nodes(g);
	for (size_t k = 0; k < g->values[variable]; k++) {
		struct experiment x;

		g->chosen[variable] = k;
		if (bounds_plan(g, &g->roomy, &x))
			for (size_t i = 0; i < g->threads; i++)
				moved[i] |= !same_place(base, &x.runs[0].plan, (int)i);
		else
			g->blind = true;
		experiment_free(&x);
	}
	for (size_t i = 0; i < g->threads; i++)
		if (moved[i]) {
			struct alone *a = &g->alone[i];

			a->own = alloc_grow(a->own, a->nown, sizeof(*a->own));
			a->own[a->nown++] = variable;
		}
	free(moved);
}

/* The last variable changes quickest. */
static void set_values(const struct bounds *g, const size_t *variables, size_t n, size_t cell)
{
	for (size_t i = n; i-- > 0; cell /= g->values[variables[i]])
		g->chosen[variables[i]] = cell % g->values[variables[i]];
}

static size_t cell_of(const struct bounds *g, const struct alone *a)
{
	size_t cell = 0;

	for (size_t i = 0; i < a->nown; i++)
		cell = cell * g->values[a->own[i]] + g->chosen[a->own[i]];
	return cell;
}

static void measure_cell(const struct bounds *g, size_t thread, size_t cell)
{
	struct alone *a = &g->alone[thread];
	struct experiment x;

	clear_nodes(g);
	set_values(g, a->own, a->nown, cell);
	const bool placed = bounds_plan(g, &g->roomy, &x);

	for (size_t op = 0; op < g->operations; op++) {
		const struct plan *p = placed ? &x.runs[0].plan : NULL;

		a->costs[cell * g->operations + op] = p ? least_cost(g, p, &p->ops[op], thread) : 0;
	}
	experiment_free(&x);
}

static void find_alone(const struct bounds *g, size_t thread)
{
	struct alone *a = &g->alone[thread];

	a->cells = 1;
	for (size_t i = 0; i < a->nown; i++)
		a->cells *= g->values[a->own[i]];
	a->costs = alloc_zeroed(a->cells * g->operations + 1, sizeof(*a->costs));
	for (size_t i = 0; i < a->cells; i++)
		measure_cell(g, thread, i);
}

double bounds_alone(const struct bounds *g, size_t thread, size_t op)
{
	const struct alone *a = &g->alone[thread];

	return a->costs[cell_of(g, a) * g->operations + op];
}

double bounds_least_alone(const struct bounds *g, size_t thread, size_t op)
{
	const struct alone *a = &g->alone[thread];
	double least = HUGE_VAL;

	for (size_t i = 0; i < a->cells; i++)
		least = fmin(least, a->costs[i * g->operations + op]);
	return least;
}

/* Does swapping their places change nothing? */
static bool are_twins(const struct bounds *g, const struct plan *p, size_t x, size_t y)
{
	const struct alone *a = &g->alone[x], *b = &g->alone[y];

	if (a->shares || b->shares || a->nown != b->nown || !a->nown)
		return false;
	for (size_t i = 0; i < a->nown; i++)
		if (g->values[a->own[i]] != g->values[b->own[i]])
			return false;
	for (size_t op = 0; op < g->operations; op++)
		if (p->ops[op].jobs[x].kernel != p->ops[op].jobs[y].kernel)
			return false;
	for (size_t i = 0; i < a->cells * g->operations; i++)
		if (!(fabs(a->costs[i] - b->costs[i]) <= 1e-9 * a->costs[i]) &&
			a->costs[i] != b->costs[i])
			return false;
	return true;
}

static void find_twin(const struct bounds *g, const struct plan *p, size_t thread)
{
	struct alone *a = &g->alone[thread];

	a->twin = -1;
	for (size_t i = thread; i-- > 0 && a->twin < 0;)
		if (are_twins(g, p, i, thread))
			a->twin = (long)i;
}

static bool is_grouped(const struct bounds *g, size_t variable)
{
	for (size_t i = 0; i < g->ngroups; i++)
		for (size_t k = 0; k < g->groups[i].count; k++)
			if (g->groups[i].variables[k] == variable)
				return true;
	return false;
}

static void add_group(struct bounds *g, const size_t *variables, size_t n)
{
	struct group made = {alloc_zeroed(n + 1, sizeof(size_t)), 0};
	size_t choices = 1;

	for (size_t i = 0; i < n; i++)
		if (!is_grouped(g, variables[i])) {
			made.variables[made.count++] = variables[i];
			choices *= g->values[variables[i]];
		}
	if (!made.count) {
		free(made.variables);
		return;
	}
	g->groups = alloc_grow(g->groups, g->ngroups, sizeof(*g->groups));
	g->choices = alloc_grow(g->choices, g->ngroups, sizeof(*g->choices));
	g->groups[g->ngroups] = made;
	g->choices[g->ngroups++] = choices;
}

static void find_groups(struct bounds *g)
{
	for (size_t i = 0; i < g->threads; i++) {
		add_group(g, g->alone[i].own, g->alone[i].nown);
		g->alone[i].known_after = g->alone[i].nown ? g->ngroups : 0;
	}
	for (size_t i = 0; i < g->variables; i++)
		add_group(g, &i, 1);
}

static void find_threads(struct bounds *g, const struct plan *base)
{
	g->alone = alloc_zeroed(g->threads, sizeof(*g->alone));
	for (size_t i = 0; i < g->threads; i++)
		g->alone[i].shares =
			base->threads[i].nvectors && base->threads[i].vectors[0].users > 1;
	for (size_t i = 0; i < g->variables; i++)
		find_owners(g, base, i);
	for (size_t i = 0; i < g->threads; i++)
		find_alone(g, i);
	for (size_t i = 0; i < g->threads; i++)
		find_twin(g, base, i);
	find_groups(g);
}

void bounds_choose(const struct bounds *g, const size_t *choice, size_t given)
{
	clear_nodes(g);
	for (size_t i = 0; i < given; i++)
		set_values(g, g->groups[i].variables, g->groups[i].count, choice[i]);
}

static bool is_crowded(const struct args *a)
{
	for (size_t i = a->count; i-- > 0;)
		if (!strcmp(a->entries[i].key, "oversubscribe"))
			return !strcmp(a->entries[i].value, "yes");
	return false;
}

static void copy_roomy(struct bounds *g)
{
	g->roomy.path = g->args->path;
	for (size_t i = 0; i < g->args->count; i++) {
		const struct entry *entry = &g->args->entries[i];

		args_add(&g->roomy, entry->key, entry->value, entry->at);
	}
	g->roomy.from_file = g->args->from_file;
	args_add(&g->roomy, "oversubscribe", "yes", NOWHERE);
}

void bounds_free(struct bounds *g)
{
	for (size_t i = 0; g->alone && i < g->threads; i++) {
		free(g->alone[i].own);
		free(g->alone[i].costs);
	}
	free(g->alone);
	free(g->values);
	for (size_t i = 0; i < g->ngroups; i++)
		free(g->groups[i].variables);
	free(g->groups);
	free(g->choices);
	free(g->chosen);
	g->roomy.path = NULL;
	args_free(&g->roomy);
}

static void find_variables(struct bounds *g, const struct sweep *s)
{
	g->variables = s->nvariables;
	g->values = alloc_zeroed(g->variables, sizeof(*g->values));
	g->chosen = alloc_zeroed(g->variables, sizeof(*g->chosen));
	for (size_t i = 0; i < g->variables; i++)
		g->values[i] = s->variables[i].values.count;
}

static void find_file(struct bounds *g, const struct run *r)
{
	g->threads = (size_t)r->plan.nthreads;
	g->operations = (size_t)r->plan.nops;
	g->summary = r->request.summary;
	g->crowded = is_crowded(g->args);
	g->discount = training_gain(g->set);
	find_threads(g, &r->plan);
}

/* The file with the values of `number`, with the messages of what it cannot be. */
static int plan_number(
	const struct bounds *g, size_t number, struct experiment *x, struct errors *e)
{
	const struct sweep_choice one = {&number, 1};

	return experiment_plan_some(x, &g->roomy, g->topo, &one, e);
}

int bounds_begin(struct bounds *g, struct training *set, const struct args *a, struct errors *e)
{
	struct errors none = {0};
	struct experiment x;

	*g = (struct bounds){.set = set, .topo = set->modelled.topo, .args = a};
	copy_roomy(g);
	/* the sweep is known even where its first placement does not fit */
	plan_number(g, 0, &x, &none);
	find_variables(g, &x.sweep);
	experiment_free(&x);
	errors_free(&none);
	clear_nodes(g);
	int failed = plan_number(g, bounds_combination(g), &x, e);

	if (!failed)
		find_file(g, &x.runs[0]);
	experiment_free(&x);
	return failed;
}
