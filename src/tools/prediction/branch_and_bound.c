/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Placements as choices. Each thread costs at least what it costs alone: where it is if that is
 * chosen, else wherever that is least. */
#include "prediction/branch_and_bound.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/text.h"
#include "prediction/advice.h"
#include "prediction/bounds.h"
#include "prediction/search.h"

/* Some seconds: each plans a placement. */
#define MOST 200000

/* Twins in one order only: their values do not fall. */
static bool is_first_of_twins(const struct bounds *g, size_t given)
{
	for (size_t i = 0; i < g->threads; i++) {
		const struct alone *a = &g->alone[i];

		if (a->twin < 0 || a->known_after > given)
			continue;
		const struct alone *b = &g->alone[a->twin];

		for (size_t k = 0; k < a->nown; k++) {
			const size_t own = g->chosen[a->own[k]], before = g->chosen[b->own[k]];

			if (own < before)
				return false;
			if (own > before)
				break;
		}
	}
	return true;
}

/* Do the threads that are known have a hardware thread each? */
static bool has_room(const struct bounds *g, const struct plan *p, size_t given)
{
	int *left = alloc_zeroed((size_t)g->topo->nnodes, sizeof(*left));
	bool room = true;

	for (int i = 0; i < g->topo->nnodes; i++)
		left[i] = g->topo->nodes[i].allowed_cpus;
	for (size_t k = 0; k < g->threads; k++)
		for (int i = 0; g->alone[k].known_after <= given && i < g->topo->nnodes; i++)
			if (g->topo->nodes[i].node == p->threads[k].node)
				room &= left[i]-- > 0;
	free(left);
	return room || g->crowded;
}

static double bound_of(const struct bounds *g, size_t given)
{
	double *costs = alloc_zeroed(g->threads, sizeof(*costs)), all = 0;

	for (size_t op = 0; op < g->operations; op++) {
		for (size_t i = 0; i < g->threads; i++)
			costs[i] =
				(g->alone[i].known_after <= given ? bounds_alone
								  : bounds_least_alone)(g, i, op);
		all += bounds_summarise(g, costs);
	}
	free(costs);
	return all;
}

static double bound_of_choice(void *with, const size_t *choice, size_t given)
{
	const struct bounds *g = with;
	struct experiment x;
	double found = HUGE_VAL;

	if (g->blind)
		return 0;
	bounds_choose(g, choice, given);
	if (!is_first_of_twins(g, given))
		return HUGE_VAL;
	const bool placed = bounds_plan(g, &g->roomy, &x);

	if (!placed || has_room(g, &x.runs[0].plan, given))
		found = bound_of(g, given);
	experiment_free(&x);
	return found;
}

static double cost_of_operation(const struct bounds *g, const struct plan *p, size_t op)
{
	double *ends = alloc_zeroed(g->threads, sizeof(*ends)), all = NAN;
	struct predicted found = {.ends = ends};
	bool *with = modelled_working(p, &p->ops[op]);
	struct modelled_view v;
	char *why = training_look(g->set, p, &p->ops[op], with, &v);

	if (!why)
		why = training_predict(g->set, &v, &found);
	for (size_t i = g->threads, k = v.count; i-- > 0 && with && !why;)
		ends[i] = with[i] ? ends[--k] : g->set->measured.idle;
	if (!why)
		all = bounds_summarise(g, ends);
	free(why);
	free(with);
	free(ends);
	modelled_view_free(&v);
	return all;
}

static double cost_of_choice(void *with, const size_t *choice)
{
	const struct bounds *g = with;
	struct experiment x;
	double all = NAN;

	bounds_choose(g, choice, g->ngroups);
	if (bounds_plan(g, g->args, &x)) {
		all = 0;
		for (size_t op = 0; op < g->operations; op++)
			all += cost_of_operation(g, &x.runs[0].plan, op);
	}
	experiment_free(&x);
	return all;
}

/* How many of the threads that are known have their vector on their node, on the system's pages. */
static int likeness(const struct bounds *g, const struct plan *p, size_t given)
{
	int like = 0;

	for (size_t i = 0; i < g->threads; i++) {
		const struct plan_thread *t = &p->threads[i];

		if (g->alone[i].known_after > given || !t->nvectors)
			continue;
		like += (p->vectors[t->vector_ids[0]].node == t->node) +
			(p->vectors[t->vector_ids[0]].pages == PAGES_SYSTEM);
	}
	return like;
}

/* What one has without advice: of each group the first choice with most data near, on nodes that
 * have room, as ranking.c has it of a whole space. */
static void find_baseline(struct bounds *g, size_t *choice)
{
	for (size_t i = 0; i < g->ngroups; i++) {
		int most = -1;
		size_t best = 0;

		for (size_t k = 0; k < g->choices[i]; k++) {
			struct experiment x;

			choice[i] = k;
			bounds_choose(g, choice, i + 1);
			if (bounds_plan(g, &g->roomy, &x) && has_room(g, &x.runs[0].plan, i + 1) &&
				likeness(g, &x.runs[0].plan, i + 1) > most) {
				most = likeness(g, &x.runs[0].plan, i + 1);
				best = k;
			}
			experiment_free(&x);
		}
		choice[i] = best;
	}
}

static int by_number(const void *a, const void *b)
{
	const size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return (x > y) - (x < y);
}

static void add_explored(struct exploration *x, const struct bounds *g, const size_t *choice)
{
	bounds_choose(g, choice, g->ngroups);
	const size_t number = bounds_combination(g);

	for (size_t i = 0; i < x->count; i++)
		if (x->combinations[i] == number)
			return;
	x->combinations = alloc_grow(x->combinations, x->count, sizeof(*x->combinations));
	x->combinations[x->count++] = number;
}

static void take_result_of_search(
	struct exploration *x, struct bounds *g, const struct search_result *r)
{
	size_t *choice = alloc_zeroed(g->ngroups, sizeof(*choice));

	for (size_t i = 0; i < r->count; i++)
		add_explored(x, g, r->list[i].choice);
	find_baseline(g, choice);
	add_explored(x, g, choice);
	qsort(x->combinations, x->count, sizeof(*x->combinations), by_number);
	x->open = 1;
	for (size_t i = 0; i < g->variables; i++)
		x->open *= (double)g->values[i];
	x->costs = r->costs;
	x->whole = r->whole;
	x->left_s = r->left * 1e-9;
	free(choice);
}

int explore(struct exploration *x, struct training *set, const struct args *a, struct errors *e)
{
	struct bounds g;
	struct search_result found = {.list = NULL};

	*x = (struct exploration){.combinations = NULL};
	int failed = bounds_begin(&g, set, a, e);

	if (!failed) {
		const struct search s = {g.ngroups, g.choices, bound_of_choice, cost_of_choice, &g,
			ADVICE_MOST, MOST};

		search_best(&s, &found);
		if (!found.count)
			failed = error_add(e, STATUS_FAILED, NOWHERE,
				"none of %zu placement%s of '%s' that %s looked at is predicted "
				"with all its operations",
				found.costs, text_s(found.costs), args_name(a->path),
				found.costs == 1 ? "was" : "were");
		else
			take_result_of_search(x, &g, &found);
	}
	search_free(&found);
	bounds_free(&g);
	return failed;
}

void explore_free(struct exploration *x)
{
	free(x->combinations);
	*x = (struct exploration){.combinations = NULL};
}
