/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the operations of a run: the work of each thread. */
#include <math.h>
#include <stdlib.h>

#include "analysis/undisturbed.h"
#include "document/parts.h"

static const char *text_or_empty(const json_t *o, const char *key)
{
	const char *text = document_text(o, key);

	return text ? text : "";
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

static void read_counters(struct document *d, struct document_job *j, json_t *o)
{
	const char *metric;
	json_t *figure;
	size_t i = 0;

	j->ncounters = json_object_size(o);
	j->counters = document_list(d, j->ncounters, sizeof(*j->counters));
	json_object_foreach (o, metric, figure)
		j->counters[i++] = (struct document_counter){metric,
			document_number(figure, "value"), document_number(figure, "per_unit")};
}

static struct document_own own(struct document *d, json_t *o)
{
	struct document_own own = {NULL, json_object_size(o)};
	const char *name;
	json_t *figure;
	size_t i = 0;

	own.list = document_list(d, own.count, sizeof(*own.list));
	json_object_foreach (o, name, figure)
		own.list[i++] = (struct document_own_figure){name, document_amount(figure)};
	return own;
}

static void read_job(struct document *d, struct document_job *j, const json_t *o)
{
	*j = (struct document_job){
		.kernel = text_or_empty(o, "kernel"),
		.chose = text_or_empty(o, "chose"),
		.unit = text_or_empty(o, "unit"),
		.order = text_or_empty(o, "order"),
		.loop = text_or_empty(o, "loop"),
		.times_caches = document_number(o, "times_caches"),
		.held = text_or_empty(o, "held_by"),
		.sleep_s = document_number(o, "sleep_s"),
		.passes = document_number(o, "passes"),
		.calibrated = document_flag(o, "calibrated"),
		.shares_lines = !json_is_false(json_object_get(o, "shares_lines")),
		.latency = document_flag(o, "latency"),
		.figures = figures(d, json_object_get(o, "figures")),
		.own = own(d, json_object_get(o, "kernel_figures")),
	};
	read_samples(d, j, json_object_get(o, "samples"));
	read_counters(d, j, json_object_get(o, "counters"));
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
		.measure_again = measure_again(o),
	};
}

static int by_node(const void *a, const void *b)
{
	const struct document_pages *x = a, *y = b;

	return (x->node > y->node) - (x->node < y->node);
}

static struct document_pages *pages(struct document *d, json_t *o, size_t *n)
{
	const char *node;
	json_t *count;
	size_t i = 0;

	*n = json_object_size(o);
	struct document_pages *list = document_list(d, *n, sizeof(*list));

	json_object_foreach (o, node, count)
		list[i++] = (struct document_pages){atoi(node), json_integer_value(count)};
	qsort(list, *n, sizeof(*list), by_node);
	return list;
}

static void read_places(struct document *d, struct document_operation *to, const json_t *list)
{
	to->nplaces = json_array_size(list);
	to->places = document_list(d, to->nplaces, sizeof(*to->places));
	for (size_t i = 0; i < to->nplaces; i++) {
		const json_t *o = json_array_get(list, i);
		struct document_places *v = &to->places[i];

		v->vector = (size_t)document_whole(o, "vector");
		v->before = pages(d, json_object_get(o, "before"), &v->nbefore);
		v->after = pages(d, json_object_get(o, "after"), &v->nafter);
	}
}

static void read_operation(struct document *d, struct document_operation *to, const json_t *o)
{
	const json_t *threads = json_object_get(o, "threads");
	const json_t *together = json_object_get(o, "together");

	*to = (struct document_operation){
		.name = text_or_empty(o, "operation"),
		.together.cost = {document_number(o, "total_s"), document_number(o, "total_low_s"),
			document_number(o, "total_high_s")},
		.together.ns_per_unit = document_amount(json_object_get(together, "ns_per_unit")),
		.together.units_per_s = document_amount(json_object_get(together, "units_per_s")),
		.together.bytes_per_s = document_amount(json_object_get(together, "bytes_per_s")),
		.together.traffic =
			document_amount(json_object_get(together, "traffic_bytes_per_s")),
		.own = own(d, json_object_get(o, "kernel_figures")),
		.ended_by = text_or_empty(o, "ended_by"),
		.unsettled = json_is_object(json_object_get(o, "unsettled")),
		.samples = tally(json_object_get(o, "samples")),
		.skew_median_ns = document_number(o, "skew_median_ns"),
		.skew_max_ns = document_number(o, "skew_max_ns"),
		.njobs = json_array_size(threads),
	};
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
