/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Predicts what is known. */
#include "prediction/worth.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "prediction/study.h"

#define INTERACTS  0.03
#define CONFIDENCE 0.9

static double part_off(double predicted, double measured)
{
	return fabs(predicted / measured - 1);
}

/* What a thread would cost at a pair of nodes whose unit costs `unit` alone. */
static double end_at(const struct learn_run *r, size_t thread, double unit)
{
	const struct model_thread *t = &r->threads[thread];

	return r->steady ? unit : t->start + t->units * t->share * unit;
}

static double unit_alone(const struct study *s, const struct model_thread *t, size_t memory)
{
	const struct model_machine *m = s->learn.machine;

	return s->alone[t->kernel * m->classes + m->pair_class[t->node * m->nodes + memory]];
}

static double distance(const struct study *s, size_t node, size_t memory)
{
	const struct topo *t = s->set->modelled.topo;

	return (double)topo_distance(t, t->nodes[node].node, t->nodes[memory].node);
}

enum naive { NAIVE_ALONE, NAIVE_LOCAL, NAIVE_DISTANCE, NAIVES };

static void guess_naively(const struct study *s, enum naive rule, struct guess *g)
{
	for (size_t i = 0; i < s->learn.count; i++)
		for (size_t k = 0; k < s->runs[i].count; k++) {
			const struct model_thread *t = &s->runs[i].threads[k];
			double unit = unit_alone(s, t, rule == NAIVE_ALONE ? t->memory : t->node);

			if (rule == NAIVE_DISTANCE)
				unit *= distance(s, t->node, t->memory) /
					distance(s, t->node, t->node);
			g->ends[s->first[i] + k] = end_at(&s->runs[i], k, unit);
		}
}

static bool is_first(const struct study *s, size_t run)
{
	for (size_t i = 0; i < run; i++)
		if (s->runs[i].group == s->runs[run].group)
			return false;
	return true;
}

static void predict_group(
	const struct study *s, size_t group, const struct model *p, struct guess *g)
{
	for (size_t i = 0; i < s->learn.count; i++)
		if (s->runs[i].group == group && s->runs[i].count > 1 &&
			learn_predict(s->learn.machine, p, &s->runs[i], &g->ends[s->first[i]]))
			for (size_t k = 0; k < s->runs[i].count; k++)
				g->ends[s->first[i] + k] = NAN;
}

/* One that was measured again in another file tells no more of itself than the same one. */
static bool is_other(const struct study *s, size_t a, size_t b)
{
	const struct learn_run *of = s->set->queues.runs;

	return s->runs[a].group != s->runs[b].group && of[a].group != of[b].group;
}

/* The interval of a group comes from the residuals of the others. */
static void take_margins(const struct study *s, struct guess *g)
{
	double *residuals = alloc_zeroed(s->set->queues.figures + 1, sizeof(*residuals));

	for (size_t i = 0; i < s->learn.count; i++) {
		size_t n = 0;

		for (size_t j = 0; j < s->learn.count; j++) {
			const struct learn_run *r = &s->runs[j];
			const double *ends = &g->ends[s->first[j]];

			if (is_other(s, i, j) && r->kind == s->runs[i].kind &&
				isfinite(study_last(ends, r->count)))
				residuals[n++] = learn_worst(r->ends, ends, r->count);
		}
		const double margin = learn_margin(residuals, n, CONFIDENCE);

		for (size_t k = 0; k < s->runs[i].count; k++)
			g->margin[s->first[i] + k] = margin;
	}
	free(residuals);
}

/* What a file that is left out shares with others, measured again there, would predict itself: it
 * is left out as well. */
static void leave_repeated(struct study *s, size_t file)
{
	const struct queues *l = &s->set->queues;

	for (size_t i = 0; i < s->learn.count; i++)
		for (size_t k = 0; k < s->learn.count && l->of_file[i] == file; k++)
			if (l->runs[k].count > 1 && l->runs[k].group == l->runs[i].group)
				s->runs[k].group = file;
}

static void group_by(struct study *s, bool files)
{
	for (size_t i = 0; i < s->learn.count; i++)
		s->runs[i].group = files ? s->set->queues.of_file[i] : s->set->queues.runs[i].group;
}

/* Each group by the others; of many groups every second, third and so on. */
static void guess_left_out(struct study *s, bool files, struct guess *g)
{
	const struct model_machine *m = s->learn.machine;
	struct model p = {.alone = alloc_zeroed(m->kernels * m->classes, sizeof(double))};
	size_t groups = 0, seen = 0;

	group_by(s, files);
	for (size_t i = 0; i < s->learn.count; i++)
		groups += is_first(s, i);
	for (size_t i = 0; i < s->learn.count; i++) {
		const size_t group = s->runs[i].group;

		if (!is_first(s, i) || seen++ % (groups / LEARN_MOST + 1))
			continue;
		if (files)
			leave_repeated(s, group);
		const int parameters = learn_model(&s->learn, group, &p, NULL);

		group_by(s, files);
		if (parameters > 0)
			predict_group(s, group, &p, g);
	}
	free(p.alone);
	take_margins(s, g);
}

/* Each run by the geometric mean of others of the same work in the same places, of other files:
 * what the machine is off from itself. */
