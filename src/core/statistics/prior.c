/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits the distribution of variances that many figures share. */
#include "statistics/prior.h"

#include <gsl/gsl_sf_psi.h>
#include <math.h>
#include <stdbool.h>

/* The x for which trigamma(x) = y, by Newton's method on 1 / trigamma, which is nearly straight. */
static double trigamma_inverse(double y)
{
	double x = 0.5 + 1 / y;

	for (int i = 0; i < 50; i++) {
		double value = gsl_sf_psi_1(x);
		double step = value * (1 - value / y) / gsl_sf_psi_n(2, x);

		x += step;
		if (fabs(step) < 1e-10 * x)
			break;
	}
	return x;
}

double prior_unbiased_log(struct variance v)
{
	return log(v.value) - gsl_sf_psi(v.df / 2) + log(v.df / 2);
}

/* Sums over figures. */
struct sums {
	double n, logs, squares; /* of logarithms less a constant, to keep their digits */
};

static void add_log(struct sums *s, double log)
{
	s->n++;
	s->logs += log;
	s->squares += log * log;
}

/* Sum of the squared differences of all pairs. */
static double pairs(const struct sums *s)
{
	return s->n * s->squares - s->logs * s->logs;
}

/* Half the mean squared difference of logarithms of different groups: their variance, without the
 * pairs of one group, which may be alike because they depend on each other. */
static double spread_of(const struct variance *list, size_t m, double mean)
{
	struct sums all = {0}, group = {0};
	double within = 0, within_pairs = 0;

	for (size_t i = 0; i < m; i++) {
		if (i && list[i].group != list[i - 1].group)
			group = (struct sums){0};
		add_log(&all, prior_unbiased_log(list[i]) - mean);
		add_log(&group, prior_unbiased_log(list[i]) - mean);
		if (i + 1 == m || list[i + 1].group != list[i].group) {
			within += pairs(&group);
			within_pairs += group.n * group.n;
		}
	}
	return (pairs(&all) - within) / (all.n * all.n - within_pairs);
}

/* Adds up what needs no pairs; returns false if a variance is not above 0. */
static bool sum_up(
	const struct variance *list, size_t m, struct prior *p, double *mean, double *own)
{
	*p = (struct prior){.figures = m};
	*mean = *own = 0;
	for (size_t i = 0; i < m; i++) {
		if (!(list[i].value > 0) || !(list[i].df > 0))
			return false;
		p->groups += !i || list[i].group != list[i - 1].group;
		p->most += list[i].df / (double)m;
		p->variance += list[i].value / (double)m;
		*mean += prior_unbiased_log(list[i]) / (double)m;
		*own += gsl_sf_psi_1(list[i].df / 2) / (double)m;
	}
	p->most *= (double)p->groups;
	return true;
}

struct prior prior_fit(const struct variance *list, size_t m)
{
	struct prior p;
	double mean, own;

	if (!sum_up(list, m, &p, &mean, &own) || p.groups < 2)
		return PRIOR_NONE;
	/* what is left when the spread of the estimates themselves is taken off */
	double spread = spread_of(list, m, mean) - own;

	p.df = INFINITY;
	if (spread > 0) {
		p.df = 2 * trigamma_inverse(spread);
		p.variance = exp(mean + gsl_sf_psi(p.df / 2) - log(p.df / 2));
	}
	return p;
}

struct variance prior_moderate(const struct prior *p, struct variance own)
{
	double df = p->df + own.df;

	if (!p->figures)
		return own;
	return (struct variance){
		isinf(df) ? p->variance : (p->df * p->variance + own.df * own.value) / df,
		fmin(df, p->most), own.group};
}
