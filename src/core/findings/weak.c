/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds and names the runs that make a file weak. */
#include "findings/weak.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

bool weak_not_all(const struct document *d)
{
	return document_word_of_figures(d, TRUST_FIRM) != TRUST_WEAK;
}

static size_t cell_of(const struct rates *c, size_t curve, size_t i)
{
	return c->across ? curve * c->table->columns.count + i
			 : i * c->table->columns.count + curve;
}

/* Was this figure measured, and left out? */
static bool is_left(const struct weak_runs *w, size_t curve, size_t i)
{
	return w->left && w->left[curve * w->whole.threads->count + i];
}

/* Adds the runs of a figure. */
static void add_runs(
	struct quality *q, const struct weak_runs *w, size_t curve, size_t i, bool only_left)
{
	const struct document_table *t = w->whole.table;
	const size_t cell = cell_of(&w->whole, curve, i);
	const struct document_run *r = NULL;

	if (only_left && !is_left(w, curve, i))
		return;
	while ((r = document_next_of_cell(w->from, t, cell, r)))
		document_quality_add(q, r, t->operation);
}

static bool is_weak(const struct weak_runs *w, size_t curve, size_t i)
{
	struct quality q = document_quality_begin(w->from);

	add_runs(&q, w, curve, i, false);
	quality_judge_each(&q);
	return q.word == TRUST_WEAK;
}

static void mark(struct weak_runs *w)
{
	const size_t n = w->whole.threads->count;

	w->left = alloc_zeroed(w->whole.others->count * n + 1, sizeof(*w->left));
	for (size_t curve = 0; curve < w->whole.others->count; curve++)
		for (size_t i = 0; i < n; i++)
			if (isfinite(rates_at(&w->whole, curve, i).value) && is_weak(w, curve, i)) {
				w->left[curve * n + i] = true;
				w->count++;
			}
}

/* The table without their figures. */
static void leave_out(struct weak_runs *w, struct rates *c)
{
	const struct document_table *t = w->whole.table;
	const size_t cells = t->rows.count * t->columns.count, n = c->threads->count;

	w->table = *t;
	w->table.cells = alloc_zeroed(cells + 1, sizeof(*w->table.cells));
	memcpy(w->table.cells, t->cells, cells * sizeof(*t->cells));
	for (size_t i = 0; i < c->others->count * n; i++)
		if (w->left[i])
			w->table.cells[cell_of(c, i / n, i % n)] = AMOUNT_NONE;
	c->table = &w->table;
}

static size_t curves_of(const struct rates *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->others->count; i++)
		n += rates_highest(c, i) >= 0;
	return n;
}

static enum trust_word word_of_rest(const struct weak_runs *w)
{
	struct quality q = document_quality_begin(w->from);

	for (size_t curve = 0; curve < w->whole.others->count; curve++)
		for (size_t i = 0; i < w->whole.threads->count; i++)
			if (!is_left(w, curve, i))
				add_runs(&q, w, curve, i, false);
	quality_judge_each(&q);
	return q.word;
}

void weak_find(struct weak_runs *w, const struct document *d, struct rates *c, size_t least)
{
	*w = (struct weak_runs){.from = d, .whole = *c, .word = document_quality_of(d).word};
	if (!weak_not_all(d))
		return;
	mark(w);
	leave_out(w, c);
	w->answered = curves_of(c) >= least;
	w->word = w->answered ? word_of_rest(w) : TRUST_WEAK;
	if (!w->answered)
		*c = w->whole;
}

void weak_free(struct weak_runs *w)
{
	free(w->table.cells);
	free(w->left);
	*w = (struct weak_runs){0};
}

/* ---- what is said */

void weak_add_reasons(struct finding *f, const char *name, const struct quality *q)
{
	char *own = quality_reasons(q), *all = quality_conditions(q);

	finding_text(f, name, "%s%s%s", all, *all && *own ? TRUST_AND : "",
		*all || *own ? own : "no figures");
	free(own);
	free(all);
}

void weak_add_trust(struct finding *f, const struct document *d, enum trust_word word)
{
	const struct quality q = document_quality_of(d);

	f->trust = word;
	if (word == TRUST_WEAK && q.word == TRUST_WEAK)
		weak_add_reasons(f, "doubts", &q);
}

static size_t left_of(const struct weak_runs *w, size_t curve, size_t *measured)
{
	size_t left = 0;

	*measured = 0;
	for (size_t i = 0; i < w->whole.threads->count; i++) {
		*measured += isfinite(rates_at(&w->whole, curve, i).value);
		left += is_left(w, curve, i);
	}
	return left;
}

/* The figure of those left out that is the highest. */
static struct amount highest_left(const struct weak_runs *w, size_t curve)
{
	struct amount most = AMOUNT_NONE;

	for (size_t i = 0; i < w->whole.threads->count; i++)
		if (is_left(w, curve, i) && !(rates_at(&w->whole, curve, i).value <= most.value))
			most = rates_at(&w->whole, curve, i);
	return most;
}

/* "placement slices with 4, 8 threads" */
static void add_which(struct finding *f, const struct weak_runs *w, size_t curve, bool all)
{
	if (*w->whole.other_axis)
		finding_text(
			f, "which", "%s %s", w->whole.other_axis, w->whole.others->list[curve]);
	if (!all)
		findings_add_threads(
			f, w->whole.threads, w->left + curve * w->whole.threads->count);
}

static void add_curve(
	struct finding_list *to, const struct weak_runs *w, size_t curve, struct amount most)
{
	struct quality q = document_quality_begin(w->from);
	const struct amount highest = highest_left(w, curve);
	size_t measured;
	const size_t left = left_of(w, curve, &measured);
	struct finding *f = findings_add(to, FINDING_WEAK_RUNS);

	for (size_t i = 0; i < w->whole.threads->count; i++)
		add_runs(&q, w, curve, i, true);
	quality_judge_each(&q);
	add_which(f, w, curve, left == measured);
	weak_add_reasons(f, "reasons", &q);
	if (!w->answered)
		return;
	rates_add(f, "highest", &w->whole, highest);
	if (left > 1)
		finding_text(f, "several", "yes");
	if (!isnan(most.value) && !(highest.high < most.low))
		finding_text(f, "quicker", "yes");
}

/* The rate that those left out of a curve may exceed. */
static struct amount most_of(const struct rates *c, size_t curve)
{
	const long i = rates_highest(c, curve);

	return i < 0 ? AMOUNT_NONE : rates_at(c, curve, (size_t)i);
}

void weak_add(struct finding *f, const struct weak_runs *w, const struct rates *c, long best)
{
	size_t measured, all = 0;

	weak_add_trust(f, w->from, w->word);
	if (w->answered && w->count)
		finding_text(f, "without", w->count == 1 ? "that" : "these");
	for (size_t i = 0; i < w->whole.others->count; i++) {
		left_of(w, i, &measured);
		all += measured;
	}
	/* where all are weak, none of them makes it so */
	if (!w->count || w->count == all)
		return;
	struct finding_list *list = finding_add_list(f, w->answered ? "left" : "weak");

	for (size_t i = 0; i < w->whole.others->count; i++)
		if (left_of(w, i, &measured))
			add_curve(list, w, i, most_of(c, best < 0 ? i : (size_t)best));
}
