/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Facts of the environment: values of JSON, their texts, and the same values again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../described.h"
#include "document/facts.h"
#include "document/value.h"
#include "system/environment.h"

/* What JSON has of a fact, and its text. */
static const struct fact_case {
	const char *fact, *text, *json;
} cases[] = {
	{"host", "h", "{\"host\":\"h\"}"},
	{"host", "unknown", "{\"host\":null}"},
	{"simulated", "no", "{\"simulated\":null}"},
	{"simulated", "QEMU", "{\"simulated\":\"QEMU\"}"},
	{"frequency_max", "2.1 GHz", "{\"frequency_max_hz\":2100000000}"},
	{"frequency_max", "unknown", "{\"frequency_max_hz\":null}"},
	{"frequency_max", "0-3: 2.1 GHz; 4,6: unknown",
		"{\"frequency_max_hz\":[{\"cpus\":\"0-3\",\"hz\":2100000000},"
		"{\"cpus\":\"4,6\",\"hz\":null}]}"},
	{"frequency_governor", "performance", "{\"frequency_governor\":\"performance\"}"},
	{"frequency_governor", "0: performance; 1: powersave",
		"{\"frequency_governor\":[{\"cpus\":\"0\",\"governor\":\"performance\"},"
		"{\"cpus\":\"1\",\"governor\":\"powersave\"}]}"},
	{"frequency_governor", "unknown", "{\"frequency_governor\":null}"},
	{"isolated_cpus", "none", "{\"isolated_cpus\":null}"},
	{"isolated_cpus", "2-3", "{\"isolated_cpus\":\"2-3\"}"},
	{"nice", "-5", "{\"nice\":-5}"},
	{"real_time_limit", "95 %", "{\"real_time_limit_percent\":95}"},
	{"real_time_limit", "unknown", "{\"real_time_limit_percent\":\"unknown\"}"},
	{"isolated_cpus", "unknown", "{\"isolated_cpus\":\"unknown\"}"},
	{"caches", "unknown", "{\"caches\":null}"},
	{"others_load_on_core_during_run", "no other CPU",
		"{\"others_load_on_core_during_run_percent\":null}"},
	{"busy_cpus_during_check", "1,3", "{\"busy_cpus_during_check\":\"1,3\"}"},
	{"a_fact_of_tomorrow", "x", "{\"a_fact_of_tomorrow\":\"x\"}"},
	{"real_time_limit", "no limit", "{\"real_time_limit_percent\":null}"},
	{"boost", "1", "{\"boost\":true}"},
	{"virtual_machine", "no", "{\"virtual_machine\":false}"},
	{"virtual_machine", "unknown", "{\"virtual_machine\":null}"},
	{"cpu_stepping", "1", "{\"cpu_stepping\":1}"},
	{"memory_modules", "16 x 32 GiB Registered-DDR4, 1 x 512 MiB of an unknown type",
		"{\"memory_modules\":[{\"count\":16,\"bytes\":34359738368,\"type\":"
		"\"Registered-DDR4\"},{\"count\":1,\"bytes\":536870912,\"type\":\"of an unknown "
		"type\"}]}"},
	{"numa_balancing", "2", "{\"numa_balancing\":2}"},
	{"perf_event_paranoid", "-1", "{\"perf_event_paranoid\":-1}"},
	{"transparent_huge_page_sizes", "64 KiB madvise, 2 MiB inherit",
		"{\"transparent_huge_page_sizes\":[{\"bytes\":65536,\"setting\":\"madvise\"},"
		"{\"bytes\":2097152,\"setting\":\"inherit\"}]}"},
	{"transparent_huge_page_sizes", "none", "{\"transparent_huge_page_sizes\":[]}"},
	{"transparent_huge_page_sizes", "unknown", "{\"transparent_huge_page_sizes\":null}"},
	{"load_average", "0.52 12.00 9.50 3/389",
		"{\"load_average\":{\"one_minute\":0.52,\"five_minutes\":12,"
		"\"fifteen_minutes\":9.5,\"threads_running\":3,\"threads\":389}}"},
	{"topology", "1 node, 1 package, 2 cores, 4 CPUs",
		"{\"topology\":{\"nodes\":1,\"packages\":1,\"cores\":2,\"cpus\":4}}"},
	{"topology", "1 node, 1 package, 1 core, 1 CPU",
		"{\"topology\":{\"nodes\":1,\"packages\":1,\"cores\":1,\"cpus\":1}}"},
	{"node_cpus", "0: 0-3; 2: 4,6",
		"{\"node_cpus\":[{\"node\":0,\"cpus\":\"0-3\"},{\"node\":2,\"cpus\":\"4,6\"}]}"},
	{"node_cpus", "none", "{\"node_cpus\":[]}"},
	{"caches", "L1 48 KiB x 2, L2 2 MiB x 2 and 23170 B x 1, L3 32 MiB x 1",
		"{\"caches\":[{\"level\":1,\"bytes\":49152,\"count\":2},"
		"{\"level\":2,\"bytes\":2097152,\"count\":2},"
		"{\"level\":2,\"bytes\":23170,\"count\":1},"
		"{\"level\":3,\"bytes\":33554432,\"count\":1}]}"},
	{"cache_line", "64 B", "{\"cache_line\":{\"bytes\":64,\"assumed\":false}}"},
	{"cache_line", "64 B, assumed: the machine gives none",
		"{\"cache_line\":{\"bytes\":64,\"assumed\":true}}"},
	{"core_kinds", "performance (IntelCore), efficiency",
		"{\"core_kinds\":[\"performance (IntelCore)\",\"efficiency\"]}"},
	{"core_kinds", "alike or not known", "{\"core_kinds\":[]}"},
	{"node_distances", "10 21; 21 10", "{\"node_distances\":[[10,21],[21,10]]}"},
	{"control_group_memory_left", "no limit", "{\"control_group_memory_left_bytes\":null}"},
	{"control_group_memory_left", "1.5 GiB",
		"{\"control_group_memory_left_bytes\":1610612736}"},
	{"huge_page_pools", "node 0: 4 of 2 MiB, node 1: 1 of 1 GiB",
		"{\"huge_page_pools\":[{\"node\":0,\"pages\":4,\"page_bytes\":2097152},"
		"{\"node\":1,\"pages\":1,\"page_bytes\":1073741824}]}"},
	{"huge_page_pools", "none", "{\"huge_page_pools\":[]}"},
	{"cpu_quota", "no limit", "{\"cpu_quota_cpus\":null}"},
	{"cpu_quota", "1.5 CPUs", "{\"cpu_quota_cpus\":1.5}"},
	{"cpu_quota", "1 CPU", "{\"cpu_quota_cpus\":1}"},
	{"clock", "21.2 ns to read, 20 ns step", "{\"clock\":{\"read_ns\":21.2,\"step_ns\":20}}"},
	{"openmp_environment", "OMP_PLACES={0} {1} GOMP_SPINCOUNT=0",
		"{\"openmp_environment\":{\"OMP_PLACES\":\"{0} {1}\",\"GOMP_SPINCOUNT\":\"0\"}}"},
	{"openmp_environment", "none", "{\"openmp_environment\":{}}"},
	{"libraries", "numa 2.0.16 hwloc 2.9.0",
		"{\"libraries\":{\"numa\":\"2.0.16\",\"hwloc\":\"2.9.0\"}}"},
	{"c_library", "glibc=2.36 x86_non_temporal_threshold=0xc0000",
		"{\"c_library\":{\"glibc\":\"2.36\",\"x86_non_temporal_threshold\":"
		"\"0xc0000\"}}"},
	{"others_load_during_run", "71.50 %", "{\"others_load_during_run_percent\":71.5}"},
	{"throttled_during_run", "0 s", "{\"throttled_during_run\":{\"seconds\":0,\"periods\":0}}"},
	{"throttled_during_run", "0.2 s in 1 period",
		"{\"throttled_during_run\":{\"seconds\":0.2,\"periods\":1}}"},
	/* of another form: it is shown as it is, and JSON has the text */
	{"topology", "[7]", "{\"topology\":\"[7]\"}"},
	{"topology", "2 nodes", "{\"topology\":\"2 nodes\"}"},
	{"caches", "[{\"level\":1}]", "{\"caches\":\"[{\\\"level\\\":1}]\"}"},
};