static void guess_again(const struct study *s, struct guess *g)
{
	const size_t *of_file = s->set->queues.of_file;

	for (size_t i = 0; i < s->learn.count; i++) {
		double *ends = &g->ends[s->first[i]], n = 0;

		for (size_t j = 0; j < s->learn.count; j++) {
			if (of_file[j] == of_file[i] || !study_is_again(s, i, j))
				continue;
			for (size_t k = 0; k < s->runs[i].count; k++)
				ends[k] = (n > 0 ? ends[k] : 0) + log(s->runs[j].ends[k]);
			n++;
		}
		for (size_t k = 0; k < s->runs[i].count && n > 0; k++)
			ends[k] = exp(ends[k] / n);
	}
}

static int by_size(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static struct worth_errors errors_of(double *off, size_t n)
{
	struct worth_errors e = {n, NAN, NAN};

	if (!n)
		return e;
	qsort(off, n, sizeof(*off), by_size);
	e.median = (off[(n - 1) / 2] + off[n / 2]) / 2;
	e.p90 = off[(size_t)ceil(0.9 * (double)n) - 1];
	return e;
}

static bool interacts(const struct study *s, size_t run, size_t thread)
{
	const struct learn_run *r = &s->runs[run];
	const struct model_thread *t = &r->threads[thread];
	const double alone = end_at(r, thread, unit_alone(s, t, t->memory));

	return part_off(r->ends[thread], alone) > INTERACTS;
}

static void judge_figures(const struct study *s, const struct guess *g, struct worth_row *row)
{
	double *off = alloc_zeroed(2 * s->set->queues.figures + 1, sizeof(*off)),
	       *with = off + s->set->queues.figures;
	size_t n = 0, together = 0, ranges = 0, covered = 0;

	for (size_t i = 0; i < s->learn.count; i++)
		for (size_t k = 0; s->runs[i].count > 1 && k < s->runs[i].count; k++) {
			const size_t at = s->first[i] + k;
			const double measured = s->runs[i].ends[k];

			if (!isfinite(g->ends[at]))
				continue;
			off[n++] = part_off(g->ends[at], measured);
			if (interacts(s, i, k))
				with[together++] = off[n - 1];
			ranges += isfinite(g->margin[at]);
			covered += fabs(log(measured / g->ends[at])) <= g->margin[at];
		}
	row->all = errors_of(off, n);
	row->interacting = errors_of(with, together);
	row->covered = ranges ? (double)covered / (double)ranges : NAN;
	free(off);
}

enum rule { RULE_RUN, RULE_FILE, RULE_NAIVE, RULE_AGAIN = RULE_NAIVE + NAIVES };

static void guess(struct study *s, size_t rule, struct guess *g)
{
	if (rule < RULE_NAIVE)
		guess_left_out(s, rule == RULE_FILE, g);
	else if (rule < RULE_AGAIN)
		guess_naively(s, (enum naive)(rule - RULE_NAIVE), g);
	else
		guess_again(s, g);
}

static void judge_rule(struct study *s, size_t rule, struct worth_row *row)
{
	static const char *const names[WORTH_ROWS] = {"a run left out", "a file left out",
		"naive: each thread alone", "naive: all as local", "naive: distance table",
		"measured again"};
	const size_t n = s->set->queues.figures;
	double *room = alloc_zeroed(2 * n + 1, sizeof(*room));
	struct guess g = {room, room + n};

	for (size_t i = 0; i < 2 * n; i++)
		room[i] = NAN;
	guess(s, rule, &g);
	*row = (struct worth_row){.name = names[rule], .most_lost = NAN};
	judge_figures(s, &g, row);
	if (rule != RULE_AGAIN) /* it has measured what it chooses */
		study_choices(s, &g, row);
	free(room);
}

int worth_of(struct worth *w, const struct training *t)
{
	const struct model_machine *m = &t->modelled.machine;
	const struct queues *q = &t->queues;
	struct model alone = {.alone = alloc_zeroed(m->kernels * m->classes + 1, sizeof(double))};
	struct study s = {.set = t,
		.runs = alloc_zeroed(q->count + 1, sizeof(*s.runs)),
		.first = alloc_zeroed(q->count + 1, sizeof(*s.first)),
		.alone = alone.alone};

	*w = (struct worth){.files = t->files.count,
		.interacts = INTERACTS,
		.confidence = CONFIDENCE,
		.operations = t->learned + t->left_out,
		.left_disturbed = t->left_disturbed,
		.other_machine = t->other_machine,
		.simulated = t->simulated,
		.disturbed = t->disturbed};
	s.learn = (struct learn){m, s.runs, q->count};
	for (size_t i = 0, at = 0; i < q->count; at += q->runs[i++].count) {
		s.runs[i] = q->runs[i];
		s.first[i] = at;
		w->figures += q->runs[i].count > 1 ? q->runs[i].count : 0;
		w->runs += q->runs[i].count > 1;
	}
	if (w->figures) {
		learn_alone(&s.learn, &alone);
		for (size_t i = 0; i < WORTH_ROWS; i++)
			judge_rule(&s, i, &w->rows[i]);
	}
	free(alone.alone);
	free(s.runs);
	free(s.first);
	return w->figures ? 0 : -1;
}
