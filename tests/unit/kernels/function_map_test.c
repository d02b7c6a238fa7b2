/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The function map: requirements on every kernel in it, and the meaning of the ids of the access
 * kernels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "access.h"
#include "contract/kernel.h"

static const struct kernel *find(const char *id)
{
	for (const struct kernel_id *at = kernel_map; at->id; at++)
		if (strcmp(at->id, id) == 0)
			return at->kernel;
	fail_msg("no kernel %s in the map", id);
	return NULL;
}

static void test_map(void **state)
{
	(void)state;
	for (const struct kernel_id *a = kernel_map; a->id; a++) {
		assert_non_null(a->kernel->summary);
		assert_non_null(a->kernel->unit);
		assert_non_null(a->kernel->run);
		for (const struct kernel_id *b = a + 1; b->id; b++) {
			assert_string_not_equal(a->id, b->id);
			if (a->kernel == b->kernel && b[-1].kernel != b->kernel)
				fail_msg("%s does not follow %s, whose alias it is", b->id, a->id);
		}
		for (const struct param *p = a->kernel->params; p && p->name; p++) {
			assert_non_null(p->help);
			assert_true(p->offset < a->kernel->args_size);
		}
	}
}

static void test_groups(void **state)
{
	const struct kernel_group *g = kernel_groups;

	(void)state;
	assert_int_equal(g->begins, 0);
	assert_ptr_equal(kernel_map[g[0].begins].kernel, find("load"));
	assert_ptr_equal(kernel_map[g[1].begins].kernel, find("chase"));
	for (; g[1].title; g++)
		assert_true(g[1].begins > g->begins);
	assert_string_equal(g->title, "other");
}

/* Those that access elements as they are typed, or pages, and those with a parameter for it. */
static bool takes_any(const char *id)
{
	static const char *const ids[] = {"migrate", "migrate_use", "gemv", "moe", "kvread",
		"fault", "map", "unmap", "protect", "dontneed", "free", "fork"};

	for (size_t i = 0; i < LENGTH(ids); i++)
		if (strcmp(id, ids[i]) == 0)
			return true;
	return promise_of(id);
}

static void test_types(void **state)
{
	(void)state;
	for (const struct kernel_id *k = kernel_map; k->id; k++) {
		if (!k->kernel->min_vectors != !(k->kernel->types || takes_any(k->id)))
			fail_msg("%s: which types of elements does it take?", k->id);
		assert_true(k->kernel->types < TYPE_SET(ELEMENT_TYPES));
		/* of the others none computes with 2 or 4 bytes but bucketsort */
		if (k->kernel->types && (kernel_takes(k->kernel, TYPE_FLOAT) ||
						kernel_takes(k->kernel, TYPE_SHORT)))
			fail_msg("%s takes floats or shorts for what they are?", k->id);
	}
}

static void test_promises(void **state)
{
	(void)state;
	for (const struct kernel_id *k = kernel_map; k->id; k++) {
		const struct promise *promise = promise_of(k->id);

		if (!promise)
			continue;
		assert_string_equal(k->kernel->unit, "access");
		assert_true(k->kernel->per_unit.loads == promise->loads);
		assert_true(k->kernel->per_unit.stores == promise->stores);
		assert_int_equal(k->kernel->min_vectors, 1);
		/* the result can be verified only if it does not depend on the number of passes */
		assert_int_equal(k->kernel->verify != NULL, promise->mark != 0);
	}
}

static void test_aliases_and_twins(void **state)
{
	(void)state;
	for (size_t i = 0; i < LENGTH(promises); i++) {
		char sleeper[40], twin[40];

		snprintf(sleeper, sizeof(sleeper), "%s_s", promises[i].name);
		snprintf(twin, sizeof(twin), "%s_O0", promises[i].name);
		assert_ptr_equal(find(sleeper), find(promises[i].name));
		assert_ptr_not_equal(find(twin), find(promises[i].name));
	}
}

static void test_null(void **state)
{
	struct worker nobody = {.workers = 1};

	(void)state;
	assert_int_equal(find("null")->min_vectors, 0);
	assert_int_equal(find("null")->run(&nobody, 12), 12);
}

#define TEST(title, function)                     \
	{                                         \
		title, function, NULL, NULL, NULL \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("ids of the map are unique, aliases follow their name, kernels are complete",
			test_map),
		TEST("groups begin with kernels, in the order of the map", test_groups),
		TEST("a kernel that accesses vectors says of which types", test_types),
		TEST("access kernels claim the loads and stores of their name", test_promises),
		TEST("each access kernel has an alias _s and a twin _O0", test_aliases_and_twins),
		TEST("null does nothing and counts its passes", test_null),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
