/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a staircase out of a result document. */
#include "machine/caches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"

/* The only job of an operation, if it follows one chain. */
static const struct document_job *chase_of(const struct document_operation *o)
{
	bool chase = o->njobs == 1 && o->jobs[0].kernel && !strcmp(o->jobs[0].kernel, "chase");

	return chase && o->jobs[0].latency ? &o->jobs[0] : NULL;
}

/* Of the undisturbed samples the quickest: what delays a load is never part of a cache. NAN: there
 * is none. */
static double quickest_ns(const struct document_job *job)
{
	double quickest = NAN;

	for (size_t i = 0; i < job->nsamples; i++) {
		const struct document_sample s = document_sample(job, i);
		double ns = s.units > 0 ? s.busy_s * 1e9 / (double)s.units : NAN;

		if (!s.disturbed && !s.warmup && !(ns >= quickest))
			quickest = ns;
	}
	return quickest;
}

static size_t read_points(const struct document *d, struct staircase_point *points)
{
	size_t n = 0;

	for (size_t i = 0; i < d->nruns; i++) {
		const struct document_run *r = &d->runs[i];

		if (r->skipped || r->nvectors != 1 || r->operations.count != 1)
			continue;
		const struct document_job *job = chase_of(&r->operations.list[0]);

		if (job)
			points[n++] = (struct staircase_point){
				(uint64_t)r->vectors[0].bytes, quickest_ns(job)};
	}
	return n;
}

static int by_ratio(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static int by_size(const void *a, const void *b)
{
	const struct staircase_point *x = a, *y = b;

	return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* The median of how many times larger a size is than the one before it. */
static double spacing(struct staircase_point *p, size_t n)
{
	double *ratios = alloc_zeroed(n + 1, sizeof(*ratios));
	size_t m = 0;

	qsort(p, n, sizeof(*p), by_size);
	for (size_t i = 1; i < n; i++)
		if (p[i].bytes > p[i - 1].bytes)
			ratios[m++] = (double)p[i].bytes / (double)p[i - 1].bytes;
	qsort(ratios, m, sizeof(*ratios), by_ratio);
	double middle = m ? ratios[m / 2] : 1;

	free(ratios);
	return middle;
}

/* Keeps the points with a latency. */
static size_t keep_measured(struct staircase_point *p, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (isfinite(p[i].ns))
			p[kept++] = p[i];
	return kept;
}

/* Why these points show no caches. n sizes were asked for, m of them have an undisturbed sample. */
static void refuse_staircase(
	const struct document *d, size_t n, size_t m, struct place at, struct errors *e)
{
	if (!n)
		error_add(e, STATUS_PLACEMENT, at,
			"caches: '%s' has no run in which one thread chases through one vector",
			d->path);
	else if (2 * m < n)
		error_add(e, STATUS_PLACEMENT, at,
			"caches: in '%s' all samples of %zu of the %zu sizes are disturbed; "
			"measure again when nothing else runs",
			d->path, n - m, n);
	else
		error_add(e, STATUS_PLACEMENT, at,
			"caches: the latencies of '%s' have no step: the sizes of the caches stay "
			"unknown",
			d->path);
	error_hint(e, "caches: 32K 1M 32M gives the sizes, or give those of vectors in bytes, such "
		      "as 200MiB");
}

static void warn_of_steps(const struct document *d, double apart, struct errors *e)
{
	error_warn(e,
		"caches: the sizes in '%s' are a factor of %.3g apart, in which two caches can "
		"look "
		"like one",
		d->path, apart);
	error_hint(e, "affinity --measure-caches FILE takes steps of 1.41");
}

size_t measured_caches(const struct document *d, struct staircase_level *levels, size_t most,
	struct place at, struct errors *e)
{
	struct staircase_point *points = alloc_zeroed(d->nruns + 1, sizeof(*points));
	size_t n = read_points(d, points), m = keep_measured(points, n), found = 0;
	double apart = spacing(points, m);

	if (2 * m >= n)
		found = staircase_find(points, m, levels, most);
	free(points);
	if (!found)
		refuse_staircase(d, n, m, at, e);
	else if (apart > STAIRCASE_WIDEST)
		warn_of_steps(d, apart, e);
	return found;
}

char *measured_caches_note(const struct staircase_level *levels, size_t n)
{
	char *note = alloc_string("measured:", strlen("measured:"));
	char size[32], low[32], high[32];

	for (size_t i = 0; i < n; i++)
		alloc_append(&note, "", "%s L%zu %s (%s to %s)", i ? "," : "", i + 1,
			text_size(levels[i].bytes, size, sizeof(size)),
			text_size(levels[i].low, low, sizeof(low)),
			text_size(levels[i].high, high, sizeof(high)));
	return note;
}
