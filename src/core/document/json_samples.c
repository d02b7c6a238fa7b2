/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes samples. */
#include "document/json_samples.h"

#include <stdlib.h>

#include "analysis/clock_rates.h"
#include "analysis/derive.h"
#include "analysis/kernel_figures.h"
#include "analysis/settling.h"
#include "analysis/undisturbed.h"
#include "document/value.h"

static json_t *sample(const struct sample *s, int thread)
{
	const struct thread_sample *st = &s->threads[thread];

	return json_pack(
		"{s:I, s:I, s:o, s:o, s:I, s:I, s:I, s:I, s:b, s:I, s:i, s:i, s:i, s:i, s:i, "
		"s:i, s:I, s:I, s:I, s:I, "
		"s:o, s:o, s:o, s:o}",
		"placement", (json_int_t)s->placement, "start_ns", (json_int_t)s->start_ns,
		"cost_s", value_number(sample_cost(s, thread)), "busy_s",
		value_number(sample_busy(s, thread)), "units", (json_int_t)st->units, "calls",
		(json_int_t)st->calls, "late_ns", (json_int_t)(st->left_ns - s->start_ns),
		"skew_ns", (json_int_t)s->skew_ns, "warmup", s->warmup, "disturbed_flags",
		(json_int_t)s->disturbed, "preempted", st->preempted, "blocked", st->blocked,
		"page_faults", st->faults, "migrations", st->migrations, "cpu_before",
		st->cpu_before, "cpu_after", st->cpu_after, "run_delay_ns",
		(json_int_t)st->delayed_ns, "off_cpu_ns", (json_int_t)st->off_ns, "steal_ns",
		(json_int_t)st->stolen_ns, "throttled_ns", (json_int_t)s->throttled_ns, "lost_s",
		value_number(sample_lost_s(s, thread)), "lost_before_s",
		value_number((double)st->late_ns * 1e-9), "clock_before_hz",
		value_number(st->before.hz), "clock_after_hz", value_number(st->after.hz));
}

/* The figures that the thread's kernel has of its own. */
static json_t *figures(const struct samples *r, int op, const struct sample *s, int thread)
{
	const struct kernel_figure *f = r->plan->ops[op].jobs[thread].kernel->figures;
	json_t *o = json_object();

	for (; f->name; f++)
		json_object_set_new(
			o, f->name, value_number(kernel_figure_in(r, op, s, thread, f->name)));
	return o;
}

void json_samples(struct stream *s, const struct samples *r, int op, int thread)
{
	const struct op_result *result = &r->ops[op];

	stream_open(s, "samples", '[');
	for (size_t i = 0; i < (s->brief ? 0 : result->count); i++) {
		json_t *o = sample(&result->samples[i], thread);

		if (r->plan->ops[op].jobs[thread].kernel->figures)
			json_object_set_new(
				o, "kernel_figures", figures(r, op, &result->samples[i], thread));
		stream_value(s, NULL, o);
	}
	stream_close(s, ']');
}

json_t *json_tally(const struct samples *r, int op)
{
	const struct page_moves *moves = &r->ops[op].moves;
	struct tally t;

	derive_tally(r, op, &t);
	return json_pack(
		"{s:I, s:I, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:i, s:o, s:o, s:b}",
		"taken", (json_int_t)t.samples, "disturbed", (json_int_t)t.disturbed,
		"disturbed_part", value_number(undisturbed_rest(r, op)), "preempted",
		(json_int_t)t.preempted, "moved", (json_int_t)t.moved, "blocked",
		(json_int_t)t.blocked, "page_faults", (json_int_t)t.faulted, "taken_away",
		(json_int_t)t.stolen, "throttled", (json_int_t)t.throttled, "busy_sibling",
		(json_int_t)t.sibling, "pages_migrated_on_machine", (json_int_t)moves->migrated,
		"huge_pages_split_on_machine", (json_int_t)moves->split, "repeated", t.repeated,
		"lost_median", value_number(t.lost_median), "lost_worst", value_number(t.lost_max),
		"measure_again", undisturbed_again(r, op));
}

json_t *json_settling(const struct samples *r, int op)
{
	struct unsettled u;

	if (!r->ops[op].count || !settling_of(r, op, &u))
		return json_null();
	char *text = settling_text(r, op, &u);
	json_t *o = json_pack("{s:i, s:I, s:o, s:o, s:I, s:o}", "thread", u.thread, "placements",
		(json_int_t)u.placements, "from_s", value_number(u.from), "to_s",
		value_number(u.to), "samples", (json_int_t)u.samples, "text", value_string(text));

	free(text);
	return o;
}

json_t *json_clock(const struct samples *r, int op, int thread)
{
	struct clock_rates c;

	if (!r->ops || clock_rates(r, op, thread, &c))
		return json_null();
	return json_pack("{s:o, s:o, s:o, s:o, s:o}", "min_hz", value_number(c.min_hz), "median_hz",
		value_number(c.median_hz), "max_hz", value_number(c.max_hz), "changed",
		value_number(c.changed), "cycles_per_unit", value_number(c.cycles_per_unit));
}
