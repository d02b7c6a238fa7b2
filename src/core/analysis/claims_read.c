/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads `claim`. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/claims.h"
#include "base/alloc.h"
#include "base/text.h"

static const char *const relations[] = {">", "<", "~"};

#define EXAMPLE "claim: cost placement=local_4k > placement=remote_2m by=10%%"

/* Why the sweep may be without a value that the claims of the file name; NULL: it may not. */
static const char *lacks_for(const struct experiment *x, size_t variable)
{
	const struct variable *v = &x->sweep.variables[variable];

	if (x->file.quick)
		return "the trial leaves out";
	if (v->values.at.file && !v->values.at.line) /* on the command line */
		return "--set leaves out";
	return v->of_machine ? "this machine has no" : NULL;
}

static int unknown_value(
	const struct view *v, const struct variable *of, const char *value, struct errors *e)
{
	char *values = alloc_string("", 0);

	for (size_t i = 0; i < of->values.count && i < 20; i++)
		alloc_append(&values, "", " %s", of->values.word[i]);
	error_unknown(e, STATUS_USAGE, v->at,
		text_nearest(value, (const char *const *)of->values.word, of->values.count),
		"claim: the sweep's %s is never '%s'", of->name, value);
	error_hint(e, "its values:%s%s", values, of->values.count > 20 ? " ..." : "");
	free(values);
	return -1;
}

static int read_value(struct claim_side *s, size_t variable, const char *word, const char *value,
	const struct experiment *x, struct errors *e)
{
	const struct variable *of = &x->sweep.variables[variable];

	if (s->values[variable] != CLAIM_ANY)
		return error_add(e, STATUS_USAGE, s->what.at,
			"claim: a side names '%s' more than once", of->name);
	for (size_t i = 0; i < of->values.count; i++)
		if (text_same_value(of->values.word[i], value)) {
			s->values[variable] = (long)i;
			return 0;
		}
	if (!lacks_for(x, variable))
		return unknown_value(&s->what, of, value, e);
	s->values[variable] = 0;
	if (!s->absent)
		s->absent = alloc_format("%s %s", lacks_for(x, variable), word);
	return 0;
}

/* Operations of runs that cannot be done here are no mistake. */
static bool has_operation(const struct experiment *x, const struct claims *all, const char *label)
{
	for (size_t i = 0; i < all->names.count; i++)
		if (!strcmp(all->names.list[i], label))
			return true;
	for (size_t i = 0; i < x->nruns; i++)
		for (size_t k = 0; x->runs[i].skipped && k < x->runs[i].request.ops.count; k++)
			if (!strcmp(x->runs[i].request.ops.word[k], label))
				return true;
	return false;
}

static int read_operation(struct claim_side *s, const char *label, const struct experiment *x,
	struct claims *all, struct errors *e)
{
	if (has_operation(x, all, label)) {
		free(s->operation);
		s->operation = alloc_string(label, strlen(label));
		return 0;
	}
	return error_unknown(e, STATUS_USAGE, s->what.at,
		text_nearest(label, all->names.list, all->names.count),
		"claim: no run has an operation '%s'", label);
}

/* "10%" or "2x": how much more than once. */
static int read_margin(struct claim *c, const char *word, const char *value, struct errors *e)
{
	const size_t length = strlen(value);
	const char last = length ? value[length - 1] : '\0';
	char *number = alloc_string(value, length - (last == 'x'));
	double margin = 0;
	int failed = last == 'x'   ? text_real(number, &margin)
		     : last == '%' ? text_fraction(number, &margin)
				   : -1; /* 2 may mean twice, or 200 % more */

	free(number);
	margin -= last == 'x' ? 1 : 0;
	if (failed || !(margin >= 0) || !isfinite(margin)) {
		error_add(e, STATUS_USAGE, c->at, "claim: '%s' is no margin", word);
		return error_hint(
			e, "by=10%%, or by=2x: at least that much more; within=5%%: at most");
	}
	c->margin = margin;
	return 0;
}

static int not_understood(const struct claim *c, const char *word, struct errors *e)
{
	error_add(e, STATUS_USAGE, c->at, "claim: '%s' is not understood", word);
	return error_hint(e,
		"a side is a quantity and NAME=VALUE of the sweep, operation= or thread=; after "
		"both by= or within=: " EXAMPLE);
}

/* What a word behind the quantity sets. Variables come first: a sweep can have one that is called
 * thread. */
