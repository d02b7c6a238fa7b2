/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads and writes result documents by the rows of their fields.
 *
 * run.h has the parts of a run. rows_*.c are the fields; fields.c writes and fields_read.c reads
 * any of them, stream.c piece by piece. figure.h is the door to figures with their marks, cells.c
 * to those of tables. programs.c and pairings.c read what affinity-map writes; named.c and files.c
 * find documents.
 */
#include "document/document.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/denied.h"
#include "document/parts.h"
#include "document/programs.h"
#include "document/quality.h"
#include "document/rows.h"
#include "document/value.h"

void document_own(struct document *d, void *memory)
{
	d->blocks = alloc_grow(d->blocks, d->nblocks, sizeof(*d->blocks));
	d->blocks[d->nblocks++] = memory;
}

void *document_list(struct document *d, size_t count, size_t size)
{
	void *list = alloc_zeroed(count + 1, size);

	document_own(d, list);
	return list;
}

const char *document_copy(struct document *d, const char *text)
{
	char *copy = document_list(d, strlen(text), 1);

	return memcpy(copy, text, strlen(text));
}

static int check_schema(const json_t *o, const char *path, struct errors *e)
{
	const char *program = json_string_value(json_object_get(o, "program"));
	const json_t *schema = json_object_get(o, "schema");
	json_int_t number = json_integer_value(schema);

	if (!program || strcmp(program, "affinity") || !json_is_integer(schema) ||
		!json_is_array(json_object_get(o, "runs"))) {
		error_add(e, STATUS_USAGE, (struct place){path, 0},
			"is not a result document of affinity");
		return error_hint(e, "affinity --json FILE ARGS OUT writes one");
	}
	if (number == DOCUMENT_SCHEMA && json_is_boolean(json_object_get(o, "quick")))
		return 0;
	if (number == DOCUMENT_SCHEMA)
		error_add(e, STATUS_USAGE, (struct place){path, 0},
			"does not say whether it is a quick trial");
	else
		error_add(e, STATUS_USAGE, (struct place){path, 0},
			"has schema %lld, this program reads schema %d", (long long)number,
			DOCUMENT_SCHEMA);
	return error_hint(e, "measure again, or use the version that wrote it");
}

/* What tells a run from others. */
struct print {
	uint64_t hash;
	size_t run;
};

static int compare_prints(const void *a, const void *b)
{
	const struct print *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return (x->run > y->run) - (x->run < y->run);
}

/* Marks runs that are an earlier run once more, to the last digit of each sample. Measurements are
 * never so alike: somebody joined two documents that both have it. Equal runs stand together in the
 * order of their hashes. Returns how many there are. */
static size_t find_repeated(struct document *d, const json_t *runs, bool *repeated)
{
	struct print *prints = alloc_zeroed(d->nruns + 1, sizeof(*prints));
	size_t n = 0, first = 0;

	for (size_t i = 0; i < d->nruns; i++) {
		prints[i] = (struct print){value_hash(json_array_get(runs, i)), i};
		d->hash += prints[i].hash;
	}
	qsort(prints, d->nruns, sizeof(*prints), compare_prints);
	for (size_t i = 1; i < d->nruns; i++) {
		if (prints[i].hash != prints[first].hash)
			first = i;
		else if (json_equal(json_array_get(runs, prints[i].run),
				 json_array_get(runs, prints[first].run)))
			n += repeated[prints[i].run] = true;
	}
	free(prints);
	return n;
}

static void warn_repeated(struct document *d, const char *label)
{
	char *text = alloc_format(
		"run%s%s is there more than once: it counts once", *label ? " " : "", label);

	d->warnings[d->nwarnings++].text = document_copy(d, text);
	free(text);
}

/* Of runs that are there more than once the first ones stay. */
static void drop_repeated(struct document *d, const json_t *runs)
{
	const size_t n = d->nruns;
	bool *repeated = alloc_zeroed(n + 1, sizeof(*repeated));
	const size_t dropped = find_repeated(d, runs, repeated);
	struct document_message *warnings =
		document_list(d, d->nwarnings + dropped, sizeof(*warnings));

	if (d->nwarnings)
		memcpy(warnings, d->warnings, d->nwarnings * sizeof(*warnings));
	d->warnings = warnings;
	d->nruns = 0;
	for (size_t i = 0; i < n; i++)
		if (repeated[i])
			warn_repeated(d, d->runs[i].label);
		else
			d->runs[d->nruns++] = d->runs[i];
	free(repeated);
}

/* A field that this version does not know is of a later one, which adds fields but changes none. */
static void warn_unknown(struct fields_reading *r)
{
	const size_t more = r->unknown - 1;

	if (more)
		error_add(r->errors, STATUS_OK, (struct place){r->path, 0},
			"has %zu fields that this version does not know: '%s' is the first",
			more + 1, r->first_unknown);
	else
		error_add(r->errors, STATUS_OK, (struct place){r->path, 0},
			"has a field that this version does not know: '%s'", r->first_unknown);
	error_hint(r->errors, "what it says is left out here; the version that wrote it reads it");
}

