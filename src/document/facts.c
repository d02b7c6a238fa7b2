/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A row for each fact that is no plain text. */
#include "document/facts.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "document/facts_forms.h"
#include "document/shape.h"
#include "document/value.h"

/* The text of an object, list or number is of a shape (document/shape.h); a number is its field
 * "n". */
#define NUMBER(key, shape, scale)        key, form_number, form_number_text, shape, NULL, scale
#define OBJECT(shape)                    NULL, form_object, form_object_text, shape, NULL, 1
#define LIST(shape, separator)           NULL, form_list, form_list_text, shape, separator, 1
#define BY_CPUS(key, shape, name, scale) key, form_by_cpus, form_by_cpus_text, shape, name, scale
#define FLAG(yes, no)                    NULL, form_flag, form_flag_text, yes, no, 1
#define OTHER(read, write)               NULL, read, write, NULL, NULL, 1

static const struct form forms[] = {
	/* fact, its text where there is nothing (no limit, no pools), form */
	{"simulated", "no", OTHER(form_plain, form_plain_text)},
	{"cpu_stepping", NULL, NUMBER("cpu_stepping", "{n}", 1)},
	{"memory_modules", NULL, LIST("{count} x {bytes} {*type}", ", ")},
	{"frequency_governor", NULL, BY_CPUS("frequency_governor", NULL, "governor", 1)},
	{"frequency_nominal", NULL, BY_CPUS("frequency_nominal_hz", "{n} GHz", "hz", 1e9)},
	{"frequency_min", NULL, BY_CPUS("frequency_min_hz", "{n} GHz", "hz", 1e9)},
	{"frequency_max", NULL, BY_CPUS("frequency_max_hz", "{n} GHz", "hz", 1e9)},
	{"frequency_limit_min", NULL, BY_CPUS("frequency_limit_min_hz", "{n} GHz", "hz", 1e9)},
	{"frequency_limit_max", NULL, BY_CPUS("frequency_limit_max_hz", "{n} GHz", "hz", 1e9)},
	{"isolated_cpus", "none", OTHER(form_plain, form_plain_text)},
	{"nohz_full_cpus", "none", OTHER(form_plain, form_plain_text)},
	{"nice", NULL, NUMBER("nice", "{n}", 1)},
	{"real_time_limit", "no limit", NUMBER("real_time_limit_percent", "{n} %", 1)},
	{"boost", NULL, FLAG("1", "0")},
	{"intel_no_turbo", NULL, FLAG("1", "0")},
	{"virtual_machine", NULL, FLAG("yes", "no")},
	{"transparent_huge_page_sizes", "none", LIST("{bytes} {*setting}", ", ")},
	{"numa_balancing", NULL, NUMBER("numa_balancing", "{n}", 1)},
	{"perf_event_paranoid", NULL, NUMBER("perf_event_paranoid", "{n}", 1)},
	{"load_average", NULL, OTHER(form_load, form_load_text)},
	{"topology", NULL,
		OBJECT("{nodes} node(s), {packages} package(s), {cores} core(s), {cpus} CPU(s)")},
	{"node_cpus", "none", LIST("{node}: {*cpus}", "; ")},
	{"caches", NULL, OTHER(form_caches, form_caches_text)},
	{"cache_line", NULL, OTHER(form_line, form_line_text)},
	{"core_kinds", "alike or not known", OTHER(form_kinds, form_kinds_text)},
	{"node_distances", NULL, OTHER(form_distances, form_distances_text)},
	{"control_group_memory_left", "no limit",
		NUMBER("control_group_memory_left_bytes", "{bytes}", 1)},
	{"huge_page_pools", "none", LIST("node {node}: {pages} of {page_bytes}", ", ")},
	{"cpu_quota", "no limit", NUMBER("cpu_quota_cpus", "{n} CPU(s)", 1)},
	{"clock", NULL, OBJECT("{read_ns} ns to read, {step_ns} ns step")},
	{"openmp_environment", "none", OTHER(form_variables, form_variables_text)},
	{"libraries", NULL, OTHER(form_versions, form_versions_text)},
	{"steal_during_run", NULL, NUMBER("steal_during_run_percent", "{n} %", 1)},
	{"others_load_during_run", NULL, NUMBER("others_load_during_run_percent", "{n} %", 1)},
	{"others_load_on_core_during_run", "no other CPU",
		NUMBER("others_load_on_core_during_run_percent", "{n} %", 1)},
	{"others_load_under_cache_during_run", "no other CPU",
		NUMBER("others_load_under_cache_during_run_percent", "{n} %", 1)},
	{"others_load_on_node_during_run", "no other CPU",
		NUMBER("others_load_on_node_during_run_percent", "{n} %", 1)},
	{"throttled_during_run", NULL, OTHER(form_throttled, form_throttled_text)},
	{"steal_during_check", NULL, NUMBER("steal_during_check_percent", "{n} %", 1)},
	{"others_load_during_check", NULL, NUMBER("others_load_during_check_percent", "{n} %", 1)},
	{"busy_cpus_during_check", "none", OTHER(form_plain, form_plain_text)},
	{"throttled_during_check", NULL, OTHER(form_throttled, form_throttled_text)},
};

#define FORMS (sizeof(forms) / sizeof(*forms))

static const struct form *form_of(const char *fact)
{
	for (size_t i = 0; i < FORMS; i++)
		if (!strcmp(forms[i].fact, fact))
			return &forms[i];
	return NULL;
}

void facts_add(json_t *o, const char *fact, const char *text)
{
	const struct form *f = form_of(fact);
	json_t *value = !*text || !strcmp(text, FORM_UNKNOWN) ? json_null()
			: f                                   ? f->read(f, text)
							      : NULL;

	json_object_set_new(o, f && f->key ? f->key : fact, value ? value : value_string(text));
}

const char *facts_name(const char *key)
{
	for (size_t i = 0; i < FORMS; i++)
		if (forms[i].key && !strcmp(forms[i].key, key))
			return forms[i].fact;
	return key;
}

/* Of a text as documents before schema 3 have it. */
static char *renewed(const struct form *f, const char *text)
{
	json_t *value = f && strcmp(text, FORM_UNKNOWN) ? f->read(f, text) : NULL;
	char *again = value ? f->write(f, value) : NULL;

	json_decref(value);
	return again ? again : alloc_string(text, strlen(text));
}

/* Allocated by jansson, whose texts are freed as all others. */
static char *as_json(const json_t *value)
{
	char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);

	return text ? text : alloc_string("", 0);
}

char *facts_text(const char *fact, const json_t *value)
{
	const struct form *f = form_of(fact);

	if (json_is_string(value))
		return renewed(f, json_string_value(value));

	char *text = f ? f->write(f, value) : NULL;

	if (text)
		return text;
	return json_is_null(value) ? alloc_string(FORM_UNKNOWN, strlen(FORM_UNKNOWN))
				   : as_json(value);
}
