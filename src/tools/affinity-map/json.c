/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine-readable document of affinity-map. */
#include <math.h>
#include <sys/utsname.h>

#include "affinity-map/json.h"
#include "base/version.h"
#include "document/facts.h"
#include "system/environment.h"

static json_t *shares(const struct map_app *app)
{
	json_t *o = json_object();

	if (!app->has_mix) {
		json_decref(o);
		return json_null();
	}
	for (int i = 0; i < MAPPING_TYPES; i++)
		json_object_set_new(o, mapping_types[i], value_number(app->share[i]));
	return o;
}

static json_t *source(const struct map_app *app)
{
	return app->has_mix ? json_string(app->counted ? "counted" : "profile") : json_null();
}

/* How mixes were counted; null: no mix was counted. */
static json_t *counted_json(const struct map_counted *c)
{
	if (!c->runs)
		return json_null();
	json_t *formulas = json_object();
	for (int i = 0; i < MAPPING_TYPES; i++)
		json_object_set_new(formulas, mapping_types[i],
			c->formula[i] ? value_string(c->formula[i]) : json_null());
	return json_pack("{s:I, s:o}", "runs", (json_int_t)c->runs, "percent", formulas);
}

/* The mixes of threads that differ; null: all threads have the mix of the program. */
static json_t *thread_mixes(const struct map_app *app)
{
	json_t *list = app->mixes ? json_array() : json_null();

	for (int k = 0; app->mixes && k < app->threads; k++) {
		const struct mapping_thread *t = &app->mixes[k];
		json_t *o = json_object();

		for (int i = 0; i < MAPPING_TYPES; i++)
			json_object_set_new(o, mapping_types[i],
				value_number(t->counted ? t->count[i] : t->share[i]));
		json_array_append_new(list, o);
	}
	return list;
}

json_t *map_json_command(const struct map_app *app)
{
	json_t *words = json_array();

	for (char **word = app->argv; *word; word++)
		json_array_append_new(words, value_string(*word));
	return json_pack("{s:o, s:o, s:o}", "name", value_string(app->name), "file",
		value_string(app->path), "command", words);
}

json_t *map_json_program(const struct map_app *app)
{
	json_t *o = map_json_command(app);

	json_object_update_new(
		o, json_pack("{s:i, s:o, s:o, s:o}", "threads", app->threads, "mix", shares(app),
			   "thread_mixes", thread_mixes(app), "mix_source", source(app)));
	return o;
}

json_t *map_json_environment(const struct topo *t)
{
	struct environment env = {0};

	environment_read(&env, t);
	json_t *facts = facts_json(&env);

	environment_free(&env);
	return facts;
}

static json_t *programs(const struct map_result *r)
{
	json_t *list = json_array();

	for (int i = 0; i < r->napps; i++)
		json_array_append_new(list, map_json_program(&r->apps[i]));
	return list;
}

static json_t *sample(const struct map_sample *s)
{
	return json_pack("{s:o, s:o, s:o, s:i, s:i, s:i, s:i, s:i, s:i}", "wall_s",
		value_number(s->wall_s), "user_s", value_number(s->user_s), "system_s",
		value_number(s->system_s), "processes", s->processes, "threads_begun", s->threads,
		"threads_at_once", s->most_threads, "not_bound", s->refused, "bound_by_program",
		s->own, "without_library", s->lost);
}

static json_t *app_figures_json(const struct map_result *r, int layout, int app)
{
	struct stats s;

	if (map_figures(r, layout, app, &s))
		return json_null();
	double half = s.n > 1 ? s.ci_mean : NAN;
	return json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "n", (json_int_t)s.n, "mean_s",
		value_number(s.mean), "low_s", value_number(s.mean - half), "high_s",
		value_number(s.mean + half), "median_s", value_number(s.median), "min_s",
		value_number(s.min), "max_s", value_number(s.max), "sd_s", value_number(s.sd));
}

static json_t *cpus(const struct map_result *r, int layout, int app)
{
	const int *list = r->layouts[layout].cpus[app];
	json_t *numbers = list[0] < 0 ? json_null() : json_array();

	for (int k = 0; list[0] >= 0 && k < r->apps[app].threads; k++)
		json_array_append_new(numbers, json_integer(list[k]));
	return numbers;
}

/* The kind of each CPU's core; null: not bound, or all cores are alike. */
static json_t *core_kinds_json(const struct map_result *r, int layout, int app)
{
	const int *list = r->layouts[layout].cpus[app];
	bool known = list[0] >= 0 && r->topo->nkinds;
	json_t *names = known ? json_array() : json_null();

	for (int k = 0; known && k < r->apps[app].threads; k++) {
		const char *kind = map_kind(r->topo, list[k]);

		json_array_append_new(names, kind ? json_string(kind) : json_null());
	}
	return names;
}

static json_t *program_runs(const struct map_result *r, int layout)
{
	json_t *list = json_array();

	for (int i = 0; i < r->napps; i++) {
		json_t *samples = json_array();

		for (size_t k = 0; k < r->done[layout]; k++)
			json_array_append_new(samples, sample(map_sample_of(r, layout, k, i)));
		json_array_append_new(list,
			json_pack("{s:i, s:o, s:o, s:o, s:o}", "program", i, "cpus",
				cpus(r, layout, i), "kinds", core_kinds_json(r, layout, i),
				"figures", app_figures_json(r, layout, i), "samples", samples));
	}
	return list;
}

/* The part of the random mappings that are slower; null: there are fewer than two, or the mapping
 * itself was not measured. */
static json_t *among_random(const struct map_result *r, int layout)
{
	struct stats random = map_random(r);

	return value_number(random.n < 2 || !r->done[layout]
				    ? NAN
				    : map_slower_random(r, layout) / (double)random.n);
}

json_t *map_json_mappings(const struct map_result *r)
{
	json_t *list = json_array();

	for (int l = 0; l < r->nlayouts; l++) {
		struct amount ratio = map_ratio(r, l);

		json_array_append_new(list,
			json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:{s:o, s:o, s:o}}", "mapping",
				r->layouts[l].name, "asked", mapping_methods[r->layouts[l].asked],
				"reason", value_string(r->layouts[l].why), "programs",
				program_runs(r, l), "slowest", app_figures_json(r, l, MAP_SLOWEST),
				"faster_than_random", among_random(r, l), "ratio_to_first", "value",
				value_number(ratio.value), "low", value_number(ratio.low), "high",
				value_number(ratio.high)));
	}
	return list;
}

json_t *map_json_head(const struct map_result *r)
{
	struct utsname system = {.nodename = ""};

	uname(&system);
	return json_pack("{s:i, s:s, s:s, s:o, s:o, s:o, s:o, s:s, s:I, s:I, s:o, s:o}", "schema",
		1, "program", "affinity-map", "affinity_version", AFFINITY_VERSION, "host",
		value_string(system.nodename), "kernel", value_string(system.release),
		"topology_source", value_string(r->topo->source), "environment",
		map_json_environment(r->topo), "by", r->by, "runs", (json_int_t)r->runs, "seed",
		(json_int_t)r->seed, "counted", counted_json(r->counted), "warnings",
		value_messages(r->warnings));
}

int map_json(const struct map_result *r, FILE *out)
{
	json_t *document = map_json_head(r);

	json_object_set_new(document, "programs", programs(r));
	json_object_set_new(document, "mappings", map_json_mappings(r));
	return value_write(document, out);
}
