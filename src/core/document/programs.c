/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads what affinity-map wrote: results/schema-map-1.json, results/schema-try-1.json. */
#include "document/programs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "statistics/intervals.h"
#include "document/facts.h"
#include "document/members.h"
#include "document/parts.h"
#include "document/value.h"
#include "system/environment.h"

#define CONFIDENCE 0.95

static void read_warnings(struct document *d, const json_t *list)
{
	d->nwarnings = json_array_size(list);
	d->warnings = document_list(d, d->nwarnings, sizeof(*d->warnings));
	for (size_t i = 0; i < d->nwarnings; i++) {
		const json_t *o = json_array_get(list, i);

		d->warnings[i] = (struct document_message){
			document_text_or_empty(o, "text"), document_text(o, "hint")};
	}
}

static int damaged(const struct document *d, const char *what, struct errors *e)
{
	error_add(e, STATUS_USAGE, (struct place){d->path, 0}, "%s", what);
	return error_hint(e, "it is of an earlier version or damaged: measure again");
}

/* One run of a program; a figure that should be large costs its inverse. */
static double cost_of(const struct document *d, const json_t *sample)
{
	const double value = json_is_number(sample) ? json_number_value(sample)
						    : document_number(sample, "wall_s");

	return d->larger ? 1 / value : value;
}

static struct amount read_samples(struct document *d, struct document_job *j, const json_t *list)
{
	const size_t n = json_array_size(list);
	double *costs = document_list(d, n, sizeof(*costs));

	j->samples = document_list(d, n, sizeof(*j->samples));
	j->nsamples = n;
	for (size_t i = 0; i < n; i++) {
		costs[i] = cost_of(d, json_array_get(list, i));
		j->samples[i] = (struct document_sample){
			.cost_s = costs[i], .busy_s = costs[i], .placement = (int64_t)i};
	}
	return interval_of_values(costs, n, CONFIDENCE);
}

/* The last of the programs to end decides. */
static struct amount slowest(struct document *d, const struct document_operation *o)
{
	size_t n = o->jobs[0].nsamples;
	double *most;

	for (size_t k = 1; k < o->njobs; k++)
		n = o->jobs[k].nsamples < n ? o->jobs[k].nsamples : n;
	most = document_list(d, n, sizeof(*most));
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < o->njobs; k++)
			most[i] = fmax(most[i], o->jobs[k].samples[i].cost_s);
	return interval_of_values(most, n, CONFIDENCE);
}

static const struct document_figures no_figures = {.spread = NAN,
	.sd_s = NAN,
	.median_s = NAN,
	.mad_s = NAN,
	.min_s = NAN,
	.max_s = NAN,
	.cv = NAN,
	.units = 1,
	.calls = NAN,
	.ns_per_unit = NAN,
	.units_per_s = NAN,
	.bytes_per_s = NAN,
	.traffic_bytes_per_s = NAN};

static void read_job(struct document *d, struct document_job *j, const json_t *samples)
{
	*j = (struct document_job){.kernel = "program",
		.chose = "",
		.unit = "run",
		.order = "",
		.loop = "",
		.held = "",
		.times_caches = NAN,
		.passes = 1,
		.figures = no_figures};
	j->figures.cost = read_samples(d, j, samples);
	j->figures.n = (int64_t)j->nsamples;
	j->figures.mean_s = j->figures.busy_s = j->figures.cost.value;
}

/* of: a list of samples, or programs with samples. */
static void read_operation(struct document *d, struct document_operation *o, const json_t *of)
{
	const bool several = json_is_object(json_array_get(of, 0));

	*o = (struct document_operation){.name = several ? "programs" : "program",
		.ended_by = "",
		.skew_median_ns = NAN,
		.skew_max_ns = NAN,
		.njobs = several ? json_array_size(of) : 1};
	o->jobs = document_list(d, o->njobs, sizeof(*o->jobs));
	for (size_t k = 0; k < o->njobs; k++) {
		const json_t *samples = json_object_get(json_array_get(of, k), "samples");

		read_job(d, &o->jobs[k], several ? samples : of);
		o->samples.taken += (int64_t)o->jobs[k].nsamples;
	}
	o->cost_of_all = slowest(d, o);
	o->together.ns_per_unit = o->together.units_per_s = o->together.bytes_per_s =
		o->together.traffic = AMOUNT_NONE;
}

/* Adds a run, which takes the label; why: of one without a sample. */
static void add_run(struct document *d, char *label, const json_t *of, const char *why)
{
	struct document_run *r = &d->runs[d->nruns++];
	struct document_operation *o = document_list(d, 1, sizeof(*o));

	read_operation(d, o, of);
	*r = (struct document_run){.label = label,
		.method = d->method,
		.nthreads = o->njobs,
		.operations = {o, o->samples.taken > 0},
		.values = {document_list(d, 1, sizeof(*r->values.list)), 1},
		.skipped = o->samples.taken ? NULL
			   : why            ? why
					    : "it never ran to its end"};
	r->values.list[0] = (struct document_pair){"placement", label};
	r->threads = document_list(d, r->nthreads, sizeof(*r->threads));
	for (size_t k = 0; k < r->nthreads; k++)
		r->threads[k] = (struct document_thread){.node = -1, .core = -1, .cpu = -1};
	document_own(d, label);
	d->hash += of ? value_hash(of) : 0;
}