/* The facts as they are read from what JSON has of them; `kept` has their texts. */
static struct environment again(const struct environment *env, json_t **kept)
{
	struct environment read = {0};
	json_t *o = facts_json(env);
	char *text = json_dumps(o, VALUE_FORMAT);

	json_decref(o);
	*kept = json_loads(text, 0, NULL);
	free(text);
	assert_non_null(*kept);
	facts_read(&read, *kept);
	return read;
}

static void values_have_a_text_and_are_the_same_values_again(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct environment env = {0};
		json_t *o = json_loads(cases[i].json, 0, NULL);

		assert_non_null(o);
		facts_read(&env, o);
		assert_string_equal(env.facts[0].name, cases[i].fact);
		assert_string_equal(env.facts[0].value, cases[i].text);
		json_t *same = facts_json(&env);
		char *json = json_dumps(same, JSON_COMPACT | JSON_REAL_PRECISION(12));

		assert_string_equal(json, cases[i].json);
		free(json);
		json_decref(same);
		environment_free(&env);
		json_decref(o);
	}
}

static void check_again(const struct environment *env)
{
	json_t *kept;
	struct environment read = again(env, &kept);

	assert_int_equal(read.count, env->count);
	for (size_t i = 0; i < env->count; i++) {
		assert_string_equal(read.facts[i].name, env->facts[i].name);
		assert_string_equal(read.facts[i].value, env->facts[i].value);
	}
	environment_free(&read);
	json_decref(kept);
}

