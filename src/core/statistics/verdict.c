/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of ratios; many tests share their variances and their error rate. */
#include "statistics/verdict.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort_double.h>
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "statistics/intervals.h"
#include "statistics/prior.h"

struct log_figures verdict_logs(const double *values, size_t n)
{
	struct log_figures f = {0, 0, n};

	for (size_t i = 0; i < n; i++)
		f.mean += log(values[i]) / (double)n;
	for (size_t i = 0; i < n; i++)
		f.squares += pow(log(values[i]) - f.mean, 2);
	return f;
}

double verdict_above(double difference, double limit, double se, double df)
{
	if (!(se > 0))
		return difference > limit ? 0 : 1;
	return gsl_cdf_tdist_Q((difference - limit) / se, df);
}

void verdict_holm(const double *p, size_t m, double alpha, bool *rejected)
{
	size_t *order = alloc_zeroed(m + 1, sizeof(*order));
	bool going = true;

	gsl_sort_index(order, p, 1, m);
	for (size_t i = 0; i < m; i++) {
		going = going && p[order[i]] <= alpha / (double)(m - i);
		rejected[order[i]] = going;
	}
	free(order);
}

/* Degrees of freedom of the pooled variance of a figure. */
static double pooled_df(const struct verdict *v)
{
	size_t history = v->history.n ? v->history.n - 1 : 0;

	return (double)(v->before.n + v->after.n - 2 + history);
}

/* Of the logarithm of a figure in one run. */
static double pooled(const struct verdict *v)
{
	return (v->before.squares + v->after.squares + v->history.squares) / pooled_df(v);
}

size_t verdict_runs(const struct verdict *list, size_t m)
{
	double logs = 0;

	if (m < VERDICT_MODERATE)
		return 3;
	for (size_t i = 0; i < m; i++) {
		double df = pooled_df(&list[i]);

		if (df > 0 && pooled(&list[i]) > 0)
			logs += prior_unbiased_log((struct variance){pooled(&list[i]), df, i}) /
				(double)m;
	}
	return exp(logs / 2) > VERDICT_TWO_RUNS ? 3 : 2;
}

/* The variance of each figure; from VERDICT_MODERATE figures on a moderated one, which is moved
 * towards their common size (Smyth, Statistical Applications in Genetics and Molecular Biology 3,
 * 2004). A variance of 0, such as of results that agree to the last digit, has no logarithm: then
 * each keeps its own. */
static struct variance *pool(const struct verdict *list, size_t m)
{
	struct variance *all = alloc_zeroed(m, sizeof(*all));

	for (size_t i = 0; i < m; i++)
		all[i] = (struct variance){pooled(&list[i]), pooled_df(&list[i]), i};
	if (m < VERDICT_MODERATE)
		return all;
	const struct prior p = prior_fit(all, m);

	for (size_t i = 0; i < m; i++)
		all[i] = prior_moderate(&p, all[i]);
	return all;
}

/* The least difference that is found, beyond the limit and in standard errors; to first order: the
 * bound that the strictest step of Holm's procedure sets, and beyond it the quantile that a
 * difference exceeds so often. */
static double least_found(double alpha, size_t m, double df)
{
	return gsl_cdf_tdist_Qinv(alpha / (double)m, df) + gsl_cdf_tdist_Pinv(VERDICT_POWER, df);
}

/* Without variances. */
static void take_ratios(struct verdict *list, size_t m)
{
	for (size_t i = 0; i < m; i++) {
		list[i].ratio =
			(struct amount){exp(list[i].after.mean - list[i].before.mean), NAN, NAN};
		list[i].found = NAN;
	}
}

/* Fills in intervals and verdicts. */
static void decide(struct verdict *list, size_t m, double tolerance, double errors)
{
	struct variance *variances = pool(list, m);
	double *up = alloc_zeroed(2 * m, sizeof(*up)), *down = up + m, limit = log1p(tolerance);
	bool *slower = alloc_zeroed(2 * m, sizeof(*slower)), *faster = slower + m;

	for (size_t i = 0; i < m; i++) {
		struct verdict *v = &list[i];
		const double change = log(v->ratio.value), df = variances[i].df;
		const double se = sqrt(
			variances[i].value * (1 / (double)v->before.n + 1 / (double)v->after.n));

		v->ratio = interval_of_logs(change, se, df, VERDICT_CONFIDENCE);
		v->found = expm1(limit + se * least_found(errors / 2, m, df));
		up[i] = verdict_above(change, limit, se, df);
		down[i] = verdict_above(-change, limit, se, df);
	}
	verdict_holm(up, m, errors / 2, slower);
	verdict_holm(down, m, errors / 2, faster);
	for (size_t i = 0; i < m; i++) {
		list[i].slower = slower[i];
		list[i].faster = faster[i];
	}
	free(variances);
	free(up);
	free(slower);
}

static bool has_runs(const struct verdict *v, size_t needed)
{
	return v->before.n >= needed && v->after.n >= needed;
}

bool verdict_judge(struct verdict *list, size_t m, double tolerance, double errors)
{
	struct verdict *judged = alloc_zeroed(m + 1, sizeof(*judged));
	size_t n = 0, k = 0;

	take_ratios(list, m);
	const size_t needed = verdict_runs(list, m);

	for (size_t i = 0; i < m; i++)
		if (has_runs(&list[i], needed))
			judged[n++] = list[i];
	if (n)
		decide(judged, n, tolerance, errors);
	for (size_t i = 0; i < m; i++)
		if (has_runs(&list[i], needed))
			list[i] = judged[k++];
	free(judged);
	return n > 0;
}

size_t verdict_history(size_t m)
{
	return m < VERDICT_MODERATE ? 20 : 10;
}

bool verdict_list(struct verdict *list, size_t m, double tolerance, double errors)
{
	take_ratios(list, m);
	if (!m || list[0].history.n < verdict_history(m))
		return false;
	decide(list, m, tolerance, errors);
	return true;
}
