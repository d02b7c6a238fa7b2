/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Means of a table that is not square: each stands beside or below what it is of. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "analysis/means.h"
#include "base/alloc.h"

/* Powers of 2, so that means are the mean exponents; one cell was not measured. */
static const double exponents[] = {0, 1, 5, 2, NAN, 8};

static struct table table_of(size_t rows, size_t cols)
{
	struct table t = {.rows = rows, .cols = cols};

	t.cells = alloc_zeroed(rows * cols, sizeof(*t.cells));
	for (size_t i = 0; i < rows * cols; i++) {
		const double value = pow(2, exponents[i]);

		t.cells[i] = isnan(value) ? AMOUNT_NONE : (struct amount){value, value, value};
	}
	t.row_labels = alloc_zeroed(rows + 1, sizeof(*t.row_labels));
	t.col_labels = alloc_zeroed(cols + 1, sizeof(*t.col_labels));
	return t;
}

static void release(struct table *t, bool columns)
{
	free(t->row_labels[t->rows - 1]);
	if (columns)
		free(t->col_labels[t->cols - 1]);
	free(t->row_labels);
	free(t->col_labels);
	free(t->cells);
}

/* expected: exponents; NAN: no mean. */
static void check(const struct table *t, size_t rows, size_t cols, const double *expected)
{
	assert_int_equal(t->rows, rows);
	assert_int_equal(t->cols, cols);
	for (size_t i = 0; i < rows * cols; i++) {
		if (isnan(expected[i]))
			assert_true(isnan(t->cells[i].value));
		else
			assert_float_equal(log2(t->cells[i].value), expected[i], 1e-12);
	}
}

static void each_row_and_column_has_its_mean(void **state)
{
	static const double expected[] = {0, 1, 5, 2, /**/ 2, NAN, 8, 5, /**/ 1, 1, 6.5, 3.2};
	struct table t = table_of(2, 3);

	(void)state;
	means_add(&t, false, false);
	check(&t, 3, 4, expected);
	assert_string_equal(t.row_labels[2], "geometric mean");
	assert_string_equal(t.col_labels[3], "geometric mean");
	release(&t, true);
}

static void one_column_has_only_a_mean_below(void **state)
{
	static const double expected[] = {0, 1, 5, 2};
	struct table t = table_of(3, 1);

	(void)state;
	means_add(&t, false, false);
	check(&t, 4, 1, expected);
	release(&t, false);
}

static void unlike_ones_have_none(void **state)
{
	static const double rows[] = {0, 1, 5, 2, /**/ 2, NAN, 8, 5, /**/ NAN, NAN, NAN, NAN},
			    cols[] = {0, 1, 5, NAN, /**/ 2, NAN, 8, NAN, /**/ 1, 1, 6.5, NAN};
	struct table t = table_of(2, 3);

	(void)state;
	means_add(&t, true, false);
	check(&t, 3, 4, rows);
	release(&t, true);
	t = table_of(2, 3);
	means_add(&t, false, true);
	check(&t, 3, 4, cols);
	release(&t, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_row_and_column_has_its_mean),
		cmocka_unit_test(one_column_has_only_a_mean_below),
		cmocka_unit_test(unlike_ones_have_none),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