/* Of this machine, and of machines that it is not. */
static void all_facts_have_the_same_texts_when_they_are_read_again(void **state)
{
	static const char *const machines[] = {NULL, "numa:1(memory=8GB) core:1 pu:1",
		"numa:4(memory=8GB) l3:1(size=524288000) core:8 l2:1(size=1310720) l1:1 pu:2"};

	(void)state;
	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++) {
		struct environment env = {0};
		struct errors e = {0};
		struct load before;
		struct topo t;

		load_take(&before);
		if (machines[i])
			described(&t, "HWLOC_SYNTHETIC", machines[i]);
		else
			assert_int_equal(topo_load(&t, &e), 0);
		environment_read(&env, &t);
		environment_load(&env, &before, DURING_RUN, &e);
		environment_near(&env, &(struct near_load){true, 0.123456, NAN, 0}, &e);
		assert_true(env.count > 50);
		check_again(&env);
		environment_free(&env);
		topo_free(&t);
		errors_free(&e);
	}
}

static void values_are_read_by_their_fields(void **state)
{
	struct environment env = {0};
	json_t *o = json_loads(
		"{\"caches\": [{\"level\": 1, \"bytes\": 49152, \"count\": 2}, {\"level\":"
		" 3, \"bytes\": 1e6, \"count\": 1}], \"node_cpus\": [{\"node\": 4,"
		" \"cpus\": \"0-3\"}], \"steal_during_run_percent\": 86.92,"
		" \"throttled_during_run\": {\"seconds\": 0.2, \"periods\": 7},"
		" \"boost\": true, \"nice\": null}",
		0, NULL);
	const struct fact *caches, *nodes;

	(void)state;
	facts_read(&env, o);
	caches = environment_fact(&env, "caches");
	nodes = environment_fact(&env, "node_cpus");
	assert_int_equal(caches->rows, 2);
	assert_true(fact_number(caches, 1, "bytes") == 1e6);
	assert_true(isnan(fact_number(caches, 2, "bytes")));
	assert_true(isnan(fact_number(caches, 0, "lines")));
	assert_null(fact_text(caches, 0, "level"));
	assert_string_equal(fact_text(nodes, 0, "cpus"), "0-3");
	assert_true(fact_number(nodes, 0, "node") == 4);
	assert_true(environment_number(&env, "steal_during_run") == 86.92);
	assert_true(environment_number(&env, "throttled_during_run") == 0.2);
	assert_true(environment_number(&env, "boost") == 1);
	assert_true(isnan(environment_number(&env, "nice")));
	assert_true(isnan(environment_number(&env, "node_distances")));
	environment_free(&env);
	json_decref(o);
}

static void what_is_not_known_is_null_however_it_is_added(void **state)
{
	static const char *const texts[] = {NULL, "", "unknown"};
	struct environment env = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		environment_add(&env, "caches_from", texts[i]);
	environment_add(&env, "numa_balancing", "off");
	environment_add_number(&env, "nice", NAN);
	for (size_t i = 0; i < env.count; i++)
		assert_string_equal(env.facts[i].value, "unknown");
	json_t *o = facts_json(&env);

	assert_true(json_is_null(json_object_get(o, "caches_from")));
	assert_true(json_is_null(json_object_get(o, "numa_balancing")));
	assert_true(json_is_null(json_object_get(o, "nice")));
	json_decref(o);
	environment_free(&env);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_have_a_text_and_are_the_same_values_again),
		cmocka_unit_test(all_facts_have_the_same_texts_when_they_are_read_again),
		cmocka_unit_test(values_are_read_by_their_fields),
		cmocka_unit_test(what_is_not_known_is_null_however_it_is_added),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
