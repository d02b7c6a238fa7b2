/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of one thread in one sample. */
#include "measure/sample.h"

#include <math.h>
#include <stdlib.h>

void sample_free(struct sample *s)
{
	free(s->threads);
	free(s->counts);
	free(s->told);
	*s = (struct sample){0};
}

double sample_cost(const struct sample *s, int thread)
{
	const double units = sample_units(s, thread);

	if (s->window_ns)
		return units > 0 ? sample_busy(s, thread) / units : NAN;
	return (double)(s->threads[thread].end_ns - s->start_ns) * 1e-9;
}

double sample_busy(const struct sample *s, int thread)
{
	return (double)(s->threads[thread].end_ns - s->threads[thread].begin_ns) * 1e-9;
}

double sample_units(const struct sample *s, int thread)
{
	return (double)s->threads[thread].units;
}

static double of_round(const struct sample *s, int thread, double value)
{
	uint64_t rounds = s->threads[thread].rounds;

	return rounds ? value / (double)rounds : value;
}

/* A thread that waits by itself has no CPU either; of its time only the wait for a CPU is lost. */
static double loss_of(const struct thread_sample *t)
{
	const double waited = fmax((double)t->delayed_ns, 0) * 1e-9;
	const double off = (double)t->off_ns * 1e-9;

	if (t->off_ns < 0)
		return waited;
	return t->blocked > 0 ? fmin(off, waited + (double)t->stolen_ns * 1e-9) : off;
}

/* A thread that worked did not lose all its time: such a loss was partly beside the sample, between
 * the readings of the clocks. */
double sample_lost_s(const struct sample *s, int thread)
{
	const double busy = sample_busy(s, thread), lost = loss_of(&s->threads[thread]);
	const double waited = fmax((double)s->threads[thread].delayed_ns, 0) * 1e-9;

	return lost < busy ? lost : waited < busy ? waited : 0;
}

double sample_cpu_s(const struct sample *s, int thread)
{
	const int64_t off = s->threads[thread].off_ns;

	return off < 0 ? NAN : fmax(sample_busy(s, thread) - (double)off * 1e-9, 0);
}

double sample_unsure_s(const struct sample *s, int n, int thread, bool together)
{
	const struct thread_sample *t = &s->threads[thread];
	const double off = fmax((double)t->off_ns, 0) * 1e-9;
	double unsure = loss_of(t) < sample_busy(s, thread)
				? fmax((double)t->stolen_ns * 1e-9 - off, 0)
				: INFINITY;

	for (int i = 0; together && i < n; i++)
		unsure += i == thread ? 0 : sample_lost_s(s, i);
	return fmin(unsure, sample_busy(s, thread));
}

double sample_round_cost(const struct sample *s, int thread)
{
	if (s->window_ns)
		return sample_own_unit_time(s, thread);
	return of_round(s, thread,
		sample_cost(s, thread) - sample_lost_s(s, thread) -
			(double)s->threads[thread].late_ns * 1e-9);
}

double sample_round_busy(const struct sample *s, int thread)
{
	return of_round(s, thread, sample_busy(s, thread) - sample_lost_s(s, thread));
}

double sample_own_unit_time(const struct sample *s, int thread)
{
	double units = sample_units(s, thread);

	return units > 0 ? (sample_busy(s, thread) - sample_lost_s(s, thread)) / units : NAN;
}

double sample_round_units(const struct sample *s, int thread)
{
	return of_round(s, thread, sample_units(s, thread));
}

double sample_overlap(const struct sample *s, int n, int thread)
{
	uint64_t begin = 0, end = UINT64_MAX;
	const struct thread_sample *own = &s->threads[thread];

	for (int i = 0; i < n; i++) {
		begin = s->threads[i].begin_ns > begin ? s->threads[i].begin_ns : begin;
		end = s->threads[i].end_ns < end ? s->threads[i].end_ns : end;
	}
	if (own->end_ns <= own->begin_ns)
		return NAN;
	return end > begin ? (double)(end - begin) / (double)(own->end_ns - own->begin_ns) : 0;
}

double sample_lost(const struct sample *s, int thread)
{
	const struct thread_sample *t = &s->threads[thread];

	if (t->delayed_ns < 0 && t->off_ns < 0)
		return NAN;
	double lost = sample_lost_s(s, thread) + (double)t->late_ns * 1e-9;
	double all = sample_busy(s, thread) + (double)t->late_ns * 1e-9;

	return lost > 0 ? fmin(lost / all, 1) : 0;
}

double sample_calls(const struct sample *s, int thread)
{
	return (double)s->threads[thread].calls;
}
