/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranks placements by their predictions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "prediction/advice.h"

struct choice {
	size_t run;
	struct amount total;
};

static struct amount add_amounts(struct amount a, struct amount b)
{
	return (struct amount){a.value + b.value, a.low + b.low, a.high + b.high};
}

static struct amount summary_of(const struct forecast_operation *o, int summary)
{
	struct amount all = o->threads[0].cost;

	for (size_t i = 1; i < o->count; i++) {
		const struct amount c = o->threads[i].cost;

		if (summary == SUMMARY_SUM || summary == SUMMARY_MEAN)
			all = add_amounts(all, c);
		else if ((c.value > all.value) == (summary == SUMMARY_MAX))
			all = c;
	}
	return summary == SUMMARY_MEAN ? amount_times(all, 1 / (double)o->count) : all;
}

/* False: an operation is not predicted. */
static bool total_of(const struct forecast_run *r, int summary, struct amount *total)
{
	*total = (struct amount){0, 0, 0};
	for (size_t i = 0; i < r->count; i++) {
		if (r->operations[i].refused)
			return false;
		*total = add_amounts(*total, summary_of(&r->operations[i], summary));
	}
	return r->count > 0;
}

static int by_total(const void *a, const void *b)
{
	const struct choice *x = a, *y = b;

	if (x->total.value != y->total.value)
		return x->total.value > y->total.value ? 1 : -1;
	return x->run > y->run ? 1 : -1;
}

/* The node of the first thread that uses the vector; -1: none. */
static int first_node(const struct plan *p, int vector)
{
	for (int i = 0; i < p->nthreads; i++)
		if (plan_uses(&p->threads[i], vector))
			return p->threads[i].node;
	return -1;
}

/* How many of its vectors are where the system would have them: near the first thread that touches
 * them, and on pages of its own choice. */
static int likeness(const struct plan *p)
{
	int like = 0;

	for (int i = 0; i < p->nwhole; i++)
		like += (p->vectors[i].node == first_node(p, i) &&
				p->vectors[i].division == DIVISION_NONE) +
			(p->vectors[i].pages == PAGES_SYSTEM);
	return like;
}

/* The first of those that are most like the system's own placement; nruns: none can be placed. */
static size_t baseline_of(const struct experiment *x)
{
	size_t found = x->nruns;
	int most = -1;

	for (size_t i = 0; i < x->nruns; i++)
		if (!x->runs[i].skipped && likeness(&x->runs[i].plan) > most) {
			most = likeness(&x->runs[i].plan);
			found = i;
		}
	return found;
}

static void add_set(struct words *w, const struct entry *entry)
{
	char *set = alloc_format("%s=%s", entry->key, entry->value);

	words_add(w, set, strlen(set));
	free(set);
}

/* The words that make the run of the file: its values in the keys that were open. */
static void find_set(struct words *w, const struct experiment *x, size_t run)
{
	const struct args *open = x->args, *own = &x->runs[run].args;

	for (size_t i = 0; i < open->count && i < own->count; i++)
		if (advice_searches(open->entries[i].key) &&
			strstr(open->entries[i].value, "$open"))
			add_set(w, &own->entries[i]);
}

/* Those that the command line gave, and that open no value. */
static void find_given(struct words *w, const struct args *a)
{
	for (size_t i = a->from_file; i < a->count; i++)
		if (strcmp(a->entries[i].key, "sweep") != 0 &&
			!strstr(a->entries[i].value, "$open"))
			add_set(w, &a->entries[i]);
}

static void add_placement(struct advised *a, const struct experiment *x, const struct choice *c,
	size_t rank, bool verified)
{
	struct advised_placement *p = &a->list[a->count++];

	*p = (struct advised_placement){.run = c->run,
		.rank = rank,
		.predicted = c->total,
		.measured = AMOUNT_NONE,
		.verified = verified};
	find_set(&p->set, x, c->run);
}

/* The best, and after them the baseline if it is not one of them. */
static void take_best(struct advised *a, const struct experiment *x, const struct choice *choices)
{
	const size_t baseline = baseline_of(x);
	struct choice other = {baseline, AMOUNT_NONE};
	size_t rank = 0;
	bool told = false;

	for (size_t i = 0; i < a->predicted; i++) {
		if (i < ADVICE_MOST)
			add_placement(a, x, &choices[i], i + 1, i < a->verify);
		if (choices[i].run != baseline)
			continue;
		other = choices[i];
		rank = i + 1;
		told = i < ADVICE_MOST;
	}
	if (!told && a->verify && baseline < x->nruns)
		add_placement(a, x, &other, rank, true);
	for (size_t i = 0; i < a->count; i++)
		if (a->list[i].run == baseline) {
			a->list[i].baseline = true;
			a->list[i].verified = a->verify > 0;
		}
}

/* Why the run has no prediction. */
static const char *refusal_of(const struct forecast_run *r)
{
	for (size_t i = 0; i < r->count; i++)
		if (r->operations[i].refused)
			return r->operations[i].refused;
	return r->skipped ? r->skipped : "it has no operation";
}

static void add_gap(struct advised *a, const struct experiment *x, size_t run, const char *why)
{
	for (size_t i = 0; i < a->ngaps; i++)
		if (!strcmp(a->gaps[i].why, why)) {
			a->gaps[i].placements++;
			return;
		}
	a->gaps = alloc_grow(a->gaps, a->ngaps, sizeof(*a->gaps));
	a->gaps[a->ngaps] = (struct advised_gap){.why = why, .placements = 1};
	find_set(&a->gaps[a->ngaps++].set, x, run);
}

int advice_rank(
	struct advised *a, const struct forecast *f, const struct experiment *x, size_t verify)
{
	struct choice *choices = alloc_zeroed(f->nruns + 1, sizeof(*choices));
	const int summary = experiment_request(x)->summary;
	size_t n = 0;

	*a = (struct advised){.forecast = f,
		.summary = summary_names[summary],
		.open = (double)f->nruns,
		.left_s = NAN,
		.verify = verify};
	for (size_t i = 0; i < f->nruns; i++) {
		choices[n].run = i;
		if (total_of(&f->runs[i], summary, &choices[n].total))
			n++;
		else
			add_gap(a, x, i, refusal_of(&f->runs[i]));
	}
	a->predicted = n;
	if (n) {
		qsort(choices, n, sizeof(*choices), by_total);
		a->list = alloc_zeroed(ADVICE_MOST + 1, sizeof(*a->list));
		find_given(&a->given, x->args);
		take_best(a, x, choices);
	}
	free(choices);
	if (n)
		return 0;
	advised_free(a);
	return -1;
}

void advice_searched(struct advised *a, const struct exploration *x)
{
	a->open = x->open;
	a->predicted = x->costs;
	a->searched = true;
	a->left_s = x->whole ? NAN : x->left_s;
	for (size_t i = 0; i < a->count; i++)
		if (a->list[i].rank > ADVICE_MOST)
			a->list[i].rank = 0;
}
