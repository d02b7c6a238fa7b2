/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all threads of an operation did together. */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "analysis/derive.h"
#include "analysis/undisturbed.h"
#include "analysis/work.h"

/* One thread's part of a sample, in units or in bytes. 0: its kernel has no such part by its
 * nature. NAN: the thread has not finished any, and then the whole is unknown. */
typedef double share_fn(const struct samples *r, int op, const struct sample *s, int thread);

/* The threads that a figure is of: ALL_THREADS or THREADS_OF_KIND, in an operation. */
struct team {
	const struct samples *r;
	int op, who;
};

/* A figure of a sample. */
typedef double whole_fn(const struct team *t, const struct sample *s, share_fn *share);

/* A thread's part, 0 for one that does not belong to the team. */
static double part_of(const struct team *t, const struct sample *s, share_fn *share, int thread)
{
	return derive_counts(t->r->plan, t->who, thread) ? share(t->r, t->op, s, thread) : 0;
}

static double units(const struct samples *r, int op, const struct sample *s, int thread)
{
	double n = sample_units(s, thread);

	(void)r;
	(void)op;
	return n > 0 ? n : NAN;
}

static double bytes(const struct samples *r, int op, const struct sample *s, int thread)
{
	double each = plan_work(&r->plan->ops[op].jobs[thread]).bytes;

	return each > 0 ? units(r, op, s, thread) * each : 0;
}

/* Bytes with write-allocate. */
static double traffic(const struct samples *r, int op, const struct sample *s, int thread)
{
	double moved = bytes(r, op, s, thread);

	return moved == 0 ? 0 : moved * work_traffic(&r->plan->ops[op].jobs[thread]);
}

static double longest_busy(const struct team *t, const struct sample *s, share_fn *unused)
{
	double longest = 0;

	(void)unused;
	for (int i = 0; i < t->r->plan->nthreads; i++)
		if (derive_counts(t->r->plan, t->who, i))
			longest = fmax(longest, sample_round_busy(s, i));
	return longest;
}

/* Seconds from the begin of the first thread to the end of the last, of the threads that have a
 * share: a thread that sleeps first does not work together with the others. Each begins and ends as
 * it would have without the time that it lost, so that all threads together have the basis of each
 * of them. */
static double span(const struct team *t, const struct sample *s, share_fn *share)
{
	double begin = INFINITY, end = -INFINITY;

	for (int i = 0; i < t->r->plan->nthreads; i++) {
		const struct thread_sample *own = &s->threads[i];
		const double late = (double)own->late_ns * 1e-9;
		const double own_begin = (double)(own->begin_ns - s->start_ns) * 1e-9 - late;

		if (part_of(t, s, share, i) == 0)
			continue;
		begin = fmin(begin, own_begin);
		end = fmax(end, own_begin + sample_busy(s, i) - sample_lost_s(s, i));
	}
	return end > begin ? end - begin : NAN;
}

/* Time of all threads for each unit, in seconds. */
static double spent_each(const struct team *t, const struct sample *s, share_fn *share)
{
	double spent = 0, done = 0;

	for (int i = 0; i < t->r->plan->nthreads; i++) {
		if (!derive_counts(t->r->plan, t->who, i))
			continue;
		spent += sample_busy(s, i) - sample_lost_s(s, i);
		done += part_of(t, s, share, i);
	}
	return spent / done;
}

/* Elapsed time for each unit, in seconds. */
static double passed_each(const struct team *t, const struct sample *s, share_fn *share)
{
	double done = 0, rates = 0;

	for (int i = 0; i < t->r->plan->nthreads; i++) {
		double part = part_of(t, s, share, i);

		done += part;
		rates += part == 0 ? 0 : part / (sample_busy(s, i) - sample_lost_s(s, i));
	}
	return s->window_ns ? 1 / rates : span(t, s, share) / done;
}

static int over_samples(const struct team *t, whole_fn *figure, share_fn *share, enum family family,
	struct estimate *out)
{
	const struct subject all = {t->r, t->op, t->who, NULL, family};
	const struct op_result *result = &t->r->ops[t->op];
	double *values = alloc_zeroed(result->count + 1, sizeof(*values));
	size_t n = 0;

	for (size_t i = 0; i < result->count; i++)
		if (!result->samples[i].warmup)
			values[n++] = figure(t, &result->samples[i], share);
	int failed = undisturbed_values(&all, values, out);
	free(values);
	return failed;
}

static const struct whole {
	whole_fn *figure;
	share_fn *share;
} wholes[FAMILIES] = {
	[FAMILY_BUSY_OF_ALL] = {longest_busy, NULL},
	[FAMILY_UNIT_OF_ALL] = {spent_each, units},
	[FAMILY_RATE] = {passed_each, units},
	[FAMILY_BANDWIDTH] = {passed_each, bytes},
	[FAMILY_TRAFFIC] = {passed_each, traffic},
};

/* Is there such a figure? Both threads that take part in a handover count it. A mean over threads
 * is none over unlike cores. */
static bool exists(const struct team *t, enum family family)
{
	const struct plan *p = t->r->plan;
	bool alike = derive_same_unit(p, t->op), summed = alike;

	for (int i = 0; i < p->nthreads; i++)
		summed &= !p->ops[t->op].jobs[i].kernel->meetings.together;
	if (family == FAMILY_UNIT_OF_ALL)
		return alike && !(t->who == ALL_THREADS && plan_mixes_kinds(p));
	return family == FAMILY_RATE ? summed : true;
}

int derive_whole(const struct samples *r, int op, int who, enum family family, struct estimate *out)
{
	const struct whole *w = &wholes[family];
	const struct team team = {r, op, who};

	if (!r->ops || !exists(&team, family) ||
		over_samples(&team, w->figure, w->share, family, out))
		return -1;
	return isfinite(out->value) ? 0 : -1;
}

static struct amount rate_of_all(const struct samples *r, int op, int who, enum family family)
{
	struct estimate each;

	return derive_whole(r, op, who, family, &each) ? AMOUNT_NONE
						       : amount_inverse(estimate_amount(&each));
}

int derive_totals(const struct samples *r, int op, int who, struct totals *t)
{
	struct estimate each;

	if (derive_whole(r, op, who, FAMILY_BUSY_OF_ALL, &t->busy))
		return -1;
	t->ns_per_unit = derive_whole(r, op, who, FAMILY_UNIT_OF_ALL, &each)
				 ? AMOUNT_NONE
				 : amount_times(estimate_amount(&each), 1e9);
	t->units_per_s = rate_of_all(r, op, who, FAMILY_RATE);
	t->bytes_per_s = rate_of_all(r, op, who, FAMILY_BANDWIDTH);
	t->traffic_bytes_per_s = rate_of_all(r, op, who, FAMILY_TRAFFIC);
	return 0;
}
