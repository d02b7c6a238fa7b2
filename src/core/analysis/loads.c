/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rates of loads from samples. */
#include "analysis/loads.h"

#include <math.h>
#include <stdlib.h>

#include "measure/dial.h"
#include "measure/estimate.h"
#include "measure/experiment.h"

/* Of the lines from the first one up to the last but one. */
static struct amount rate(const struct samples *r, int op, size_t first, size_t last)
{
	const struct op_result *result = &r->ops[op];
	double *values = alloc_zeroed(result->count + 1, sizeof(*values));
	struct estimate x;
	size_t n = 0;

	for (size_t i = 0; i < result->count; i++) {
		if (result->samples[i].warmup)
			continue;
		for (size_t line = first; line < last; line++)
			values[n] += result->samples[i].load[line];
		n++;
	}
	const int failed = estimate_values(r->plan->request, result, values, 0, &x);

	free(values);
	return failed ? AMOUNT_NONE : estimate_amount(&x);
}

struct amount loads_reached(const struct samples *r, int op, size_t line)
{
	return r->beside && line < r->beside->count ? rate(r, op, line, line + 1) : AMOUNT_NONE;
}

bool loads_missed(const struct samples *r, int op, size_t line)
{
	const struct amount reached = loads_reached(r, op, line);
	const double wanted = isnan(reached.value) ? 0 : r->beside->list[line].wanted;

	return fabs(reached.value - wanted) > DIAL_REACHED * wanted;
}

bool loads_any_missed(const struct samples *r, int op)
{
	for (size_t i = 0; r->beside && i < r->beside->count; i++)
		if (loads_missed(r, op, i))
			return true;
	return false;
}

struct amount loads_of(const struct experiment *x, size_t run, int op, int thread)
{
	const struct samples *r = &x->runs[run].samples;

	(void)thread; /* it is beside all of them */
	return r->beside ? amount_times(rate(r, op, 0, r->beside->count), 1e-9) : AMOUNT_NONE;
}
