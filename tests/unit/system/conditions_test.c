/* SPDX-License-Identifier: GPL-3.0-or-later */
/* States of the machine that spoil measurements. */
#include "system/conditions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static enum condition_state state_of(const struct machine_condition *c, char *text)
{
	struct fact fact = {.name = c->fact, .value = text};
	const struct environment env = {&fact, text ? 1 : 0};

	return condition_state(c, &env);
}

/* What --check says is on the page too; that a machine is simulated stands there already. */
static void each_row_has_words_for_all_who_say_it(void **state)
{
	(void)state;
	for (const struct machine_condition *c = conditions; c->fact; c++) {
		assert_non_null(c->trouble);
		assert_non_null(c->remedy);
		assert_true(!c->well != !c->spoils);
		assert_true(c->brief || !strcmp(c->fact, "simulated"));
	}
}

static void what_is_not_known_is_neither_well_nor_bad(void **state)
{
	(void)state;
	for (const struct machine_condition *c = conditions; c->fact; c++) {
		assert_int_equal(state_of(c, NULL), CONDITION_UNKNOWN);
		assert_int_equal(state_of(c, "unknown"), CONDITION_UNKNOWN);
		if (c->well)
			assert_int_equal(state_of(c, ""), CONDITION_SPOILS);
		if (c->well) {
			char *first = strndup(c->well, strcspn(c->well, "|"));

			assert_int_equal(state_of(c, first), CONDITION_WELL);
			assert_int_equal(state_of(c, "zzz"), CONDITION_SPOILS);
			free(first);
		}
	}
}

/* The page judges stored facts, the driver those of the machine: one rule. */
static void what_moves_pages_is_no_trouble_on_one_node(void **state)
{
	(void)state;
	for (int nodes = 1; nodes <= 3; nodes++) {
		struct environment env = {0};
		struct fact f = fact_begin("topology");

		for (int i = 0; i < 4; i++)
			fact_add_number(&f, nodes);
		if (nodes < 3)
			environment_take(&env, &f);
		else
			fact_free(&f); /* a result that does not say it */
		environment_add(&env, "numa_balancing", "1");
		environment_add(&env, "boost", "1");
		for (const struct machine_condition *c = conditions; c->fact; c++) {
			const enum condition_state found = condition_state(c, &env);

			if (!strcmp(c->fact, "numa_balancing"))
				assert_int_equal(
					found, nodes == 1 ? CONDITION_WELL : CONDITION_SPOILS);
			if (!strcmp(c->fact, "boost"))
				assert_int_equal(found, CONDITION_SPOILS);
		}
		environment_free(&env);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_row_has_words_for_all_who_say_it),
		cmocka_unit_test(what_is_not_known_is_neither_well_nor_bad),
		cmocka_unit_test(what_moves_pages_is_no_trouble_on_one_node),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
