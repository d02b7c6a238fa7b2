/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs programs together under each mapping. */
#include "affinity-map/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"

static int lay_out(struct job *j, int i, struct errors *e)
{
	const struct map_options *o = j->options;
	const struct mapping_request r = {
		o->methods[i], (enum mapping_type)o->by, o->oversubscribe};

	map_layout_free(&j->layouts[i], j->napps);
	return map_layout(&j->layouts[i], &r, j->apps, j->napps, j->topo, e);
}

int job_plan(struct job *j, struct errors *e)
{
	const struct map_options *o = j->options;
	int failed = 0;

	j->layouts = alloc_zeroed((size_t)o->nmethods, sizeof(*j->layouts));
	for (int i = 0; i < o->nmethods && !failed; i++)
		failed = lay_out(j, i, e);
	j->result = (struct map_result){.apps = j->apps,
		.napps = j->napps,
		.layouts = j->layouts,
		.nlayouts = o->nmethods,
		.runs = (size_t)o->runs,
		.by = mapping_types[o->by],
		.topo = j->topo,
		.counted = j->counted,
		.warnings = e};
	return failed;
}

int job_plan_again(struct job *j, struct errors *e)
{
	int failed = 0;

	for (int i = 0; i < j->result.nlayouts && !failed; i++)
		if (j->options->methods[i].method == MAPPING_INSTRUCTION)
			failed = lay_out(j, i, e);
	return failed;
}

void job_drop_copy(struct job *j, struct errors *e)
{
	struct map_result *r = &j->result;
	int copy = -1, compact = -1;

	for (int i = 0; i < r->nlayouts; i++) {
		const struct map_layout *l = &j->layouts[i];

		if (l->method == MAPPING_COMPACT)
			*(l->asked == MAPPING_COMPACT ? &compact : &copy) = i;
	}
	if (copy < 0 || compact < 0)
		return;
	error_warn(e, "mapping instruction is left out: it would be the same as compact");
	error_hint(e, "%s", j->layouts[copy].why);
	map_layout_free(&j->layouts[copy], j->napps);
	r->nlayouts--;
	for (int i = copy; i < r->nlayouts; i++)
		j->layouts[i] = j->layouts[i + 1];
	j->layouts[r->nlayouts] = (struct map_layout){0};
}

void job_begin(struct job *j)
{
	struct map_result *r = &j->result;
	size_t n = r->runs * (size_t)(r->nlayouts * r->napps);

	r->samples = alloc_zeroed(n, sizeof(*r->samples));
	r->done = alloc_zeroed((size_t)r->nlayouts, sizeof(*r->done));
}

struct run {
	struct job *job;
	int layout;
};

static int try_run(void *arg, bool *paused, struct errors *e)
{
	const struct run *run = arg;
	struct job *j = run->job;
	struct map_result *r = &j->result;
	struct map_sample *samples =
		(struct map_sample *)map_sample_of(r, run->layout, r->done[run->layout], 0);
	int interrupted;

	if (map_run(&j->layouts[run->layout], j->apps, j->napps, j->library, NULL, samples,
		    &interrupted, e))
		return -1;
	j->status = map_judge(j->apps, j->napps, samples, interrupted, e);
	*paused = samples->paused && !j->status;
	if (*paused)
		return 0;
	map_warn(&j->layouts[run->layout], j->apps, j->napps, samples, e);
	return j->status ? -1 : 0;
}

#define MAX_ATTEMPTS 3

int job_attempts(job_attempt *attempt, void *arg, const char *what, struct errors *e)
{
	bool paused = true;
	int failed = 0;

	for (int i = 0; i < MAX_ATTEMPTS && paused && !failed; i++) {
		failed = attempt(arg, &paused, e);
		if (paused && !failed)
			error_warn(e,
				"affinity-map was stopped while programs ran; that run of %s "
				"does not count",
				what);
	}
	if (failed)
		return -1;
	if (paused)
		return error_add(e, STATUS_FAILED, NOWHERE,
			"affinity-map was stopped during %d runs in a row", MAX_ATTEMPTS);
	return 0;
}

int job_run(struct job *j, int layout, struct errors *e)
{
	struct run run = {j, layout};

	if (job_attempts(try_run, &run, j->layouts[layout].name, e))
		return -1;
	j->result.done[layout]++;
	return 0;
}

/* Runs with different numbers of threads do different work, so their times cannot be compared. */
void job_compare_threads(const struct job *j, struct errors *e)
{
	const struct map_result *r = &j->result;

	for (int l = 1; l < r->nlayouts; l++)
		for (int i = 0; i < r->napps && r->done[0] && r->done[l]; i++) {
			int first = map_sample_of(r, 0, 0, i)->threads;
			int other = map_sample_of(r, l, 0, i)->threads;

			if (first == other)
				continue;
			error_warn(e, "'%s' began %d thread%s with %s and %d with %s",
				r->apps[i].name, first, text_s((unsigned long long)first),
				r->layouts[0].name, other, r->layouts[l].name);
			error_hint(e, "give it a fixed number of threads, by its own options");
		}
}

void job_free(struct job *j)
{
	for (int i = 0; j->layouts && i < j->options->nmethods; i++)
		map_layout_free(&j->layouts[i], j->napps);
	free(j->layouts);
	free(j->result.samples);
	free(j->result.done);
	*j = (struct job){0};
}

void job_tell(const char *what, size_t i, size_t n, uint64_t begin_ns)
{
	const double spent_s = (double)(clock_ns() - begin_ns) * 1e-9;

	if (!isatty(STDERR_FILENO))
		return;
	fprintf(stderr, "affinity-map: run %zu of %zu, %s", i + 1, n, what);
	if (i)
		fprintf(stderr, "; %.0f s, about %.0f s to go", spent_s,
			spent_s / (double)i * (double)(n - i));
	fputc('\n', stderr);
}
