/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the operations of a run: the work of each thread. */
#include <math.h>
#include <stdlib.h>

#include "analysis/undisturbed.h"
#include "document/parts.h"
#include "document/tails.h"

/* Earlier programs wrote no intervals of it. */
static struct amount with_interval(const json_t *o, const char *key, double value)
{
	const json_t *own = json_object_get(o, key);

	return own ? document_amount(own) : (struct amount){value, NAN, NAN};
}

static struct document_figures figures(struct document *d, const json_t *o)
{
	const json_t *each = json_object_get(o, "by_placement_s");
	size_t n = json_array_size(each);
	double *costs = document_list(d, n, sizeof(*costs));

	for (size_t i = 0; i < n; i++) {
		const json_t *cost = json_array_get(each, i);

		costs[i] = json_is_number(cost) ? json_number_value(cost) : NAN;
	}
	return (struct document_figures){
		.by_placement = costs,
		.nplacements = n,
		.spread = document_number(o, "spread"),
		.cost = {document_number(o, "cost_s"), document_number(o, "low_s"),
			document_number(o, "high_s")},
		.n = document_whole(o, "n"),
		.mean_s = document_number(o, "mean_s"),
		.sd_s = document_number(o, "sd_s"),
		.median_s = document_number(o, "median_s"),
		.mad_s = document_number(o, "mad_s"),
		.min_s = document_number(o, "min_s"),
		.max_s = document_number(o, "max_s"),
		.cv = document_number(o, "cv"),
		.busy_s = document_number(o, "busy_s"),
		.first_s = document_number(o, "first_s"),
		.overlap = document_number(o, "overlap"),
		.undisturbed_s = document_number(o, "undisturbed_s"),
		.first = with_interval(o, "first", document_number(o, "first_s")),
		.busy = with_interval(o, "busy", document_number(o, "busy_s")),
		.unit_time =
			with_interval(o, "unit_time", document_number(o, "ns_per_unit") * 1e-9),
		.whole_time = document_amount(json_object_get(o, "whole_time")),
		.units = document_number(o, "units"),
		.calls = document_number(o, "calls"),
		.ns_per_unit = document_number(o, "ns_per_unit"),
		.units_per_s = document_number(o, "units_per_s"),
		.bytes_per_s = document_number(o, "bytes_per_s"),
		.traffic_bytes_per_s = document_number(o, "traffic_bytes_per_s"),
	};
}

static struct document_sample sample(const json_t *o)
{
	return (struct document_sample){
		.cost_s = document_number(o, "cost_s"),
		.busy_s = document_number(o, "busy_s"),
		.lost_before_s = document_number(o, "lost_before_s"),
		.units = document_whole(o, "units"),
		.calls = document_whole(o, "calls"),
		.late_ns = document_whole(o, "late_ns"),
		.skew_ns = document_whole(o, "skew_ns"),
		.warmup = document_flag(o, "warmup"),
		.placement = document_whole(o, "placement"),
		.start_ns = document_whole(o, "start_ns"),
		.clock_before_hz = document_number(o, "clock_before_hz"),
		.clock_after_hz = document_number(o, "clock_after_hz"),
		.disturbed = (int)document_whole(o, "disturbed_flags"),
		.cpu_before = (int)document_whole(o, "cpu_before"),
		.cpu_after = (int)document_whole(o, "cpu_after"),
	};
}

static void read_samples(struct document *d, struct document_job *j, const json_t *list)
{
	j->nsamples = json_array_size(list);
	j->samples = document_list(d, j->nsamples, sizeof(*j->samples));
	for (size_t i = 0; i < j->nsamples; i++)
		j->samples[i] = sample(json_array_get(list, i));
}

static struct document_counter *counters(struct document *d, json_t *o, size_t *n)
{
	const char *metric;
	json_t *f;
	size_t i = 0;

