/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Break-even of a move, and crossings of costs in a sweep. */
#include "analysis/crossings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/trust.h"
#include "base/alloc.h"
#include "statistics/crossing.h"
#include "base/text.h"

/* The only node of a vector; -1: several, or it is not known before. */
static int only_node(const struct plan_vector *v)
{
	int only = -1;

	for (int node = 0; v->nodes && node < MEM_MAX_NODES; node++) {
		if (v->nodes[node] && only >= 0)
			return -1;
		only = v->nodes[node] ? node : only;
	}
	return only;
}

static int only_node_of_all(const struct plan *p)
{
	const int node = p->nvectors ? only_node(&p->vectors[0]) : -1;

	for (int i = 1; i < p->nvectors; i++)
		if (only_node(&p->vectors[i]) != node)
			return -1;
	return node;
}

/* Does the first vector of both ask for other nodes, and are all vectors of both on the same one
 * node alone? What such runs differ in is no matter of placement. */
static bool have_same_memory(const struct plan *a, const struct plan *b)
{
	const int node = only_node_of_all(a);

	return node >= 0 && node == only_node_of_all(b) &&
	       strcmp(a->vectors[0].asked, b->vectors[0].asked) != 0;
}

/* ---- the move */

static bool is_move(const struct plan *p, int op, int who)
{
	for (int i = 0; i < p->nthreads; i++) {
		const struct plan_job *job = &p->ops[op].jobs[i];

		if (derive_counts(p, who, i) && !(job->kernel->migration.is_move &&
							job->kernel->migration.is_move(job->args)))
			return false;
	}
	return true;
}

/* The operation whose cost is that of the move; -1: none. */
static int find_move(const struct plan *p, int who)
{
	for (int op = 0; op < p->nops; op++)
		if (is_move(p, op, who))
			return op;
	return -1;
}

/* Rounds of which the cost of all these threads is: 0: they differ. */
static uint64_t rounds_of(const struct plan *p, int op, int who)
{
	uint64_t rounds = 0;

	for (int i = 0; i < p->nthreads; i++) {
		const struct plan_job *job = &p->ops[op].jobs[i];
		uint64_t own = job->calibrated ? 1 : job->common.passes;

		if (!derive_counts(p, who, i))
			continue;
		if (rounds && rounds != own)
			return 0;
		rounds = own;
	}
	return rounds;
}

static bool sleeps(const struct plan *p, int op, int who)
{
	for (int i = 0; i < p->nthreads; i++)
		if (derive_counts(p, who, i) && p->ops[op].jobs[i].common.sleep_ns)
			return true;
	return false;
}

/* Two runs of which one has moved the vectors of the other, and an operation in both. */
struct pair {
	const struct run *here, *there; /* there: the baseline's */
	int op, move; /* indices of operations; move: that of the move, in `here` */
	int who;
};

/* ---- why not */

static const char *node_text(int node, char *text, size_t n)
{
	if (node < 0)
		snprintf(text, n, "no single node");
	else
		snprintf(text, n, "node %d", node);
	return text;
}

static char *wrong_vector(const struct pair *p, int vector)
{
	const struct plan_vector *here = &p->here->plan.vectors[vector],
				 *there = &p->there->plan.vectors[vector];
	char target[32], home[32];

	if (there->node >= 0 && here->node == there->node)
		return alloc_format(
			"vector %d is on node %d, as in its baseline", vector, here->node);
	if (there->node < 0 || here->target != there->node)
		return alloc_format("migrate moves vector %d to %s, and its baseline has it on %s",
			vector, node_text(here->target, target, sizeof(target)),
			node_text(there->node, home, sizeof(home)));
	return NULL;
}

static char *wrong_thread(const struct pair *p, int thread)
{
	const struct plan *here = &p->here->plan, *there = &p->there->plan;
	char *wrong = NULL;

	if (here->threads[thread].node != there->threads[thread].node)
		return alloc_format("thread %d is on another node than in its baseline", thread);
	for (int k = 0; !wrong && k < here->threads[thread].nvectors; k++)
		wrong = wrong_vector(p, here->threads[thread].vector_ids[k]);
	return wrong;
}

static bool same_shape(const struct pair *p)
{
	const struct plan *here = &p->here->plan, *there = &p->there->plan;

	return here->nthreads == there->nthreads && here->nvectors == there->nvectors &&
	       p->op < there->nops && !strcmp(here->ops[p->op].label, there->ops[p->op].label);
}

