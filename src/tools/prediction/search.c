/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Branch and bound. */
#include "prediction/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* What is better by less is not better: costs and bounds are sums. */
#define ROUNDING 1e-9

struct task {
	const struct search *search;
	struct search_result *result;
	size_t *choice; /* [variables] */
	size_t asked;
};

static int compare_choices(
	const struct task *t, const struct search_choice *a, const size_t *b, double cost)
{
	if (a->cost != cost)
		return a->cost < cost ? -1 : 1;
	for (size_t i = 0; i < t->search->variables; i++)
		if (a->choice[i] != b[i])
			return a->choice[i] < b[i] ? -1 : 1;
	return 0;
}

static void keep(struct task *t, double cost)
{
	struct search_result *r = t->result;
	const size_t bytes = t->search->variables * sizeof(*t->choice);
	size_t at = 0;
	int order = 1;

	while (at < r->count && (order = compare_choices(t, &r->list[at], t->choice, cost)) < 0)
		at++;
	if (at == t->search->best || (at < r->count && !order))
		return;
	size_t *own = r->count < t->search->best ? alloc_zeroed(t->search->variables, sizeof(*own))
						 : r->list[r->count - 1].choice;

	r->count += r->count < t->search->best;
	for (size_t i = r->count - 1; i > at; i--)
		r->list[i] = r->list[i - 1];
	memcpy(own, t->choice, bytes);
	r->list[at] = (struct search_choice){own, cost};
}

static double worst(const struct task *t)
{
	const struct search_result *r = t->result;

	return r->count < t->search->best ? HUGE_VAL : r->list[r->count - 1].cost;
}

static bool is_spent(const struct task *t)
{
	return t->asked >= t->search->most;
}

static double bound_of_task(struct task *t, size_t given)
{
	t->asked++;
	return t->search->bound(t->search->with, t->choice, given);
}

/* HUGE_VAL: there is none. */
static double cost_of_task(struct task *t)
{
	t->asked++;
	t->result->costs++;
	const double found = t->search->cost(t->search->with, t->choice);

	if (isnan(found))
		return HUGE_VAL;
	keep(t, found);
	return found;
}

/* Gives one variable the value that gains most. True: it has another one now. */
static bool improve(struct task *t, size_t variable, double *least)
{
	const size_t before = t->choice[variable];
	size_t best = before;

	for (size_t i = 0; i < t->search->values[variable] && !is_spent(t); i++) {
		t->choice[variable] = i;
		if (i == before || bound_of_task(t, t->search->variables) >= *least)
			continue;
		const double found = cost_of_task(t);

		if (found < *least) {
			*least = found;
			best = i;
		}
	}
	t->choice[variable] = best;
	return best != before;
}

static void dive(struct task *t)
{
	for (size_t i = 0; i < t->search->variables; i++) {
		double least = HUGE_VAL;
		size_t best = 0;

		for (size_t k = 0; k < t->search->values[i]; k++) {
			t->choice[i] = k;
			const double found = bound_of_task(t, i + 1);

			if (found < least) {
				least = found;
				best = k;
			}
		}
		t->choice[i] = best;
	}
}

static void descend(struct task *t)
{
	const struct search *s = t->search;
	bool changed = true;

	dive(t);
	double least = cost_of_task(t);

	while (changed) {
		changed = false;
		for (size_t i = 0; i < s->variables; i++)
			changed |= improve(t, i, &least);
	}
}

struct branch {
	size_t value;
	double bound;
};

static int by_bound(const void *a, const void *b)
{
	const struct branch *x = a, *y = b;

	if (x->bound != y->bound)
		return x->bound < y->bound ? -1 : 1;
	return x->value < y->value ? -1 : 1;
}

static void leave(struct task *t, double least)
{
	t->result->whole = false;
	t->result->left = fmin(t->result->left, least);
}

static void branch(struct task *t, size_t given, double least)
{
	const struct search *s = t->search;

	if (is_spent(t)) {
		leave(t, least);
		return;
	}
	if (given == s->variables) {
		cost_of_task(t);
		return;
	}
	struct branch *list = alloc_zeroed(s->values[given], sizeof(*list));

	for (size_t i = 0; i < s->values[given]; i++) {
		t->choice[given] = i;
		list[i] = (struct branch){i, bound_of_task(t, given + 1)};
	}
	qsort(list, s->values[given], sizeof(*list), by_bound);
	for (size_t i = 0; i < s->values[given]; i++) {
		if (list[i].bound == HUGE_VAL || list[i].bound >= worst(t) * (1 - ROUNDING))
			break;
		t->choice[given] = list[i].value;
		branch(t, given + 1, fmax(list[i].bound, least));
	}
	free(list);
}

void search_best(const struct search *s, struct search_result *r)
{
	struct task t = {s, r, alloc_zeroed(s->variables + 1, sizeof(size_t)), 0};

	*r = (struct search_result){.whole = true, .left = HUGE_VAL};
	r->list = alloc_zeroed(s->best + 1, sizeof(*r->list));
	descend(&t);
	branch(&t, 0, 0);
	/* what is left behind the worst that is known does not matter */
	r->whole |= r->count == s->best && r->left >= worst(&t) * (1 - ROUNDING);
	free(t.choice);
}

void search_free(struct search_result *r)
{
	for (size_t i = 0; i < r->count; i++)
		free(r->list[i].choice);
	free(r->list);
	*r = (struct search_result){.list = NULL};
}
