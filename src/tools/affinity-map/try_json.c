/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The result of a race, for programs. */
#include <math.h>
#include <stdlib.h>
#include <sys/utsname.h>

#include "base/alloc.h"
#include "base/version.h"
#include "affinity-map/json.h"
#include "affinity-map/try.h"

static json_t *values(const struct try *t, const struct race_candidate *c)
{
	json_t *list = json_array();

	for (size_t k = 0; k < c->rounds; k++)
		json_array_append_new(
			list, value_number(exp(t->measure.larger ? -c->logs[k] : c->logs[k])));
	return list;
}

static json_t *candidate(const struct try *t, size_t i)
{
	const struct race_candidate *c = &t->race.list[i];
	const char *result = t->failed[i] ? "failed" : c->live ? "left" : "dropped";

	const struct try_place *place = &t->places[i];

	return json_pack("{s:o, s:o, s:s, s:o, s:I, s:o, s:o, s:o, s:o, s:o}", "name",
		value_string(t->candidates.list[i].name), "command",
		value_string(t->candidates.list[i].command), "result", result, "failure",
		t->failed[i] ? value_string(t->failed[i]) : json_null(), "rounds",
		(json_int_t)c->rounds, "mean", value_number(try_mean(t, i)), "ratio_to_leader",
		value_amount(race_ratio(&t->race, i)), "values", values(t, c), "place",
		place->text ? value_string(place->text) : json_null(), "not_as_asked",
		place->fault ? value_string(place->fault) : json_null());
}

static json_t *ranking(const struct try *t)
{
	size_t *order = alloc_zeroed(t->candidates.n, sizeof(*order));
	json_t *list = json_array();

	try_order(t, order);
	for (size_t k = 0; k < t->candidates.n; k++)
		json_array_append_new(list, candidate(t, order[k]));
	free(order);
	return list;
}

static json_t *left_out(const struct try *t)
{
	json_t *list = json_array();

	for (size_t i = 0; i < t->candidates.nleft_out; i++)
		json_array_append_new(list, value_string(t->candidates.left_out[i]));
	return list;
}

int try_json(const struct try *t, FILE *out)
{
	struct utsname system = {.nodename = ""};
	char *ending = try_ending(t);

	uname(&system);
	json_t *document = json_pack(
		"{s:i, s:s, s:s, s:o, s:o, s:o, s:o, s:b, s:[o,o*], s:o, s:o, s:o, "
		"s:b, s:f, s:f, s:f, s:f, s:I, s:I, s:o, s:o, s:o, s:o}",
		"schema", 1, "program", "affinity-map --try", "affinity_version", AFFINITY_VERSION,
		"host", value_string(system.nodename), "kernel", value_string(system.release),
		"topology_source", value_string(t->topo->source), "environment",
		map_json_environment(t->topo), "interrupted", t->end == TRY_INTERRUPTED, "programs",
		map_json_command(&t->app), t->other.path ? map_json_command(&t->other) : NULL,
		"command", value_string(t->candidates.list[0].command), "figure",
		t->measure.figure ? value_string(t->options->figure) : json_null(), "figure_unit",
		t->measure.figure ? value_string(t->unit) : json_null(), "larger",
		t->measure.larger, "tolerance", t->race.tolerance, "errors", t->race.errors,
		"budget_s", (double)t->options->budget_ns * 1e-9, "elapsed_s", t->spent_s, "rounds",
		(json_int_t)t->race.rounds, "seed", (json_int_t)t->seed, "ending",
		value_string(ending), "left_out", left_out(t), "candidates", ranking(t), "warnings",
		value_messages(t->warnings));
	free(ending);
	return value_write(document, out);
}
