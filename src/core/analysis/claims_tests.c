/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the pairs of runs that claims compare. */
#include <stdlib.h>
#include <string.h>

#include "analysis/claims.h"
#include "base/alloc.h"
#include "counters/counting.h"

/* The values of all variables for both sides of a test. */
struct pair {
	size_t *left, *right;  /* [variables] */
	const char *operation; /* of both; NULL: the claim names them */
};

static void append_condition(char **text, const char *divider, const char *name, const char *value)
{
	alloc_append(text, divider, "%s%s%s", name, *name && *value ? "=" : "", value);
}

/* The values that the claim names on this side, for messages. */
static char *named(const struct claim_side *s, const struct experiment *x)
{
	char *text = alloc_string("", 0);

	for (size_t v = 0; v < x->sweep.nvariables; v++)
		if (s->values[v] != CLAIM_ANY)
			append_condition(&text, " ", x->sweep.variables[v].name,
				x->sweep.variables[v].values.word[s->values[v]]);
	if (s->operation)
		append_condition(&text, " ", axis_name(x, AXIS_OPERATION), s->operation);
	return text;
}

/* The operations, and the values of variables that the claim does not name. */
static char *label_of(const struct claim *c, const struct experiment *x, const struct pair *p)
{
	const char *left = p->operation ? p->operation : c->left.operation,
		   *right = p->operation ? p->operation : c->right.operation;
	char *text = alloc_string(left, strlen(left));

	if (strcmp(left, right))
		append_condition(&text, ", ", right, "");
	for (size_t v = 0; v < x->sweep.nvariables; v++)
		if (c->left.values[v] == CLAIM_ANY && x->sweep.variables[v].values.count > 1)
			append_condition(&text, ", ", x->sweep.variables[v].name,
				x->sweep.variables[v].values.word[p->left[v]]);
	return text;
}

static struct claim_point point_of(const struct claim_side *s, const struct experiment *x,
	const size_t *values, const char *operation)
{
	struct claim_point p = {s->absent ? -1 : sweep_at(&x->sweep, values), -1};

	if (p.run >= 0 && !x->runs[p.run].skipped)
		p.op = op_names_find(&x->runs[p.run].plan, operation ? operation : s->operation);
	return p;
}

/* Why this side has no figure, to be freed; NULL: it will have one. */
static char *why_not(
	const struct claim_side *s, const struct claim_point *p, const struct experiment *x)
{
	if (s->lacks)
		return alloc_format(
			"%s is not counted: %s", s->lacks->name, counter_missing(s->lacks));
	if (s->absent)
		return alloc_string(s->absent, strlen(s->absent));
	char *name = named(s, x), *why = NULL;
	const struct run *t = p->run < 0 ? NULL : &x->runs[p->run];

	if (!t)
		why = alloc_format("no run has %s: %s", name,
			x->sweep.seed ? "runs chose others" : "where leaves it out");
	else if (t->skipped)
		why = alloc_format("%s is skipped: %s", name, errors_failure(&t->errors));
	else if (p->op < 0)
		why = alloc_format("%s has another operation", name);
	else if (s->what.thread >= t->plan.nthreads)
		why = alloc_format("%s has no thread %d", name, s->what.thread);
	free(name);
	return why;
}

/* Threads that the driver placed on unlike cores compare cores. */
static char *why_unlike(const struct claim_test *t, const struct experiment *x)
{
	const int threads[] = {t->claim->left.what.thread, t->claim->right.what.thread};

	for (int i = 0; i < 2; i++)
		if (threads[i] >= 0 && !derive_comparable(x, (size_t)t->left.run,
					       (size_t)t->right.run, 0, threads[i]))
			return alloc_format("thread %d is on cores of different kinds", threads[i]);
	return NULL;
}

static char *reason_of(const struct claim_test *t, const struct experiment *x)
{
	char *why = why_not(&t->claim->left, &t->left, x);

	if (!why)
		why = why_not(&t->claim->right, &t->right, x);
	if (!why && x->file.quick)
		why = alloc_format("quick: yes is a trial and allows no conclusions");
	return why ? why : why_unlike(t, x);
}

static void add_test(struct claims *c, const struct claim *claim, const struct experiment *x,
	const struct pair *p)
{
	struct claim_test t = {.claim = claim,
		.left = point_of(&claim->left, x, p->left, p->operation),
		.right = point_of(&claim->right, x, p->right, p->operation),
		.verdict = CLAIM_NOT_ASKED,
		.of_left = AMOUNT_NONE,
		.of_right = AMOUNT_NONE,
		.figure = AMOUNT_NONE};

	t.label = label_of(claim, x, p);
	t.reason = reason_of(&t, x);
	c->tests = alloc_grow(c->tests, c->ntests, sizeof(*c->tests));
	c->tests[c->ntests++] = t;
}

/* Does the sweep have neither side? Then the test is none of the file's. A value that this machine
 * lacks, or a choice by chance, tells nothing of that. */
static bool left_out(const struct claim *claim, const struct experiment *x, const struct pair *p)
{
	return !x->sweep.seed && !claim->left.absent && !claim->right.absent &&
	       sweep_at(&x->sweep, p->left) < 0 && sweep_at(&x->sweep, p->right) < 0;
}

/* A run that can be done and lacks the operation makes no test of it, as it makes no table. */
static bool lacks_operation(
	const struct claim *claim, const struct experiment *x, const struct pair *p)
{
	const struct claim_point l = point_of(&claim->left, x, p->left, p->operation),
				 r = point_of(&claim->right, x, p->right, p->operation);

	return p->operation && ((l.run >= 0 && !x->runs[l.run].skipped && l.op < 0) ||
				       (r.run >= 0 && !x->runs[r.run].skipped && r.op < 0));
}

static void add_operations(
	struct claims *c, const struct claim *claim, const struct experiment *x, struct pair *p)
{
	for (size_t i = 0; i < (claim->left.operation ? 1 : c->names.count); i++) {
		p->operation = claim->left.operation ? NULL : c->names.list[i];
		if (!left_out(claim, x, p) && !lacks_operation(claim, x, p))
			add_test(c, claim, x, p);
	}
}

/* Steps through the values that the claim does not name, like the digits of a counter. */
static bool next(const struct claim *claim, const struct experiment *x, struct pair *p)
{
	for (size_t v = x->sweep.nvariables; v-- > 0;) {
		if (claim->left.values[v] != CLAIM_ANY)
			continue;
		p->left[v] = p->right[v] = p->left[v] + 1;
		if (p->left[v] < x->sweep.variables[v].values.count)
			return true;
		p->left[v] = p->right[v] = 0;
	}
	return false;
}

static void begin_pair(const struct claim *claim, const struct experiment *x, struct pair *p)
{
	const size_t n = x->sweep.nvariables;

	*p = (struct pair){.left = alloc_zeroed(2 * n + 1, sizeof(*p->left))};
	p->right = p->left + n;
	for (size_t v = 0; v < n; v++)
		if (claim->left.values[v] != CLAIM_ANY) {
			p->left[v] = (size_t)claim->left.values[v];
			p->right[v] = (size_t)claim->right.values[v];
		}
}

void claims_find_tests(struct claims *c, const struct experiment *x)
{
	for (size_t i = 0; i < c->count; i++) {
		struct pair p;

		begin_pair(&c->list[i], x, &p);
		do
			add_operations(c, &c->list[i], x, &p);
		while (next(&c->list[i], x, &p));
		free(p.left);
	}
}