/* A run by its value of the row's variable, equal ones in the document's order. */
struct place_of_run {
	const char *value;
	size_t run;
};

static int by_value(const void *a, const void *b)
{
	const struct place_of_run *x = a, *y = b;
	const int by = strcmp(x->value, y->value);

	return by ? by : (x->run > y->run) - (x->run < y->run);
}

/* So that a cell's runs are found without looking at all. */
static void sort_runs(struct document *d, struct document_table *t)
{
	struct place_of_run *runs = document_list(d, d->nruns, sizeof(*runs));
	size_t n = 0;

	for (size_t i = 0; i < d->nruns; i++) {
		const char *value = document_value(&d->runs[i], t->row_axis);

		if (value)
			runs[n++] = (struct place_of_run){value, i};
	}
	if (n < d->nruns)
		return;
	qsort(runs, n, sizeof(*runs), by_value);
	t->by_row = document_list(d, n, sizeof(*t->by_row));
	for (size_t i = 0; i < n; i++)
		t->by_row[i] = runs[i].run;
}

void document_finish(struct document *d)
{
	for (size_t i = 0; i < d->nruns; i++)
		if (!d->runs[i].skipped && !d->runs[i].method.mode)
			d->runs[i].method = d->method;
	for (size_t i = 0; i < d->ntables; i++)
		sort_runs(d, &d->tables[i]);
}

static int read_all(struct document *d, json_t *o, struct errors *e)
{
	struct fields_reading r = {.document = d, .path = d->path, .errors = e};
	const int failed = fields_read(&r, &document_fields, o, d);

	if (!failed) {
		drop_repeated(d, json_object_get(o, "runs"));
		document_finish(d);
	}
	if (!failed && r.unknown)
		warn_unknown(&r);
	free(r.first_unknown);
	return failed;
}

/* What affinity-map writes is of programs. */
static bool is_of_programs(const json_t *o)
{
	const char *program = json_string_value(json_object_get(o, "program"));

	return program && !strncmp(program, "affinity-map", strlen("affinity-map"));
}

static int refuse_programs(const char *path, struct errors *e)
{
	error_add(e, STATUS_USAGE, (struct place){path, 0},
		"is a result of affinity-map: it has times of programs, not costs of kernels");
	return error_hint(e, "affinity --compare, --history and affinity-report take it");
}

/* source: what jansson made of it, or NULL and why, with errno's value. */
static int take_parsed(struct document *d, const char *path, json_t *source,
	const json_error_t *why, int code, struct errors *e)
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
	return check_schema(source, path, e) ? -1 : read_all(d, source, e);
}

int document_read_any(struct document *d, const char *path, struct errors *e)
{
	json_error_t why;
	json_t *source = json_load_file(path, 0, &why);

	return take_parsed(d, path, source, &why, errno, e);
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

int document_write(const struct document *d, FILE *out)
{
	struct stream s = {.out = out};

	fields_write(&s, NULL, &document_fields, d);
	fputc('\n', out);
	return s.failed ? -1 : 0;
}

void document_free(struct document *d)
{
	for (size_t i = 0; i < d->nblocks; i++)
		free(d->blocks[i]);
	free(d->blocks);
	findings_free(&d->findings);
	if (!d->borrowed)
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

struct document_sample document_sample(const struct document_job *j, size_t i)
{
	if (j->sample)
		return j->sample(j, i);
	return i < j->nsamples ? j->samples[i] : j->counted[i - j->nsamples];
}

/* A cost ends with the work. That of a unit says nothing of the begin: a thread is late for its
 * start, or for the end of its sleep. */
double document_begin_s(const struct document_run *r, const struct document_job *j, size_t sample)
{
	const struct document_sample s = document_sample(j, sample);
	const double planned = fmax(j->sleep_s, (double)s.late_ns * 1e-9);

	return r->method.per_unit ? fmax(planned, j->sleep_s + s.lost_before_s)
				  : s.cost_s - s.busy_s;
}

const struct document_operation *document_operation(const struct document_run *r, const char *name)
{
	for (size_t i = 0; i < r->operations.count; i++)
		if (!strcmp(r->operations.list[i].name, name))
			return &r->operations.list[i];
	return NULL;
}

bool document_has_classes(const struct document_table *t)
{
	bool several = false;

	for (size_t i = 0; i < t->nclasses; i++)
		several |= t->classes[i].measured > 1;
	return several;
}

const struct document_run *document_measured(const struct document *d, const char *label)
{
	for (size_t i = 0; label && i < d->nruns; i++)
		if (!d->runs[i].skipped && !strcmp(d->runs[i].label, label))
			return &d->runs[i];
	return NULL;
}
