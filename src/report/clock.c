/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The clock rates of the cores in the text report. */
#include <math.h>

#include "analysis/clock_rates.h"
#include "report/report.h"

void report_clock(const struct samples *r, FILE *out)
{
	const char *head = "\n+ Clock rates (chains of additions before and after each sample)\n";
	const struct plan *p = r->plan;

	for (int op = 0; op < p->nops; op++)
		for (int i = 0; i < p->nthreads; i++) {
			struct clock_rates c;

			if (clock_rates(r, op, i, &c))
				continue;
			fprintf(out, "%s - %s: thread %d: %.3f GHz, %.3f to %.3f", head,
				p->ops[op].label, i, c.median_hz * 1e-9, c.min_hz * 1e-9,
				c.max_hz * 1e-9);
			head = "";
			if (isfinite(c.cycles_per_unit))
				fprintf(out, "; %.4g cycles/unit", c.cycles_per_unit);
			fprintf(out, "\n");
		}
}