/* Why a pair has no break-even, to be freed; NULL: it has one. */
static char *why_not(const struct pair *p)
{
	const struct plan *here = &p->here->plan;
	char *wrong = NULL;

	if (p->move < 0)
		return alloc_format("none of its operations is a migrate in all threads that moves "
				    "pages");
	if (!same_shape(p))
		return alloc_format("its baseline has other operations, threads or vectors");
	if (sleeps(here, p->op, p->who) || sleeps(here, p->move, p->who))
		return alloc_format("threads sleep before they work");
	if (rounds_of(here, p->move, p->who) != 1 || !rounds_of(here, p->op, p->who))
		return alloc_format("threads have different passes");
	for (int i = 0; !wrong && i < here->nthreads; i++)
		if (derive_counts(here, p->who, i))
			wrong = wrong_thread(p, i);
	return wrong;
}

/* false: there is nothing to compare, and no reason to tell. */
static bool find_pair(const struct experiment *x, size_t run, int op, int who, struct pair *p)
{
	long base = derive_baseline_index(x, run);

	if (base < 0 || (size_t)base == run || x->runs[run].skipped)
		return false;
	*p = (struct pair){
		&x->runs[run], &x->runs[base], op, find_move(&x->runs[run].plan, who), who};
	return op != p->move;
}

static bool pair_at(const struct experiment *x, size_t run, int op, int who, struct pair *p)
{
	if (!find_pair(x, run, op, who, p))
		return false;
	char *why = why_not(p);

	free(why);
	return !why;
}

/* ---- figures */

static struct amount of_round(const struct run *t, int op, int who)
{
	uint64_t rounds = rounds_of(&t->plan, op, who);

	return rounds ? amount_times(derive_cost(&t->samples, op, who), 1 / (double)rounds)
		      : AMOUNT_NONE;
}

struct amount crossings_break_even(const struct experiment *x, size_t run, int op, int thread)
{
	struct pair p;

	if (!pair_at(x, run, op, thread, &p))
		return AMOUNT_NONE;
	return crossing_of_costs(of_round(p.here, p.move, thread), of_round(p.here, op, thread),
		of_round(p.there, op, thread));
}

/* once / (dear - cheap) * dear is once / (1 - cheap / dear). */
struct amount crossings_break_even_time(const struct experiment *x, size_t run, int op, int thread)
{
	static const struct amount one = {1, 1, 1};
	struct pair p;
	double unused;

	if (!pair_at(x, run, op, thread, &p) ||
		rounds_of(&p.here->plan, op, thread) != rounds_of(&p.there->plan, op, thread))
		return AMOUNT_NONE;
	return crossing_of_costs(
		of_round(p.here, p.move, thread), one, derive_gain(x, run, op, thread, &unused));
}

static bool is_same_memory(const struct experiment *x, long run)
{
	const long base = derive_baseline_index(x, (size_t)run);

	return base >= 0 && have_same_memory(&x->runs[run].plan, &x->runs[base].plan);
}

struct amount crossings_along(const struct experiment *x, const struct view *v,
	const struct crossings_run *runs, int thread)
{
	const struct words *values = &x->sweep.variables[v->along].values;
	const size_t n = values->count;

	struct crossing_point *points = alloc_zeroed(n + 1, sizeof(*points));
	size_t compared = 0, same = 0;

	for (size_t i = 0; i < n; i++) {
		points[i].ratio = AMOUNT_NONE;
		if (runs[i].op < 0 ||
			derive_baseline_index(x, (size_t)runs[i].run) == runs[i].run ||
			text_position(values->word[i], &points[i].x))
			continue;
		points[i].ratio = amount_inverse(
			derive_gain(x, (size_t)runs[i].run, runs[i].op, thread, &points[i].base));
		compared++;
		same += is_same_memory(x, runs[i].run);
	}
	struct amount found = compared && same == compared ? crossing_same_memory()
							   : crossing_of_curves(points, n);

	if (v->quantity == QUANTITY_CROSSING_TIME)
		found = crossing_base(points, n, found);
	free(points);
	return found;
}

/* ---- questions that cannot be answered */

