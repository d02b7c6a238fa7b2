/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the model is worth on the thesis's tables: runs are predicted by parameters that were fitted
 * without them. `table` prints the table of the manual with what the naive predictors reach;
 * without an argument it is compared with worth.h. The intervals take long: `all` has them too.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tables.h"
#include "worth.h"

/* Figures that differ from the thread alone by more: threads interact. */
#define INTERACTS  0.03
#define CONFIDENCE 0.9

static struct tables tables;

struct predictions {
	double ends[TABLE_RUNS][TABLE_THREADS];
	double margin[TABLE_RUNS]; /* of the logarithm; NAN: none */
};

static struct learn learn_of(void)
{
	return (struct learn){&ring, tables.runs, tables.count};
}

static void group_by(bool experiment)
{
	for (size_t i = 0; i < tables.count; i++)
		tables.runs[i].group =
			experiment ? tables.all[i].experiment : tables.all[i].placement;
}

static void predict(const struct model *p, size_t run, struct predictions *out)
{
	const struct learn_run *r = &tables.runs[run];

	if (model_predict(&ring, p, r->threads, r->count, out->ends[run]))
		out->ends[run][0] = out->ends[run][1] = NAN;
}

/* Each group by the others. */
static void left_out(bool experiment, struct predictions *out)
{
	double alone[12], residuals[2 * TABLE_RUNS];
	struct model p = {.alone = alone};
	const struct learn l = learn_of();
	size_t done = LEARN_NONE;

	group_by(experiment);
	for (size_t i = 0; i < tables.count; i++) {
		const size_t group = tables.runs[i].group;
		const bool several = tables.runs[i].count > 1;

		if (experiment && !several) { /* nothing else shows them */
			out->ends[i][0] = NAN;
			continue;
		}
		if (group != done)
			assert_true(learn_model(&l, group, &p, NULL) > 0);
		predict(&p, i, out);
		if (group != done && several)
			out->margin[i] = learn_margin(residuals,
				learn_left_out(&l, group, true, residuals, NULL), CONFIDENCE);
		else
			out->margin[i] = group == done ? out->margin[i - 1] : NAN;
		done = group;
	}
}

static void from_single_threads(struct predictions *out)
{
	double alone[12];
	struct model p = {.alone = alone};
	const struct learn l = learn_of();

	assert_int_equal(learn_alone(&l, &p), 12);
	for (size_t i = 0; i < tables.count; i++) {
		predict(&p, i, out);
		out->margin[i] = NAN;
	}
}

/* What a thread of a run takes alone in its place: its own figure of tables 5.1 to 5.4. */
static double alone_at(const struct model_thread *t, const struct model_thread *place)
{
	for (size_t i = 0; i < tables.count; i++) {
		const struct model_thread *a = tables.runs[i].threads;

		if (tables.runs[i].count == 1 && a->kernel == t->kernel && a->node == place->node &&
			a->memory == place->memory)
			return tables.runs[i].ends[0] * t->share + t->start;
	}
	return NAN;
}

static struct model_thread local_of(const struct model_thread *t)
{
	struct model_thread local = *t;

	local.memory = local.node;
	return local;
}

/* Naive: all memory costs what the local one does. */
static void as_local(struct predictions *out)
{
	for (size_t i = 0; i < tables.count; i++)
		for (size_t k = 0; k < tables.runs[i].count; k++) {
			const struct model_thread *t = &tables.runs[i].threads[k], at = local_of(t);

			out->ends[i][k] = alone_at(t, &at);
		}
}

/* Naive: the local cost times the distance that the firmware gives. */
static void by_distance(struct predictions *out)
{
	static const double distance[] = {1.0, 2.1, 3.1};

	for (size_t i = 0; i < tables.count; i++)
		for (size_t k = 0; k < tables.runs[i].count; k++) {
			const struct model_thread *t = &tables.runs[i].threads[k], at = local_of(t);

			out->ends[i][k] =
				(alone_at(t, &at) - t->start) * distance[hops_of(t)] + t->start;
		}
}

static double unlike(const struct model_thread *a, const struct model_thread *b)
{
	return 2 * fabs((double)hops_of(a) - (double)hops_of(b)) + fabs(a->share - b->share) +
	       fabs(a->start - b->start) / 1e9;
}

/* Naive: the figure of the most similar placement of another experiment. */
static void by_nearest(struct predictions *out)
{
	for (size_t i = 0; i < tables.count; i++)
		for (size_t k = 0; k < tables.runs[i].count; k++) {
			const struct model_thread *t = tables.runs[i].threads;
			double nearest = HUGE_VAL;

			for (size_t j = 0; j < tables.count; j++)
				for (size_t n = 0; n < tables.runs[j].count; n++) {
					const struct model_thread *a = tables.runs[j].threads;
					double far = unlike(&t[k], &a[n]);

					if (tables.all[i].experiment == tables.all[j].experiment ||
						a->kernel != t->kernel)
						continue;
					if (tables.runs[j].count > 1)
						far += unlike(&t[!k], &a[!n]) +
						       ((t[0].vector == t[1].vector) !=
							       (a[0].vector == a[1].vector));
					else
						far += 1;
					if (far >= nearest)
						continue;
					nearest = far;
					out->ends[i][k] = tables.runs[j].ends[n];
				}
		}
}

