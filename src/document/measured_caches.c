/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a staircase out of a result document. */
#include "document/measured_caches.h"

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
		const struct document_sample *s = &job->samples[i];
		double ns = s->units > 0 ? s->busy_s * 1e9 / (double)s->units : NAN;

		if (!s->disturbed && !s->warmup && !(ns >= quickest))
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

size_t measured_caches(const struct document *d, struct staircase_level *levels, size_t most,
	struct place at, struct errors *e)
{
	struct staircase_point *points = alloc_zeroed(d->nruns + 1, sizeof(*points));
	size_t n = read_points(d, points), found = staircase_find(points, n, levels, most);

	free(points);
	if (found)
		return found;
	if (n)
		error_add(e, STATUS_PLACEMENT, at,
			"caches: the latencies of '%s' have no step: the sizes of the caches stay "
			"unknown",
			d->path);
	else
		error_add(e, STATUS_PLACEMENT, at,
			"caches: '%s' has no run in which one thread chases through one vector",
			d->path);
	error_hint(e, "caches: 32K 1M 32M gives the sizes, or give those of vectors in bytes, such "
		      "as 200MiB");
	return 0;
}

char *measured_caches_note(const struct staircase_level *levels, size_t n)
{
	char *note = alloc_string("measured:", strlen("measured:"));
	char size[32], low[32], high[32];

	for (size_t i = 0; i < n; i++) {
		char *longer = alloc_format("%s%s L%zu %s (%s to %s)", note, i ? "," : "", i + 1,
			text_size(levels[i].bytes, size, sizeof(size)),
			text_size(levels[i].low, low, sizeof(low)),
			text_size(levels[i].high, high, sizeof(high)));

		free(note);
		note = longer;
	}
	return note;
}
