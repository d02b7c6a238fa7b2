/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Facts of the environment: texts as values with units, and the same texts again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "document/facts.h"

/* A text, what JSON has, and the text of that; NULL: the same text. */
static const struct fact_case {
	const char *fact, *text, *json, *again;
} cases[] = {
	{"host", "h", "{\"host\":\"h\"}", NULL},
	{"host", "unknown", "{\"host\":null}", NULL},
	{"simulated", "no", "{\"simulated\":null}", NULL},
	{"simulated", "QEMU", "{\"simulated\":\"QEMU\"}", NULL},
	{"frequency_max", "2.1 GHz", "{\"frequency_max_hz\":2100000000.0}", NULL},
	{"frequency_max", "unknown", "{\"frequency_max_hz\":null}", NULL},
	{"frequency_max", "0-3: 2.1 GHz; 4,6: unknown",
		"{\"frequency_max_hz\":[{\"cpus\":\"0-3\",\"hz\":2100000000.0},"
		"{\"cpus\":\"4,6\",\"hz\":null}]}",
		NULL},
	{"frequency_governor", "performance", "{\"frequency_governor\":\"performance\"}", NULL},
	{"frequency_governor", "0: performance; 1: powersave",
		"{\"frequency_governor\":[{\"cpus\":\"0\",\"governor\":\"performance\"},"
		"{\"cpus\":\"1\",\"governor\":\"powersave\"}]}",
		NULL},
	{"frequency_governor", "unknown", "{\"frequency_governor\":null}", NULL},
	{"isolated_cpus", "none", "{\"isolated_cpus\":null}", NULL},
	{"isolated_cpus", "2-3", "{\"isolated_cpus\":\"2-3\"}", NULL},
	{"nice", "-5", "{\"nice\":-5}", NULL},
	{"real_time_limit", "95 %", "{\"real_time_limit_percent\":95}", NULL},
	{"real_time_limit", "no limit", "{\"real_time_limit_percent\":null}", NULL},
	{"boost", "1", "{\"boost\":true}", NULL},
	{"virtual_machine", "no", "{\"virtual_machine\":false}", NULL},
	{"virtual_machine", "unknown", "{\"virtual_machine\":null}", NULL},
	{"cpu_stepping", "1", "{\"cpu_stepping\":1}", NULL},
	{"memory_modules", "16 x 32 GiB Registered-DDR4, 1 x 512 MiB of an unknown type",
		"{\"memory_modules\":[{\"count\":16,\"bytes\":34359738368,\"type\":"
		"\"Registered-DDR4\"},{\"count\":1,\"bytes\":536870912,\"type\":\"of an unknown "
		"type\"}]}",
		NULL},
	{"numa_balancing", "2", "{\"numa_balancing\":2}", NULL},
	{"perf_event_paranoid", "-1", "{\"perf_event_paranoid\":-1}", NULL},
	{"transparent_huge_page_sizes", "64 KiB madvise, 2 MiB inherit",
		"{\"transparent_huge_page_sizes\":[{\"bytes\":65536,\"setting\":\"madvise\"},"
		"{\"bytes\":2097152,\"setting\":\"inherit\"}]}",
		NULL},
	{"transparent_huge_page_sizes", "none", "{\"transparent_huge_page_sizes\":[]}", NULL},
	{"transparent_huge_page_sizes", "unknown", "{\"transparent_huge_page_sizes\":null}", NULL},
	{"load_average", "0.52 12 9.5 3/389 1234",
		"{\"load_average\":{\"one_minute\":0.52,\"five_minutes\":12,"
		"\"fifteen_minutes\":9.5,\"threads_running\":3,\"threads\":389}}",
		"0.52 12 9.5 3/389"},
	{"topology", "1 nodes, 1 packages, 2 cores, 4 CPUs",
		"{\"topology\":{\"nodes\":1,\"packages\":1,\"cores\":2,\"cpus\":4}}",
		"1 node, 1 package, 2 cores, 4 CPUs"},
	{"topology", "1 node, 1 package, 1 core, 1 CPU",
		"{\"topology\":{\"nodes\":1,\"packages\":1,\"cores\":1,\"cpus\":1}}", NULL},
	{"node_cpus", "0: 0-3; 2: 4,6",
		"{\"node_cpus\":[{\"node\":0,\"cpus\":\"0-3\"},{\"node\":2,\"cpus\":\"4,6\"}]}",
		NULL},
	{"node_cpus", "none", "{\"node_cpus\":[]}", NULL},
	{"caches", "L1 48 KiB x 2, L2 2 MiB x 2 and 23170 B x 1, L3 32 MiB x 1",
		"{\"caches\":[{\"level\":1,\"bytes\":49152,\"count\":2},"
		"{\"level\":2,\"bytes\":2097152,\"count\":2},"
		"{\"level\":2,\"bytes\":23170,\"count\":1},"
		"{\"level\":3,\"bytes\":33554432,\"count\":1}]}",
		NULL},
	{"cache_line", "64 B", "{\"cache_line\":{\"bytes\":64,\"assumed\":false}}", NULL},
	{"cache_line", "64 B, assumed: the machine gives none",
		"{\"cache_line\":{\"bytes\":64,\"assumed\":true}}", NULL},
	{"core_kinds", "performance (IntelCore), efficiency",
		"{\"core_kinds\":[\"performance (IntelCore)\",\"efficiency\"]}", NULL},
	{"core_kinds", "alike or not known", "{\"core_kinds\":[]}", NULL},
	{"node_distances", "10 21; 21 10", "{\"node_distances\":[[10,21],[21,10]]}", NULL},
	{"control_group_memory_left", "no limit", "{\"control_group_memory_left_bytes\":null}",
		NULL},
	{"control_group_memory_left", "1.5 GiB", "{\"control_group_memory_left_bytes\":1610612736}",
		NULL},
	{"huge_page_pools", "node 0: 4 of 2 MiB, node 1: 1 of 1 GiB",
		"{\"huge_page_pools\":[{\"node\":0,\"pages\":4,\"page_bytes\":2097152},"
		"{\"node\":1,\"pages\":1,\"page_bytes\":1073741824}]}",
		NULL},
	{"huge_page_pools", "none", "{\"huge_page_pools\":[]}", NULL},
	{"cpu_quota", "no limit", "{\"cpu_quota_cpus\":null}", NULL},
	{"cpu_quota", "1.5 CPUs", "{\"cpu_quota_cpus\":1.5}", NULL},
	{"cpu_quota", "1 CPUs", "{\"cpu_quota_cpus\":1}", "1 CPU"},
	{"clock", "21.2 ns to read, 20 ns step", "{\"clock\":{\"read_ns\":21.2,\"step_ns\":20}}",
		NULL},
	{"openmp_environment", "OMP_PLACES={0} {1} GOMP_SPINCOUNT=0",
		"{\"openmp_environment\":{\"OMP_PLACES\":\"{0} {1}\",\"GOMP_SPINCOUNT\":\"0\"}}",
		NULL},
	{"openmp_environment", "none", "{\"openmp_environment\":{}}", NULL},
	{"libraries", "numa 2.0.16 hwloc 2.9.0 ",
		"{\"libraries\":{\"numa\":\"2.0.16\",\"hwloc\":\"2.9.0\"}}",
		"numa 2.0.16 hwloc 2.9.0"},
	{"others_load_during_run", "71.50 %", "{\"others_load_during_run_percent\":71.5}",
		"71.5 %"},
	{"throttled_during_run", "0 s in 0 periods",
		"{\"throttled_during_run\":{\"seconds\":0,\"periods\":0}}", "0 s"},
	{"throttled_during_run", "0.2 s in 1 period",
		"{\"throttled_during_run\":{\"seconds\":0.2,\"periods\":1}}", NULL},
	/* of another form: the text stays */
	{"topology", "2 nodes", "{\"topology\":\"2 nodes\"}", NULL},
	{"caches", "large", "{\"caches\":\"large\"}", NULL},
	{"node_cpus", "0: 0; x", "{\"node_cpus\":\"0: 0; x\"}", NULL},
	{"node_distances", "10 far", "{\"node_distances\":\"10 far\"}", NULL},
};

