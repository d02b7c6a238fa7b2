/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The form of each fact that is more than a text, and the one formatter for people. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/text.h"
#include "system/fact.h"

#define TEXT(name, none)                                   \
	{                                                  \
		name, NULL, FACT_TEXT, NULL, NULL, none, 0 \
	}
#define NUMBER(name, key, shape, none)                       \
	{                                                    \
		name, key, FACT_NUMBER, shape, NULL, none, 0 \
	}
#define PERCENT(name, none) NUMBER(name, name "_percent", "{n.2} %", none)
#define FLAG(name, yes, no)                             \
	{                                               \
		name, NULL, FACT_FLAG, yes, no, NULL, 0 \
	}
#define RATE(name)                                                            \
	{                                                                     \
		name, name "_hz", FACT_BY_CPUS, "{hz:9} GHz", NULL, NULL, 1e9 \
	}
/* RECORD, RECORDS, TEXTS, MATRIX, PAIRS */
#define ROWS(name, kind, shape, between, none)                   \
	{                                                        \
		name, NULL, FACT_##kind, shape, between, none, 0 \
	}

static const struct fact_form text_form = TEXT(NULL, NULL);

static const struct fact_form forms[] = {
	TEXT("simulated", "no"),
	NUMBER("cpu_stepping", NULL, "{n}", NULL),
	ROWS("memory_modules", RECORDS, "{count} x {bytes} {*type}", ", ", NULL),
	{"frequency_governor", NULL, FACT_BY_CPUS, "{*governor}", NULL, NULL, 0},
	RATE("frequency_nominal"),
	RATE("frequency_min"),
	RATE("frequency_max"),
	RATE("frequency_limit_min"),
	RATE("frequency_limit_max"),
	TEXT("isolated_cpus", "none"),
	TEXT("nohz_full_cpus", "none"),
	NUMBER("nice", NULL, "{n}", NULL),
	NUMBER("real_time_limit", "real_time_limit_percent", "{n:6} %", "no limit"),
	FLAG("boost", "1", "0"),
	FLAG("intel_no_turbo", "1", "0"),
	FLAG("virtual_machine", "yes", "no"),
	ROWS("transparent_huge_page_sizes", RECORDS, "{bytes} {*setting}", ", ", "none"),
	NUMBER("numa_balancing", NULL, "{n}", NULL),
	NUMBER("perf_event_paranoid", NULL, "{n}", NULL),
	ROWS("load_average", RECORD,
		"{one_minute.2} {five_minutes.2} {fifteen_minutes.2} {threads_running}/{threads}",
		NULL, NULL),
	ROWS("topology", RECORD,
		"{nodes} node(s), {packages} package(s), {cores} core(s), {cpus} CPU(s)", NULL,
		NULL),
	ROWS("node_cpus", RECORDS, "{node}: {*cpus}", "; ", "none"),
	ROWS("caches", RECORDS, "L{level} |{bytes} x {count}", ", | and ", NULL),
	ROWS("cache_line", RECORD, "{bytes}{assumed?, assumed: the machine gives none}", NULL,
		NULL),
	ROWS("core_kinds", TEXTS, "{*kind}", ", ", "alike or not known"),
	ROWS("node_distances", MATRIX, "{n}", "; ", NULL),
	NUMBER("control_group_memory_left", "control_group_memory_left_bytes", "{~bytes}",
		"no limit"),
	ROWS("huge_page_pools", RECORDS, "node {node}: {pages} of {page_bytes}", ", ", "none"),
	NUMBER("cpu_quota", "cpu_quota_cpus", "{n:6} CPU(s)", "no limit"),
	ROWS("clock", RECORD, "{read_ns.1} ns to read, {step_ns.0} ns step", NULL, NULL),
	ROWS("openmp_environment", PAIRS, "{*name}", "=", "none"),
	ROWS("libraries", PAIRS, "{*name}", " ", NULL),
	ROWS("c_library", PAIRS, "{*name}", "=", NULL),
	PERCENT("steal_during_run", NULL),
	PERCENT("others_load_during_run", NULL),
	PERCENT("kernel_load_during_run", NULL),
	PERCENT("others_load_on_core_during_run", "no other CPU"),
	PERCENT("others_load_under_cache_during_run", "no other CPU"),
	PERCENT("others_load_on_node_during_run", "no other CPU"),
	ROWS("throttled_during_run", RECORD, "{seconds:6} s in {periods} period(s)", NULL, "0 s"),
	PERCENT("steal_during_check", NULL),
	PERCENT("others_load_during_check", NULL),
	PERCENT("kernel_load_during_check", NULL),
	TEXT("busy_cpus_during_check", "none"),
	ROWS("throttled_during_check", RECORD, "{seconds:6} s in {periods} period(s)", NULL, "0 s"),
};

#define FORMS (sizeof(forms) / sizeof(*forms))

const char *fact_name(const char *key)
{
	for (size_t i = 0; i < FORMS; i++)
		if (forms[i].key && !strcmp(forms[i].key, key))
			return forms[i].name;
	return key;
}

/* ---- shapes */

