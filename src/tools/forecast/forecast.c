/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Predictions as JSON, and their end.
 *
 * Each of forecast, advised and worth is plain data with writers: *_text.c for people, the others
 * for programs.
 */
#include "forecast/forecast.h"

#include <stdlib.h>

#include "describe/describe.h"
#include "document/value.h"

void forecast_mark(const struct forecast *f, char mark[FORECAST_MARK])
{
	const char *const marks[] = {f->other_machine ? "of another machine" : NULL,
		f->simulated ? "simulated" : NULL, f->disturbed ? "disturbed" : NULL};
	int n = 0;

	*mark = '\0';
	for (int i = 0; i < 3; i++)
		if (marks[i])
			n += snprintf(mark + n, (size_t)(FORECAST_MARK - n), "%s%s", n ? ", " : "",
				marks[i]);
}

static json_t *threads(const struct forecast_operation *o)
{
	json_t *list = json_array();

	for (size_t i = 0; i < o->count && !o->refused; i++) {
		const struct forecast_thread *t = &o->threads[i];

		json_array_append_new(
			list, json_pack("{s:s, s:i, s:o, s:o}", "kernel", t->kernel, "node",
				      t->node, "memory_node",
				      t->memory < 0 ? json_null() : json_integer(t->memory),
				      "predicted_s", value_amount(t->cost)));
	}
	return list;
}

static json_t *operations(const struct forecast_run *r)
{
	json_t *list = json_array();

	for (size_t i = 0; i < r->count; i++) {
		const struct forecast_operation *o = &r->operations[i];

		json_array_append_new(
			list, json_pack("{s:s, s:s?, s:b, s:b, s:o}", "operation", o->name,
				      "refused", o->refused, "assumed", o->assumed, "as_alone",
				      o->as_alone, "threads", threads(o)));
	}
	return list;
}

static json_t *forecast_runs_json(const struct forecast *f)
{
	json_t *list = json_array();

	for (size_t i = 0; i < f->nruns; i++) {
		const struct forecast_run *r = &f->runs[i];

		json_array_append_new(list,
			json_pack("{s:o, s:o, s:s, s:o}", "run", value_string(r->label), "skipped",
				r->skipped ? value_string(r->skipped) : json_null(), "per", r->per,
				"operations", operations(r)));
	}
	return list;
}

static json_t *parameters(const struct forecast *f)
{
	json_t *list = json_array();

	for (size_t i = 0; i < f->nparameters; i++)
		json_array_append_new(
			list, json_pack("{s:o, s:o, s:o, s:b}", "parameter",
				      value_string(f->parameters[i].name), "value",
				      value_number(f->parameters[i].value), "relative_error",
				      value_number(f->parameters[i].error), "assumed",
				      f->parameters[i].assumed));
	return list;
}

static json_t *rules(const struct forecast *f)
{
	json_t *list = json_array();

	for (size_t i = 0; i < f->nrules; i++)
		json_array_append_new(list, json_pack("{s:s, s:I, s:o, s:o}", "of", f->rules[i].of,
						    "runs", (json_int_t)f->rules[i].runs, "queues",
						    value_number(f->rules[i].queues), "alone",
						    value_number(f->rules[i].alone)));
	return list;
}

char *forecast_json(const struct forecast *f)
{
	json_t *o = describe_begin("affinity --predict"), *files = json_array();

	for (size_t i = 0; i < f->profile->count; i++)
		json_array_append_new(files, value_string(f->profile->word[i]));
	json_object_update_new(
		o, json_pack("{s:b, s:o, s:o, s:I, s:b, s:b, s:b, s:b, s:f, s:o, s:o, s:o}",
			   "predicted", 1, "arguments", value_string(f->args), "profile", files,
			   "learned", (json_int_t)f->learned, "fitted", f->fitted, "other_machine",
			   f->other_machine, "simulated", f->simulated, "disturbed", f->disturbed,
			   "confidence", f->confidence, "left_out", rules(f), "parameters",
			   parameters(f), "runs", forecast_runs_json(f)));
	return describe_text(o);
}

void forecast_free(struct forecast *f)
{
	for (size_t i = 0; i < f->nparameters; i++)
		free(f->parameters[i].name);
	free(f->parameters);
	for (size_t i = 0; i < f->nruns; i++) {
		for (size_t k = 0; k < f->runs[i].count; k++) {
			free(f->runs[i].operations[k].refused);
			free(f->runs[i].operations[k].threads);
		}
		free(f->runs[i].operations);
	}
	free(f->runs);
	*f = (struct forecast){0};
}