static int by_size(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Linear between the two next. */
static double quantile(double *x, size_t n, double q)
{
	const double at = q * (double)(n - 1);
	const size_t below = (size_t)at, above = below + 1 < n ? below + 1 : below;

	qsort(x, n, sizeof(*x), by_size);
	return x[below] + (at - (double)below) * (x[above] - x[below]);
}

/* The thesis's total: the sum where threads have work of their own, else the last end. */
static double total(const struct table_run *r, const double *ends)
{
	return r->experiment == 1 ? ends[0] + ends[1] : fmax(ends[0], ends[1]);
}

/* The 12 decisions: an experiment of two threads and a kernel; the placement is chosen. */
static void decide(const struct predictions *p, struct worth *w)
{
	w->sets = w->best = 0;
	w->regret = 0;
	for (size_t experiment = 1; experiment < EXPERIMENTS; experiment++)
		for (size_t kernel = 0; kernel < 3; kernel++) {
			double predicted = HUGE_VAL, chosen = NAN, best = HUGE_VAL;

			for (size_t i = 0; i < tables.count; i++) {
				const struct table_run *r = &tables.all[i];
				const double found = total(r, r->ends), said = total(r, p->ends[i]);

				if (r->experiment != experiment || r->threads->kernel != kernel)
					continue;
				best = fmin(best, found);
				if (said < predicted) {
					predicted = said;
					chosen = found;
				}
			}
			w->sets++;
			w->best += chosen <= best;
			w->regret = fmax(w->regret, 100 * (chosen / best - 1));
		}
}

/* The figures of two threads. */
static struct worth judge(const struct predictions *p)
{
	double all[2 * TABLE_RUNS], together[2 * TABLE_RUNS];
	size_t n = 0, interact = 0, covered = 0, bounded = 0;
	struct worth w;

	for (size_t i = 0; i < tables.count; i++)
		for (size_t k = 0; tables.runs[i].count > 1 && k < 2; k++) {
			const struct model_thread *t = &tables.runs[i].threads[k];
			const double measured = tables.runs[i].ends[k],
				     off = fabs(p->ends[i][k] / measured - 1) * 100;

			all[n++] = off;
			if (fabs(measured / alone_at(t, t) - 1) > INTERACTS)
				together[interact++] = off;
			bounded += !isnan(p->margin[i]);
			covered += fabs(log(measured / p->ends[i][k])) <= p->margin[i];
		}
	w.median = quantile(all, n, 0.5);
	w.most = quantile(all, n, 0.9);
	w.interacting_median = quantile(together, interact, 0.5);
	w.interacting_most = quantile(together, interact, 0.9);
	w.covered = bounded ? 100.0 * (double)covered / (double)bounded : NAN;
	decide(p, &w);
	return w;
}

static struct worth worth_of(size_t row)
{
	static struct predictions p;

	memset(&p, 0, sizeof(p));
	for (size_t i = 0; i < TABLE_RUNS; i++)
		p.margin[i] = NAN;
	if (row <= WORTH_EXPERIMENT)
		left_out(row == WORTH_EXPERIMENT, &p);
	else if (row == WORTH_SINGLE)
		from_single_threads(&p);
	else if (row == WORTH_LOCAL)
		as_local(&p);
	else if (row == WORTH_DISTANCE)
		by_distance(&p);
	else
		by_nearest(&p);
	return judge(&p);
}

static bool alike(double a, double b)
{
	return fabs(a - b) < 0.051;
}

static void is_what_the_manual_says(void **state)
{
	bool wrong = false;

	(void)state;
	for (size_t i = 0; i < WORTH_ROWS; i++) {
		const struct worth w = worth_of(i), *e = &expected[i];
		const bool covers = isnan(e->covered) || alike(w.covered, e->covered);

		if (alike(w.median, e->median) && alike(w.most, e->most) &&
			alike(w.interacting_median, e->interacting_median) &&
			alike(w.interacting_most, e->interacting_most) && covers &&
			w.best == e->best && alike(w.regret, e->regret))
			continue;
		print_message("# %s: {%.1f, %.1f, %.1f, %.1f, %.1f, %zu, %zu, %.1f}\n",
			worth_names[i], w.median, w.most, w.interacting_median, w.interacting_most,
			w.covered, w.best, w.sets, w.regret);
		wrong = true;
	}
	assert_false(wrong);
}

static int print_table(void)
{
	printf("| predictor | median, %% | 90 %% below | interacting: median | 90 %% below | "
	       "intervals of 90 %% cover, %% | best chosen | most lost, %% |\n"
	       "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
	for (size_t i = 0; i < WORTH_ROWS; i++) {
		const struct worth w = worth_of(i);
		char covered[16] = "";

		if (!isnan(w.covered))
			snprintf(covered, sizeof(covered), "%.1f", w.covered);
		printf("| %s | %.1f | %.1f | %.1f | %.1f | %s | %zu of %zu | %.1f |\n",
			worth_names[i], w.median, w.most, w.interacting_median, w.interacting_most,
			covered, w.best, w.sets, w.regret);
	}
	return 0;
}

static int read_tables(void **state)
{
	(void)state;
	return tables_read(&tables);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		{.name = "the model's worth on the tables of the thesis is what the manual says",
			.test_func = is_what_the_manual_says},
	};

	if (argc > 1 && !strcmp(argv[1], "table"))
		return tables_read(&tables) || print_table();
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, read_tables, NULL);
}