static int check_along(const struct view *v, const struct experiment *x, struct errors *e)
{
	const struct quantity_row *q = &quantities[v->quantity];
	const struct variable *along = v->along < 0 ? NULL : &x->sweep.variables[v->along];
	const size_t length = along ? strlen(along->name) : 0;
	double unused;

	if (!along) {
		error_add(e, STATUS_USAGE, v->at, "%s needs the variable along which %s", q->name,
			q->follows);
		return error_hint(e, "table: %s %s", q->name, q->example);
	}
	if (v->rows == v->along || v->cols == v->along)
		return error_add(e, STATUS_USAGE, v->at, "%s along=%s: '%s' cannot be an axis too",
			q->name, along->name, along->name);
	if (!(q->needs & NEEDS_BASELINE))
		return 0;
	for (size_t i = 0; i < x->file.baseline.count; i++)
		if (!strncmp(x->file.baseline.word[i], along->name, length) &&
			x->file.baseline.word[i][length] == '=') {
			error_add(e, STATUS_USAGE, v->at,
				"%s along=%s: the baseline is a single value of '%s', not a curve",
				q->name, along->name, along->name);
			return error_hint(e,
				"baseline names the curve to which others are compared, such "
				"as policy=baseline");
		}
	for (size_t i = 0; i < along->values.count; i++)
		if (text_position(along->values.word[i], &unused)) {
			error_add(e, STATUS_USAGE, v->at,
				"%s along=%s: '%s' is neither a number nor a size", q->name,
				along->name, along->values.word[i]);
			return error_hint(e, "costs can cross between two numbers only");
		}
	return 0;
}

bool crossings_any_move(const struct experiment *x)
{
	for (size_t i = 0; i < x->nruns; i++)
		for (int op = 0; !x->runs[i].skipped && op < x->runs[i].plan.nops; op++)
			for (int k = 0; k < x->runs[i].plan.nthreads; k++)
				if (x->runs[i].plan.ops[op].jobs[k].kernel->migration.is_move)
					return true;
	return false;
}

/* Why no run has a break-even, to be freed: the first reason; NULL: one has. *run: which. */
static char *why_none(const struct view *v, const struct experiment *x, const struct run **run)
{
	char *first = NULL;

	for (size_t i = 0; i < x->nruns; i++)
		for (int op = 0; !x->runs[i].skipped && op < x->runs[i].plan.nops; op++) {
			struct pair p;

			if (!find_pair(x, i, op, v->thread, &p))
				continue;
			char *why = why_not(&p);

			if (!why) {
				free(first);
				return NULL;
			}
			*run = first ? *run : &x->runs[i];
			if (first)
				free(why);
			else
				first = why;
		}
	return first ? first : alloc_format("no run has another one as its baseline");
}

static void warn_of_none(const struct view *v, const struct experiment *x, struct errors *e)
{
	const struct run *run = NULL;
	char *why = why_none(v, x, &run);

	if (why) {
		error_add(e, STATUS_OK, v->at, "nothing to break even%s%s: %s", run ? ", run " : "",
			run ? run->label : "", why);
		error_hint(e, "args/migration/break_even.args has far vectors, and near ones as "
			      "baseline");
	}
	free(why);
}

static bool is_along(const struct quantity_row *row)
{
	return row->along;
}

int crossings_check(const struct view *v, const struct experiment *x, struct errors *e)
{
	const struct quantity_row *q = &quantities[v->quantity];

	if (!q->along && v->along >= 0) {
		char *all = quantity_list(is_along);

		error_add(e, STATUS_USAGE, v->at, "along= is for %s only", all);
		free(all);
		return error_hint(e, "table: crossing along=queries rows=policy");
	}
	if (q->ranges && v->mean) {
		error_add(e, STATUS_USAGE, v->at, "%s has no mean=: it need not exist", q->name);
		return error_hint(e, "leave out mean=");
	}
	if (q->needs & NEEDS_MOVE)
		warn_of_none(v, x, e);
	return q->along ? check_along(v, x, e) : 0;
}

/* A range has ends, and no interval. */
struct trust crossings_trust(
	const struct experiment *x, const struct crossings_run *runs, size_t n, int thread)
{
	struct trust all = {.word = TRUST_FIRM};

	for (size_t i = 0; i < n; i++) {
		const long base =
			runs[i].run < 0 ? -1 : derive_baseline_index(x, (size_t)runs[i].run);
		const long of[] = {runs[i].run, base};

		for (int k = 0; runs[i].op >= 0 && k < 2; k++) {
			const struct samples *r = of[k] < 0 ? NULL : &x->runs[of[k]].samples;

			if (!r || !r->ops || runs[i].op >= r->plan->nops)
				continue;
			const struct trust own =
				trust_measured(r, runs[i].op, thread, (struct amount){1, 1, 1});

			all = trust_worse(&all, &own);
		}
	}
	return all;
}
