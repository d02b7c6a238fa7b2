/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the command aside, and looks whether its pages were as they had to be. */
#include "affinity-rhp/reference.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "analysis/translation.h"
#include "base/alloc.h"
#include "base/text.h"
#include "affinity-rhp/report.h"
#include "affinity-rhp/watch.h"

/* User time comes in ticks of 1 to 10 ms: a run of 50 of them is known within 2 %. */
#define LEAST_S 0.5

/* Of the pages written, as kernels give some pages of the other kind at the ends of blocks. */
#define NEARLY_ALL 0.95

void course_add(struct course *c, struct profile_point point)
{
	c->points = alloc_grow(c->points, c->count, sizeof(*c->points));
	c->points[c->count++] = point;
}

struct run {
	struct launch launch;
	struct stalls *stalls;
	struct watch *watch;
	struct course *course;  /* NULL: not asked */
	double cycles, waiting; /* NAN: not counted */
};

static int begin_reference(void *arg, pid_t process)
{
	struct run *r = arg;

	/* without counts it runs all the same */
	if (stalls_count(r->stalls))
		stalls_attach(r->stalls, process);
	return 0;
}

static void sample_reference(void *arg, const struct rhp_share *share)
{
	struct run *r = arg;

	if (r->course)
		course_add(r->course, watch_take(r->watch, share));
}

static int pages_are_wrong(
	const struct rhp_share *s, const struct own_node *node, bool small, struct errors *e)
{
	static struct rhp_pages found;
	uint64_t written, here, as_asked;
	char from[32];

	found = (struct rhp_pages){0};
	bool known = report_found(s, &found);
	written = found.unknown;
	for (int i = 0; i < RHP_NODES; i++)
		written += found.on_node[i];
	if (!written) {
		error_add(e, STATUS_FAILED, NOWHERE,
			"--profile: no block of %s or more was written",
			text_size(s->from_bytes, from, sizeof(from)));
		return error_hint(e, "--from SIZE says from which size on blocks are placed");
	}
	here = found.on_node[node->id];
	as_asked = small ? written - found.huge : found.huge;
	if (known && (double)here >= NEARLY_ALL * (double)written &&
		(double)as_asked >= NEARLY_ALL * (double)written)
		return 0;
	error_add(e, STATUS_FAILED, NOWHERE,
		"--profile: the run in %s pages of node %d had %.0f %% of what it wrote there, "
		"%.0f %% in %s pages%s",
		small ? "small" : "huge", node->id, 100 * (double)here / (double)written,
		100 * (double)as_asked / (double)written, small ? "small" : "huge",
		known ? "" : ", as far as it is known");
	return error_hint(e, "one node with CPUs needs the command's memory free in huge blocks: "
			     "end other programs, or affinity-frag --undo");
}

static int judge_reference(struct run *r, struct reference *of, const struct own_node *node,
	bool small, struct errors *e)
{
	const char *kind = small ? "small" : "huge";

	if (r->launch.status) {
		of->status = r->launch.status;
		error_add(e, STATUS_FAILED, NOWHERE,
			"--profile: the run in %s pages ended with status %d", kind, of->status);
		return error_hint(e, "the command is run three times: it must be able to, and end "
				     "by itself");
	}
	if (pages_are_wrong(r->launch.share, node, small, e))
		return -1;
	if (r->launch.user_s >= LEAST_S)
		return 0;
	error_add(e, STATUS_FAILED, NOWHERE,
		"--profile: the run in %s pages took %.2f s of user time: too little to compare",
		kind, r->launch.user_s);
	return error_hint(e, "let it work longer, half a second at least");
}

static int run_once(struct run *r, struct reference *of, const struct launch_plan *base,
	const struct own_node *node, bool small, struct errors *e)
{
	struct launch_plan plan = *base;

	plan.rest = small ? RHP_REST_LOCAL : RHP_REST_KERNEL;
	plan.take = small ? RHP_TAKE_NONE : RHP_TAKE_LOCAL;
	plan.cpus = node->cpus;
	plan.aside = true;
	plan.gate = begin_reference;
	plan.tick = sample_reference;
	plan.arg = r;
	int failed = launch_run(&r->launch, &plan, e) || judge_reference(r, of, node, small, e);
	struct stalls_counts counts = stalls_take(r->stalls);

	r->cycles = counts.cycles;
	r->waiting = counts.stalls;
	launch_free(&r->launch);
	return failed ? -1 : 0;
}

int reference_make(struct reference *r, const struct launch_plan *base, const struct own_node *node,
	bool small, struct stalls *stalls, struct errors *e)
{
	struct watch *watch = alloc_zeroed(1, sizeof(*watch));
	struct run huge = {.stalls = stalls, .watch = watch, .course = &r->course},
		   slow = {.stalls = stalls};

	*r = (struct reference){.small_s = NAN, .sensitivity = NAN, .memory = NAN};
	int failed = run_once(&huge, r, base, node, false, e);
	if (!failed && small)
		failed = run_once(&slow, r, base, node, true, e);
	free(watch);
	r->huge_s = huge.launch.user_s;
	if (stalls_count(stalls) && !(huge.cycles > 0 && (!small || slow.cycles > 0)))
		snprintf(stalls->why, sizeof(stalls->why), "cycles: the counter could not be read");
	if (stalls_count(stalls))
		r->memory = translation_cost(huge.waiting, huge.cycles, 0);
	if (small) {
		r->small_s = slow.launch.user_s;
		r->sensitivity = stalls_count(stalls)
					 ? translation_increase(slow.cycles, huge.cycles)
					 : translation_increase(r->small_s, r->huge_s);
	}
	return failed;
}

void reference_free(struct reference *r)
{
	free(r->course.points);
}
