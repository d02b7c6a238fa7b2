/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads result documents: the file, its head, and the types that all parts use. */
#include "document/document.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/denied.h"
#include "document/facts.h"
#include "document/parts.h"
#include "document/quality.h"
#include "document/programs.h"
#include "document/value.h"

/* No other was ever released. */
#define SCHEMA 3

void *document_list(struct document *d, size_t count, size_t size)
{
	void *list = alloc_zeroed(count + 1, size);

	d->blocks = alloc_grow(d->blocks, d->nblocks, sizeof(*d->blocks));
	d->blocks[d->nblocks++] = list;
	return list;
}

const char *document_text(const json_t *o, const char *key)
{
	return json_string_value(json_object_get(o, key));
}

const char *document_text_or_empty(const json_t *o, const char *key)
{
	const char *text = document_text(o, key);

	return text ? text : "";
}

double document_number(const json_t *o, const char *key)
{
	const json_t *value = json_object_get(o, key);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

int64_t document_whole(const json_t *o, const char *key)
{
	return json_integer_value(json_object_get(o, key));
}

bool document_flag(const json_t *o, const char *key)
{
	return json_is_true(json_object_get(o, key));
}

struct amount document_amount(const json_t *o)
{
	return (struct amount){
		document_number(o, "value"), document_number(o, "low"), document_number(o, "high")};
}

struct document_texts document_texts(struct document *d, const json_t *list)
{
	size_t count = json_array_size(list);
	struct document_texts t = {document_list(d, count, sizeof(*t.list)), count};

	for (size_t i = 0; i < count; i++) {
		const char *text = json_string_value(json_array_get(list, i));

		t.list[i] = text ? text : "";
	}
	return t;
}

struct document_pairs document_pairs(struct document *d, json_t *o)
{
	struct document_pairs p = {
		document_list(d, json_object_size(o), sizeof(*p.list)), json_object_size(o)};
	const char *name;
	json_t *value;
	size_t i = 0;

	json_object_foreach (o, name, value) {
		const char *text = json_string_value(value);

		p.list[i++] = (struct document_pair){name, text ? text : ""};
	}
	return p;
}

void document_read_warnings(struct document *d, const json_t *list)
{
	const json_t *message;
	size_t i;

	d->nwarnings = json_array_size(list);
	d->warnings = document_list(d, d->nwarnings, sizeof(*d->warnings));
	json_array_foreach (list, i, message) {
		const char *text = document_text(message, "text");

		d->warnings[i] =
			(struct document_message){text ? text : "", document_text(message, "hint")};
	}
}

static void read_families(struct document *d, struct document_method *m, json_t *o)
{
	const char *name;
	json_t *f;

	m->families = document_list(d, json_object_size(o), sizeof(*m->families));
	json_object_foreach (o, name, f)
		m->families[m->nfamilies++] = (struct document_family){name,
			document_flag(f, "shared"), document_text(f, "reason"),
			document_whole(f, "figures"), document_whole(f, "runs")};
}

void document_read_method(struct document *d, struct document_method *m, const json_t *o)
{
	*m = (struct document_method){
		.mode = document_text(o, "mode"),
		.cost = document_text(o, "cost"),
		.summary = document_text(o, "summary"),
		.statistic = document_text(o, "statistic"),
		.stopped_by = document_text(o, "stopped_by"),
		.window_s = document_number(o, "window_s"),
		.confidence = document_number(o, "confidence"),
		.target_error = document_number(o, "target_error"),
		.iterations = document_whole(o, "iterations"),
		.warmup = document_whole(o, "warmup"),
		.settled = json_is_null(json_object_get(o, "warmup")),
		.placements = 1,
		.seed = document_whole(o, "seed"),
		.placements_most = document_whole(o, "placements_most"),
		.runs_to_choose_from = document_whole(o, "runs_to_choose_from"),
		.placements_error = document_number(o, "placements_error"),
		.interleave = document_flag(o, "interleave"),
	};
	if (json_object_get(o, "placements"))
		m->placements = document_whole(o, "placements");
	read_families(d, m, json_object_get(o, "families"));
	m->per_unit = m->mode && !strcmp(m->mode, "time");
}

/* What affinity-map writes is of programs. */
static bool is_of_programs(const json_t *o)
{
	const char *program = document_text(o, "program");

	return program && !strncmp(program, "affinity-map", strlen("affinity-map"));
}

static int check(const json_t *o, const char *path, struct errors *e)
{
	const char *program = document_text(o, "program");
	const json_t *schema = json_object_get(o, "schema");
	json_int_t number = json_integer_value(schema);

	if (!program || strcmp(program, "affinity") || !json_is_integer(schema) ||
		!json_is_array(json_object_get(o, "runs"))) {
		error_add(e, STATUS_USAGE, (struct place){path, 0},
			"is not a result document of affinity");
		return error_hint(e, "affinity --json FILE ARGS OUT writes one");
	}
	if (number == SCHEMA && json_is_boolean(json_object_get(o, "quick")))
		return 0;
	if (number == SCHEMA)
		error_add(e, STATUS_USAGE, (struct place){path, 0},
			"does not say whether it is a quick trial");
	else
		error_add(e, STATUS_USAGE, (struct place){path, 0},
			"has schema %lld, this program reads schema %d", (long long)number, SCHEMA);
	return error_hint(e, "measure again, or use the version that wrote it");
}

static int read_all(struct document *d, const json_t *o, struct errors *e)
{
	const json_t *arguments = json_object_get(o, "arguments");

	d->simulated = document_flag(o, "simulated");
	d->quick = document_flag(o, "quick");
	d->interrupted = document_flag(o, "interrupted");
	d->elapsed_s = document_number(o, "elapsed_s");
	facts_read(&d->environment, json_object_get(o, "environment"));
	d->arguments.path = document_text(arguments, "path");
	d->arguments.text = document_text(arguments, "text");
	d->arguments.set = document_texts(d, json_object_get(arguments, "set"));
	d->trust.conditions = document_text(json_object_get(o, "trust"), "conditions");
	d->trust.text = document_text(json_object_get(o, "trust"), "text");
	document_read_warnings(d, json_object_get(o, "warnings"));
	document_read_method(d, &d->method, json_object_get(o, "method"));
	document_read_counting(d, json_object_get(o, "counting"));
	document_read_lacking(d, json_object_get(o, "tables_lacking"));
	if (document_read_runs(d, json_object_get(o, "runs"), e))
		return -1;
	if (document_read_claims(d, json_object_get(o, "claims"), e))
		return -1;
	return document_read_tables(d, json_object_get(o, "tables"), e);
}

static int refuse_programs(const char *path, struct errors *e)
{
	error_add(e, STATUS_USAGE, (struct place){path, 0},
		"is a result of affinity-map: it has times of programs, not costs of kernels");
	return error_hint(e, "affinity --compare, --history and affinity-report take it");
}

/* source: what jansson made of it, or NULL and why, with errno's value. */
static int take(struct document *d, const char *path, json_t *source, const json_error_t *why,
	int code, struct errors *e)
{
	*d = (struct document){.path = alloc_string(path, strlen(path)), .source = source};
	if (!source && json_error_code(why) == json_error_cannot_open_file) {
		error_add(e, STATUS_USAGE, (struct place){path, 0}, "cannot be read: %s",
			strerror(code));
		error_hint(e, "results are the files that --json wrote");
		return denied_hint(path, code, e);
	}
	if (!source) {
		error_add(e, STATUS_USAGE, (struct place){path, why->line > 0 ? why->line : 0},
			"cannot be read as JSON: %s", why->text);
		return error_hint(e, "a file that was cut short must be measured again");
	}
	value_show_controls(source);
	if (is_of_programs(source))
		return document_read_programs(d, source, e);
	return check(source, path, e) ? -1 : read_all(d, source, e);
}

int document_read_any(struct document *d, const char *path, struct errors *e)
{
	json_error_t why;
	json_t *source = json_load_file(path, 0, &why);

	return take(d, path, source, &why, errno, e);
}

int document_read(struct document *d, const char *path, struct errors *e)
{
	const int failed = document_read_any(d, path, e);

	return !failed && d->nprograms ? refuse_programs(path, e) : failed;
}

int document_read_times(struct document *d, const char *path, struct errors *e)
{
	const int failed = document_read_any(d, path, e);

	if (failed || !d->figure)
		return failed;
	error_add(e, STATUS_USAGE, (struct place){path, 0},
		"has figures that the program prints ('%s'), and no times", d->figure);
	return error_hint(e, "affinity --compare and --history take it");
}

int document_parse(
	struct document *d, const char *path, const char *text, size_t length, struct errors *e)
{
	json_error_t why;
	json_t *source = json_loadb(text, length, 0, &why);

	return take(d, path, source, &why, 0, e);
}

void document_free(struct document *d)
{
	for (size_t i = 0; i < d->nruns; i++)
		free(d->runs[i].label);
	for (size_t i = 0; i < d->nblocks; i++)
		free(d->blocks[i]);
	free(d->blocks);
	findings_free(&d->findings);
	environment_free(&d->environment);
	json_decref(d->source);
	free(d->path);
	*d = (struct document){0};
}

bool document_equal_runs(const struct document *a, const struct document *b)
{
	return a->hash == b->hash &&
	       json_equal(json_object_get(a->source, "runs"), json_object_get(b->source, "runs"));
}

const char *document_fact(const struct document *d, const char *name)
{
	const char *value = environment_get(&d->environment, name);

	return value ? value : NOT_RECORDED;
}

bool document_simulated(const struct document *d)
{
	static const char *const not_simulated[] = {"", "no", "unknown", NOT_RECORDED};
	const char *simulated = document_fact(d, "simulated");

	for (size_t i = 0; i < sizeof(not_simulated) / sizeof(*not_simulated); i++)
		if (!strcmp(simulated, not_simulated[i]))
			return false;
	return true;
}

const char *document_value(const struct document_run *r, const char *variable)
{
	for (size_t i = 0; i < r->values.count; i++)
		if (!strcmp(r->values.list[i].name, variable))
			return r->values.list[i].value;
	return NULL;
}

/* A cost ends with the work. That of a unit says nothing of the begin: a thread is late for its
 * start, or for the end of its sleep. */
double document_begin_s(const struct document_run *r, const struct document_job *j, size_t sample)
{
	const struct document_sample *s = &j->samples[sample];
	const double planned = fmax(j->sleep_s, (double)s->late_ns * 1e-9);

	return r->method.per_unit ? fmax(planned, j->sleep_s + s->lost_before_s)
				  : s->cost_s - s->busy_s;
}

const struct document_operation *document_operation(const struct document_run *r, const char *name)
{
	for (size_t i = 0; i < r->operations.count; i++)
		if (!strcmp(r->operations.list[i].name, name))
			return &r->operations.list[i];
	return NULL;
}

const struct document_run *document_measured(const struct document *d, const char *label)
{
	for (size_t i = 0; label && i < d->nruns; i++)
		if (!d->runs[i].skipped && !strcmp(d->runs[i].label, label))
			return &d->runs[i];
	return NULL;
}