/* Of a shape that begins with it. */
static struct fact_field field_at(const char *shape)
{
	const char *name = shape + 1 + strspn(shape + 1, "*~"), *end = strchr(name, '}');
	const size_t length = strcspn(name, ".:?}");
	const char after = name[length];
	const int number = atoi(name + length + 1);
	struct fact_field f = {.text = shape[1] == '*',
		.rounded = shape[1] == '~',
		.flag = after == '?',
		.decimals = after == '.' ? number : -1,
		.digits = after == ':' ? number : 14,
		.words = name + length + 1,
		.end = end + 1};

	snprintf(f.name, sizeof(f.name), "%.*s", (int)length, name);
	f.size = length >= 5 && !strcmp(f.name + length - 5, "bytes");
	return f;
}

bool fact_next_field(const char **shape, struct fact_field *field)
{
	const char *at = strchr(*shape, '{');

	if (!at)
		return false;
	*field = field_at(at);
	*shape = field->end;
	return true;
}

static void print_cell(FILE *out, const struct fact_field *f, const struct fact_cell *c,
	const struct fact_form *form)
{
	const double n = form->scale > 0 ? c->number / form->scale : c->number;
	char size[32];

	if (c->text)
		fputs(c->text, out);
	else if (f->flag)
		fprintf(out, "%.*s", n > 0 ? (int)(f->end - 1 - f->words) : 0, f->words);
	else if (f->size)
		fputs((f->rounded ? text_size : text_size_exact)((uint64_t)n, size, sizeof(size)),
			out);
	else if (f->decimals >= 0)
		fprintf(out, "%.*f", f->decimals, n);
	else
		fprintf(out, "%.*g", f->digits, n);
}

/* again: without what is before the bar. */
static void print_row(
	FILE *out, const struct fact_form *form, const struct fact_cell *c, bool again)
{
	const char *shape = again ? strchr(form->shape, '|') : form->shape;
	bool one = false;

	for (c += again; *shape;) {
		if (*shape == '{') {
			const struct fact_field f = field_at(shape);

			print_cell(out, &f, c, form);
			one = !c->text && c->number == 1;
			c++;
			shape = f.end;
		} else if (!strncmp(shape, "(s)", 3)) {
			fputs(one ? "" : "s", out);
			shape += 3;
		} else if (*shape++ != '|') {
			fputc(shape[-1], out);
		}
	}
}

/* Rows that differ in their first cell, or the second part of ", | and ". */
static void print_between(FILE *out, const char *between, bool again)
{
	const char *bar = strchr(between, '|');

	if (again)
		fputs(bar + 1, out);
	else
		fprintf(out, "%.*s", bar ? (int)(bar - between) : (int)strlen(between), between);
}

static void print_records(FILE *out, const struct fact *f)
{
	for (size_t i = 0; i < f->rows; i++) {
		const struct fact_cell *c = f->cells + i * f->width;
		const bool again =
			i && strchr(f->form->shape, '|') && c->number == (c - f->width)->number;

		if (i)
			print_between(out, f->form->between, again);
		print_row(out, f->form, c, again);
	}
}

/* "2.1 GHz", or "0-3: 2.1 GHz; 4,6: unknown" */
static void print_by_cpus(FILE *out, const struct fact *f)
{
	for (size_t i = 0; i < f->rows; i++) {
		const struct fact_cell *c = f->cells + i * f->width;

		fputs(i ? "; " : "", out);
		if (*c->text)
			fprintf(out, "%s: ", c->text);
		if (c[1].text || !isnan(c[1].number))
			print_row(out, f->form, c + 1, false);
		else
			fputs(FACT_UNKNOWN, out);
	}
}

static void print_pairs(FILE *out, const struct fact *f)
{
	for (size_t i = 0; i < f->count; i += 2)
		fprintf(out, "%s%s%s%s", i ? " " : "", f->cells[i].text, f->form->between,
			f->cells[i + 1].text);
}

static void print_matrix(FILE *out, const struct fact *f)
{
	for (size_t i = 0; i < f->count; i++)
		fprintf(out, "%s%.14g",
			!i             ? ""
			: i % f->width ? " "
				       : f->form->between,
			f->cells[i].number);
}

static void print_fact(FILE *out, const struct fact *f)
{
	switch (f->form->kind) {
	case FACT_TEXT:
		fputs(f->cells->text, out);
		break;
	case FACT_FLAG:
		fputs(f->cells->number > 0 ? f->form->shape : f->form->between, out);
		break;
	case FACT_BY_CPUS:
		print_by_cpus(out, f);
		break;
	case FACT_MATRIX:
		print_matrix(out, f);
		break;
	case FACT_PAIRS:
		print_pairs(out, f);
		break;
	default:
		print_records(out, f);
	}
}

const struct fact_form *fact_form(const char *name)
{
	for (size_t i = 0; i < FORMS; i++)
		if (!strcmp(forms[i].name, name))
			return &forms[i];
	return &text_form;
}

static bool is_none(const struct fact *f)
{
	bool zero = f->form->kind == FACT_RECORD && f->form->none;

	for (size_t i = 0; i < f->count; i++)
		zero = zero && !(f->cells[i].number > 0);
	return !f->rows || zero;
}

char *fact_print(const struct fact *f)
{
	struct buffer text;
	FILE *out = buffer_open(&text);

	if (!f->known)
		fputs(FACT_UNKNOWN, out);
	else if (is_none(f))
		fputs(f->form->none ? f->form->none : "", out);
	else
		print_fact(out, f);
	buffer_close(&text, out);
	return text.data;
}
