/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One value of several runs of a node, without the disturbed ones. */
#include "affinity-fleet/fleet.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "statistics/robust.h"

/* The runs of one figure of one node. */
static size_t runs_of(
	const struct fleet_layout *l, size_t nruns, const double *node, size_t figure, double *out)
{
	size_t n = 0;

	for (size_t r = 0; r < nruns; r++)
		if (!isnan(node[r * l->figures + figure]))
			out[n++] = node[r * l->figures + figure];
	return n;
}

static double variance(const double *x, size_t n)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	for (size_t i = 0; i < n; i++)
		squares += (x[i] - sum / (double)n) * (x[i] - sum / (double)n);
	return squares / (double)(n - 1);
}

double fleet_run_spread(
	const struct fleet_layout *l, size_t nodes, size_t nruns, const double *runs, size_t figure)
{
	double *all = alloc_zeroed(nodes + nruns, sizeof(*all)), *own = all + nodes;

	for (size_t n = 0; n < nodes; n++)
		all[n] = runs_of(l, nruns, runs + n * nruns * l->figures, figure, own) == nruns
				 ? variance(own, nruns)
				 : NAN;
	const double w2 = robust_median(all, nodes) / robust_variance_bias((double)nruns - 1);

	free(all);
	return sqrt(w2);
}

static double clean_mean(double *own, size_t n, double w)
{
	double sum = 0;
	size_t kept = 0;

	if (n == 0)
		return NAN;
	robust_sort(own, n);
	const double most = own[(n - 1) / 2] + 4 * w * (n == 2 ? M_SQRT2 : 1);

	for (size_t i = 0; i < n; i++)
		if (!(own[i] > most)) { /* w may be unknown */
			sum += own[i];
			kept++;
		}
	return sum / (double)kept;
}

void fleet_clean(const struct fleet_layout *l, size_t nodes, size_t nruns, const double *runs,
	double *values)
{
	double *own = alloc_zeroed(nruns, sizeof(*own));

	for (size_t f = 0; f < l->figures; f++) {
		const double w = nruns > 1 ? fleet_run_spread(l, nodes, nruns, runs, f) : 0;

		for (size_t n = 0; n < nodes; n++) {
			const size_t have =
				runs_of(l, nruns, runs + n * nruns * l->figures, f, own);

			values[n * l->figures + f] = clean_mean(own, have, w);
		}
	}
	free(own);
}