static int read_word(struct claim *c, struct claim_side *s, const char *word,
	const struct experiment *x, struct claims *all, struct errors *e)
{
	const char *equals = strchr(word, '=');

	if (!equals)
		return not_understood(c, word, e);
	char *name = alloc_string(word, (size_t)(equals - word));
	const int variable = sweep_find(&x->sweep, name);
	const bool operation = !strcmp(name, axis_name(x, AXIS_OPERATION)),
		   thread = !strcmp(name, axis_name(x, AXIS_THREAD)),
		   margin = !strcmp(name, c->relation == CLAIM_ALIKE ? "within" : "by");

	free(name);
	if (variable >= 0)
		return read_value(s, (size_t)variable, word, equals + 1, x, e);
	if (operation)
		return read_operation(s, equals + 1, x, all, e);
	if (thread)
		return view_read_thread(&s->what, equals + 1, e);
	if (margin && s == &c->right)
		return read_margin(c, word, equals + 1, e);
	return not_understood(c, word, e);
}

static bool is_quantity(const char *word)
{
	return !strchr(word, '=');
}

static int read_side(struct claim *c, struct claim_side *s, const struct words *w, size_t from,
	size_t to, const struct experiment *x, struct claims *all, struct errors *e)
{
	int failed = 0;

	for (size_t i = from; i < to; i++)
		failed |= i == from && is_quantity(w->word[i])
				  ? claims_quantity(all, s, w->word[i], x, e)
				  : read_word(c, s, w->word[i], x, all, e);
	return failed;
}

static void begin_side(struct claim_side *s, const struct line *line, const struct experiment *x)
{
	s->what = view_begin(line);
	s->values = alloc_zeroed(x->sweep.nvariables + 1, sizeof(*s->values));
	for (size_t v = 0; v < x->sweep.nvariables; v++)
		s->values[v] = CLAIM_ANY;
}

/* What the right side does not say is as on the left. 0, or -1: it names a variable of which the
 * left side takes every value. */
static int complete(struct claim *c, const struct experiment *x, bool own, struct errors *e)
{
	struct claim_side *l = &c->left, *r = &c->right;
	const int thread = r->what.thread;

	if (!own) {
		r->what = l->what;
		r->lacks = l->lacks;
	}
	r->what.thread = thread == ALL_THREADS ? l->what.thread : thread;
	for (size_t v = 0; v < x->sweep.nvariables; v++) {
		if (r->values[v] == CLAIM_ANY)
			r->values[v] = l->values[v];
		else if (l->values[v] == CLAIM_ANY) {
			error_add(e, STATUS_USAGE, c->at, "claim: only one side names '%s'",
				x->sweep.variables[v].name);
			return error_hint(e, "name its value on both sides: " EXAMPLE);
		}
	}
	if (r->operation && !l->operation) {
		error_add(e, STATUS_USAGE, c->at, "claim: only one side names an operation");
		return error_hint(e, "name it on both sides: operation=load < operation=chase");
	}
	if (thread != ALL_THREADS && l->what.thread == ALL_THREADS) {
		error_add(e, STATUS_USAGE, c->at, "claim: only one side names a thread");
		return error_hint(e, "name it on the left side for both, or on both sides");
	}
	if (!r->operation && l->operation)
		r->operation = alloc_string(l->operation, strlen(l->operation));
	return 0;
}

static bool same_sides(const struct claim *c, const struct experiment *x)
{
	const struct claim_side *l = &c->left, *r = &c->right;
	bool same = l->what.quantity == r->what.quantity && l->what.figure == r->what.figure &&
		    l->what.counter == r->what.counter && l->what.thread == r->what.thread &&
		    !l->absent && !r->absent &&
		    (!l->operation || !strcmp(l->operation, r->operation));

	for (size_t v = 0; v < x->sweep.nvariables; v++)
		same &= l->values[v] == r->values[v];
	return same;
}

