/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the document says of mappings of which only some were measured. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>

#include "affinity-map/json.h"

static void a_mapping_without_a_run_is_not_compared_with_random_ones(void **state)
{
	int cpu[] = {0}, *cpus[] = {cpu};
	struct map_app app = {.name = "a", .threads = 1};
	struct map_layout layouts[] = {
		{.asked = MAPPING_OS, .method = MAPPING_OS, .name = "os", .cpus = cpus, .why = ""},
		{.asked = MAPPING_RANDOM,
			.method = MAPPING_RANDOM,
			.name = "random:1",
			.cpus = cpus,
			.why = ""},
		{.asked = MAPPING_RANDOM,
			.method = MAPPING_RANDOM,
			.name = "random:2",
			.cpus = cpus,
			.why = ""},
	};
	struct map_sample samples[] = {{.wall_s = 2}, {.wall_s = 1}, {.wall_s = 3}};
	size_t done[] = {0, 1, 1};
	const struct topo topo = {.source = "a test"};
	const struct map_result r = {.apps = &app,
		.napps = 1,
		.layouts = layouts,
		.nlayouts = 3,
		.runs = 1,
		.samples = samples,
		.done = done,
		.topo = &topo};

	(void)state;
	json_t *list = map_json_mappings(&r);
	assert_true(json_is_null(json_object_get(json_array_get(list, 0), "faster_than_random")));
	json_decref(list);
	done[0] = 1;
	list = map_json_mappings(&r);
	assert_true(json_real_value(
			    json_object_get(json_array_get(list, 0), "faster_than_random")) == 0.5);
	json_decref(list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_mapping_without_a_run_is_not_compared_with_random_ones),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
