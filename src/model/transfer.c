/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines that go from core to core. */
#include "model/transfer.h"

#include <math.h>

#include "base/fit.h"

double transfer_mean(const double *matrix, size_t all, const size_t *cpus, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++)
			if (i != k)
				sum += matrix[cpus[i] * all + cpus[k]];
	return n > 1 ? sum / (double)(n * (n - 1)) : 0;
}

double transfer_cost(const struct transfer *t, double steps, double mean)
{
	return t->own + t->turns * steps * mean;
}

struct task {
	const struct transfer_run *runs;
	size_t n;
};

static void residuals(void *with, const double *x, double *out)
{
	const struct task *t = with;
	const struct transfer found = {x[0], x[1]};

	for (size_t i = 0; i < t->n; i++)
		out[i] =
			transfer_cost(&found, t->runs[i].steps, t->runs[i].mean) / t->runs[i].cost -
			1;
}

/* Two runs at least whose lines have unlike ways. */
static int tell(const struct transfer_run *runs, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (transfer_cost(&(struct transfer){0, 1}, runs[i].steps, runs[i].mean) !=
			transfer_cost(&(struct transfer){0, 1}, runs[0].steps, runs[0].mean))
			return 1;
	return 0;
}

int transfer_fit(
	struct transfer *t, const struct transfer_run *runs, size_t n, struct transfer *errors)
{
	struct task task = {runs, n};
	const struct fit f = {residuals, &task, n, 2};
	double x[2] = {0, 1}, e[2];

	if (!tell(runs, n) || fit_least_squares(&f, x, e))
		return -1;
	*t = (struct transfer){x[0], x[1]};
	if (errors)
		*errors = (struct transfer){e[0], e[1]};
	return 0;
}