static int check_claim(struct claim *c, const struct experiment *x, struct errors *e)
{
	if (claims_check_quantity(&c->left, x, e) || claims_check_quantity(&c->right, x, e))
		return -1;
	if (strcmp(view_unit(x, &c->left.what), view_unit(x, &c->right.what))) {
		error_add(e, STATUS_USAGE, c->at, "claim: the sides have different units");
		return error_hint(e, "compare one quantity, or two of the same unit");
	}
	if (same_sides(c, x)) {
		error_add(
			e, STATUS_USAGE, c->at, "claim: both sides of '%s' are the same", c->text);
		return error_hint(e, "name different values: " EXAMPLE);
	}
	if (c->relation == CLAIM_ALIKE && !(c->margin > 0)) {
		error_add(e, STATUS_USAGE, c->at,
			"claim: '~' needs to know how far apart the sides may be");
		return error_hint(e, "within=5%%: the larger one is at most 5 %% larger");
	}
	c->differs = !strcmp(view_unit(x, &c->left.what), "%");
	c->margin *= c->differs ? 100 : 1; /* percentage points */
	return 0;
}

/* Index of the relation's word; w->count: there is none. */
static size_t find_relation(const struct words *w, struct claim *c)
{
	for (size_t i = 0; i < w->count; i++)
		for (int r = CLAIM_ABOVE; r <= CLAIM_ALIKE; r++)
			if (!strcmp(w->word[i], relations[r])) {
				c->relation = (enum claim_relation)r;
				return i;
			}
	return w->count;
}

static int no_relation(const struct claim *c, struct errors *e)
{
	error_add(e, STATUS_USAGE, c->at, "claim: '%s' compares nothing", c->text);
	return error_hint(e, "> < or ~ between two sides, with blanks around: " EXAMPLE);
}

static int read_words(struct claim *c, const struct words *w, const struct experiment *x,
	struct claims *all, struct errors *e)
{
	const size_t relation = find_relation(w, c);

	if (relation == w->count || !relation || relation + 1 == w->count)
		return no_relation(c, e);
	if (!is_quantity(w->word[0]))
		return not_understood(c, w->word[0], e);
	int failed = read_side(c, &c->left, w, 0, relation, x, all, e);

	failed |= read_side(c, &c->right, w, relation + 1, w->count, x, all, e);
	if (!failed)
		failed = complete(c, x, is_quantity(w->word[relation + 1]), e);
	return failed ? failed : check_claim(c, x, e);
}

static int read_claim(struct claim *c, const struct line *line, const struct experiment *x,
	struct claims *all, struct errors *e)
{
	*c = (struct claim){.text = alloc_string(line->text, strlen(line->text)), .at = line->at};
	struct words words = {0};

	begin_side(&c->left, line, x);
	begin_side(&c->right, line, x);
	words_split(&words, line->text, " \t");
	int failed = read_words(c, &words, x, all, e);
	words_free(&words);
	return failed;
}

/* A claim that is never judged would look as if nothing spoke against it. */
static int check_tests(const struct claims *c, struct errors *e)
{
	int failed = 0;

	for (size_t i = 0, k = 0; i < c->count; i++) {
		const size_t first = k;

		while (k < c->ntests && c->tests[k].claim == &c->list[i])
			k++;
		if (k > first)
			continue;
		error_add(e, STATUS_USAGE, c->list[i].at, "claim: '%s' compares no runs",
			c->list[i].text);
		failed = error_hint(e,
			"where leaves them out, or their operations differ: operation= on both "
			"sides compares these");
	}
	return failed;
}

int claims_read(struct claims *c, const struct experiment *x, struct errors *e)
{
	size_t before = e->failures;

	*c = (struct claims){0};
	op_names_make(&c->names, x);
	c->list = alloc_zeroed(x->file.claims.count + 1, sizeof(*c->list));
	for (size_t i = 0; i < x->file.claims.count; i++)
		read_claim(&c->list[c->count++], &x->file.claims.list[i], x, c, e);
	if (e->failures != before)
		return -1;
	claims_find_tests(c, x);
	return check_tests(c, e);
}

static void free_side(struct claim_side *s)
{
	free(s->values);
	free(s->operation);
	free(s->absent);
}

void claims_free(struct claims *c)
{
	for (size_t i = 0; i < c->count; i++) {
		free(c->list[i].text);
		free_side(&c->list[i].left);
		free_side(&c->list[i].right);
	}
	for (size_t i = 0; i < c->ntests; i++) {
		free(c->tests[i].label);
		free(c->tests[i].reason);
	}
	free(c->list);
	free(c->tests);
	for (size_t i = 0; i < c->nuncounted; i++) {
		free(c->uncounted[i]->name);
		free(c->uncounted[i]->why);
		free(c->uncounted[i]);
	}
	free(c->uncounted);
	events_free(&c->table);
	op_names_free(&c->names);
	*c = (struct claims){0};
}