	*n = json_object_size(o);
	struct document_counter *list = document_list(d, *n, sizeof(*list));

	json_object_foreach (o, metric, f)
		list[i++] = (struct document_counter){metric, document_number(f, "value"),
			document_number(f, "per_unit"), document_number(f, "low"),
			document_number(f, "high")};
	return list;
}

struct document_own document_own(struct document *d, json_t *o)
{
	struct document_own own = {NULL, json_object_size(o)};
	const char *name;
	json_t *figure;
	size_t i = 0;

	own.list = document_list(d, own.count, sizeof(*own.list));
	json_object_foreach (o, name, figure)
		own.list[i++] = (struct document_own_figure){
			name, document_text_or_empty(figure, "unit"), document_amount(figure)};
	return own;
}

/* Where the thread ran, and at which clock rates. */
static void read_cores(struct document_job *j, const json_t *ran_on, const json_t *clock)
{
	const json_t *migrations = json_object_get(ran_on, "migrations");

	j->has_ran_on = json_is_object(ran_on);
	j->ran_on.cpus = document_text_or_empty(ran_on, "cpus");
	j->ran_on.migrations = json_is_integer(migrations) ? json_integer_value(migrations) : -1;
	j->ran_on.node_jumps = document_whole(ran_on, "node_jumps");
	j->has_clock = json_is_object(clock);
	j->clock.min_hz = document_number(clock, "min_hz");
	j->clock.median_hz = document_number(clock, "median_hz");
	j->clock.max_hz = document_number(clock, "max_hz");
	j->clock.cycles_per_unit = document_number(clock, "cycles_per_unit");
}

static void read_job(struct document *d, struct document_job *j, const json_t *o)
{
	*j = (struct document_job){
		.kernel = document_text_or_empty(o, "kernel"),
		.chose = document_text_or_empty(o, "chose"),
		.unit = document_text_or_empty(o, "unit"),
		.order = document_text_or_empty(o, "order"),
		.loop = document_text_or_empty(o, "loop"),
		.times_caches = document_number(o, "times_caches"),
		.held = document_text_or_empty(o, "held_by"),
		.sleep_s = document_number(o, "sleep_s"),
		.passes = document_number(o, "passes"),
		.calibrated = document_flag(o, "calibrated"),
		.shares_lines = !json_is_false(json_object_get(o, "shares_lines")),
		.latency = document_flag(o, "latency"),
		.has_figures = json_is_object(json_object_get(o, "figures")),
		.figures = figures(d, json_object_get(o, "figures")),
		.mark = document_mark(json_object_get(o, "mark")),
		.own = document_own(d, json_object_get(o, "kernel_figures")),
		.tails = tails_read(d, json_object_get(o, "distribution")),
	};
	read_cores(j, json_object_get(o, "ran_on"), json_object_get(o, "clock"));
	read_samples(d, j, json_object_get(o, "samples"));
	j->counters = counters(d, json_object_get(o, "counters"), &j->ncounters);
}

/* Earlier programs did not write it. */
static bool measure_again(const json_t *o)
{
	const json_t *flag = json_object_get(o, "measure_again");

	return flag ? json_is_true(flag)
		    : (double)document_whole(o, "disturbed") >
			       UNDISTURBED_AGAIN * (double)document_whole(o, "taken");
}

static struct document_tally tally(const json_t *o)
{
	return (struct document_tally){
		.taken = document_whole(o, "taken"),
		.disturbed = document_whole(o, "disturbed"),
		.preempted = document_whole(o, "preempted"),
		.moved = document_whole(o, "moved"),
		.blocked = document_whole(o, "blocked"),
		.page_faults = document_whole(o, "page_faults"),
		.taken_away = document_whole(o, "taken_away"),
		.throttled = document_whole(o, "throttled"),
		.busy_sibling = document_whole(o, "busy_sibling"),
		.repeated = document_whole(o, "repeated"),
		.disturbed_part = document_number(o, "disturbed_part"),
		.lost_median = document_number(o, "lost_median"),
		.lost_worst = document_number(o, "lost_worst"),
		.measure_again = measure_again(o),
	};
}