static char *copy_member(const json_t *o, const char *key)
{
	const char *text = document_text(o, key);

	return alloc_string(text ? text : "", text ? strlen(text) : 0);
}

static const char *program_name(const struct document *d, const json_t *number)
{
	const size_t i = (size_t)json_integer_value(number);

	return i < d->nprograms ? d->programs[i].name : "";
}

static void add_mappings(struct document *d, const json_t *list, const json_t *pair)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *o = json_array_get(list, i);
		char *label = copy_member(o, "mapping");

		if (pair) {
			char *mapping = label;

			label = alloc_format("%s + %s, %s",
				program_name(d, json_array_get(pair, 0)),
				program_name(d, json_array_get(pair, 1)), mapping);
			free(mapping);
		}
		add_run(d, label, json_object_get(o, "programs"), NULL);
	}
}

static void add_runs(struct document *d, const json_t *o)
{
	const json_t *candidates = json_object_get(o, "candidates"),
		     *mappings = json_object_get(o, "mappings"),
		     *pairs = json_object_get(o, "pairs");
	size_t most = json_array_size(candidates) + json_array_size(mappings);

	for (size_t i = 0; i < json_array_size(pairs); i++)
		most += json_array_size(json_object_get(json_array_get(pairs, i), "mappings"));
	d->runs = document_list(d, most, sizeof(*d->runs));
	for (size_t i = 0; i < json_array_size(candidates); i++) {
		const json_t *c = json_array_get(candidates, i);

		add_run(d, copy_member(c, "name"), json_object_get(c, "values"),
			document_text(c, "failure"));
	}
	add_mappings(d, mappings, NULL);
	for (size_t i = 0; i < json_array_size(pairs); i++) {
		const json_t *pair = json_array_get(pairs, i);

		add_mappings(
			d, json_object_get(pair, "mappings"), json_object_get(pair, "programs"));
	}
}

static void read_list(struct document *d, const json_t *list)
{
	d->nprograms = json_array_size(list);
	d->programs = document_list(d, d->nprograms, sizeof(*d->programs));
	for (size_t i = 0; i < d->nprograms; i++) {
		const json_t *o = json_array_get(list, i);

		d->programs[i] = (struct document_program){document_text_or_empty(o, "name"),
			document_text_or_empty(o, "file"),
			document_texts(d, json_object_get(o, "command"))};
	}
}

/* What all of them have for people: the cost of each placement and program. */
static void add_table(struct document *d)
{
	const size_t columns = d->runs[0].operations.list->njobs;
	struct document_table *t = document_list(d, 1, sizeof(*t));

	*t = (struct document_table){.shown = SHOWN_TABLE,
		.quantity = "cost",
		.id = QUANTITY_COST,
		.unit = "s",
		.operation = d->runs[0].operations.list->name,
		.thread = -1,
		.row_axis = "placement",
		.column_axis = columns > 1 ? "thread" : "",
		.rows_are = AXIS_VARIABLE,
		.columns_are = columns > 1 ? AXIS_THREAD : AXIS_NONE,
		.rows = {document_list(d, d->nruns, sizeof(char *)), d->nruns},
		.columns = {document_list(d, columns, sizeof(char *)), columns}};
	t->cells = document_list(d, d->nruns * columns, sizeof(*t->cells));
	for (size_t i = 0; i < d->nruns; i++) {
		const struct document_operation *o = d->runs[i].operations.list;

		t->rows.list[i] = d->runs[i].label;
		for (size_t k = 0; k < columns; k++)
			t->cells[i * columns + k] =
				k < o->njobs ? o->jobs[k].figures.cost : AMOUNT_NONE;
	}
	for (size_t k = 0; k < columns; k++)
		t->columns.list[k] = columns < 2               ? ""
				     : columns == d->nprograms ? d->programs[k].name
				     : k                       ? "second"
							       : "first"; /* of the row's pair */
	d->tables = t;
	d->ntables = 1;
}

int document_read_programs(struct document *d, void *json, struct errors *e)
{
	json_t *o = json;
	json_t *environment = json_object_get(o, "environment");

	if (!json_is_object(environment))
		return damaged(d, "does not say on which machine it was measured", e);
	facts_read(&d->environment, environment);
	d->simulated = environment_simulated(&d->environment) != NULL;
	d->interrupted = json_is_true(json_object_get(o, "interrupted"));
	d->elapsed_s = document_number(o, "elapsed_s");
	read_warnings(d, json_object_get(o, "warnings"));
	d->figure = document_text(o, "figure");
	d->figure_unit = document_text(o, "figure_unit");
	d->larger = json_is_true(json_object_get(o, "larger"));
	d->method = (struct document_method){.mode = "work",
		.cost = d->figure ? "figure" : "seconds",
		.summary = "samples",
		.statistic = "geometric mean",
		.window_s = NAN,
		.confidence = CONFIDENCE,
		.target_error = NAN,
		.placements = 1,
		.seed = json_integer_value(json_object_get(o, "seed"))};
	read_list(d, json_object_get(o, "programs"));
	add_runs(d, o);
	if (!d->nprograms || !d->nruns)
		return damaged(d, "has no program, or no run of one", e);
	for (size_t i = 0; i < d->nruns; i++)
		if (d->runs[i].nthreads > d->nprograms)
			return damaged(d, "has a run of programs that it does not name", e);
	d->arguments.path = d->programs[0].name;
	if (!d->figure)
		add_table(d);
	return 0;
}