static const char *text_again(const struct fact_case *c)
{
	return c->again ? c->again : c->text;
}

static void texts_become_values_and_the_same_texts_again(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		json_t *o = json_object();

		facts_add(o, cases[i].fact, cases[i].text);
		char *json = json_dumps(o, JSON_COMPACT | JSON_REAL_PRECISION(12));

		assert_string_equal(json, cases[i].json);
		const char *key = json_object_iter_key(json_object_iter(o));

		assert_string_equal(facts_name(key), cases[i].fact);
		char *text = facts_text(cases[i].fact, json_object_get(o, key));

		assert_string_equal(text, text_again(&cases[i]));
		free(text);
		free(json);
		json_decref(o);
	}
}

static void texts_of_earlier_schemas_are_those_of_today(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		json_t *old = json_string(cases[i].text);
		char *text = facts_text(cases[i].fact, old);

		assert_string_equal(text, text_again(&cases[i]));
		free(text);
		json_decref(old);
	}
}

static void a_value_of_another_form_is_shown_as_it_is(void **state)
{
	json_t *value = json_pack("[i]", 7);
	char *text = facts_text("topology", value);

	(void)state;
	assert_string_equal(text, "[7]");
	free(text);
	json_decref(value);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_become_values_and_the_same_texts_again),
		cmocka_unit_test(texts_of_earlier_schemas_are_those_of_today),
		cmocka_unit_test(a_value_of_another_form_is_shown_as_it_is),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