static void read_places(struct document *d, struct document_operation *to, const json_t *list)
{
	to->nplaces = json_array_size(list);
	to->places = document_list(d, to->nplaces, sizeof(*to->places));
	for (size_t i = 0; i < to->nplaces; i++) {
		const json_t *o = json_array_get(list, i);
		struct document_places *v = &to->places[i];

		v->vector = (size_t)document_whole(o, "vector");
		v->before = document_pages(d, json_object_get(o, "before"), &v->nbefore);
		v->after = document_pages(d, json_object_get(o, "after"), &v->nafter);
		v->absent_before = document_whole(o, "absent_before");
		v->absent_after = document_whole(o, "absent_after");
	}
}

static struct document_together together(struct amount cost, const json_t *o)
{
	return (struct document_together){cost, document_amount(json_object_get(o, "busy")),
		document_amount(json_object_get(o, "whole_time")),
		document_amount(json_object_get(o, "ns_per_unit")),
		document_amount(json_object_get(o, "units_per_s")),
		document_amount(json_object_get(o, "bytes_per_s")),
		document_amount(json_object_get(o, "traffic_bytes_per_s"))};
}

static void read_kinds(struct document *d, struct document_operation *to, const json_t *list)
{
	to->nkinds = json_array_size(list);
	to->kinds = document_list(d, to->nkinds, sizeof(*to->kinds));
	for (size_t i = 0; i < to->nkinds; i++) {
		const json_t *o = json_array_get(list, i);

		to->kinds[i] = (struct document_kind){document_text_or_empty(o, "kind"),
			together(document_amount(json_object_get(o, "total_s")),
				json_object_get(o, "together")),
			document_mark(json_object_get(o, "mark"))};
	}
}

static void read_operation(struct document *d, struct document_operation *to, const json_t *o)
{
	const json_t *threads = json_object_get(o, "threads");
	const json_t *unsettled = json_object_get(o, "unsettled");
	const struct amount total = {document_number(o, "total_s"),
		document_number(o, "total_low_s"), document_number(o, "total_high_s")};

	*to = (struct document_operation){
		.name = document_text_or_empty(o, "operation"),
		.together = together(total, json_object_get(o, "together")),
		.mark = document_mark(json_object_get(o, "mark")),
		.own = document_own(d, json_object_get(o, "kernel_figures")),
		.ended_by = document_text_or_empty(o, "ended_by"),
		.has_places = json_is_array(json_object_get(o, "pages_by_node")),
		.interval_error = document_number(o, "interval_error"),
		.unsettled = json_is_object(unsettled),
		.settling = {(int)document_whole(unsettled, "thread"),
			document_text_or_empty(unsettled, "text")},
		.samples = tally(json_object_get(o, "samples")),
		.skew_median_ns = document_number(o, "skew_median_ns"),
		.skew_max_ns = document_number(o, "skew_max_ns"),
		.njobs = json_array_size(threads),
	};
	to->counters = counters(d, json_object_get(o, "counters"), &to->ncounters);
	read_kinds(d, to, json_object_get(o, "kinds"));
	read_places(d, to, json_object_get(o, "pages_by_node"));
	to->jobs = document_list(d, to->njobs, sizeof(*to->jobs));
	for (size_t i = 0; i < to->njobs; i++)
		read_job(d, &to->jobs[i], json_array_get(threads, i));
}

void document_read_operations(
	struct document *d, struct document_operations *to, const json_t *kernels)
{
	to->count = json_array_size(kernels);
	to->list = document_list(d, to->count, sizeof(*to->list));
	for (size_t i = 0; i < to->count; i++)
		read_operation(d, &to->list[i], json_array_get(kernels, i));
}
