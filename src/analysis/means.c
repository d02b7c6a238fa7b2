/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Geometric means of rows, columns, and SMT-Bench's scenarios. */
#include "analysis/means.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static const char mean_name[] = "geometric mean";

static char *copy(const char *text)
{
	return alloc_string(text, strlen(text));
}

/* The mean of n cells that are `step` apart. */
static struct amount mean_of(const struct amount *cells, size_t n, size_t step)
{
	struct amount *list = alloc_zeroed(n + 1, sizeof(*list));

	for (size_t i = 0; i < n; i++)
		list[i] = cells[i * step];
	struct amount mean = derive_geometric_mean(list, n);
	free(list);
	return mean;
}

void means_add(struct table *m, bool unlike_rows, bool unlike_cols)
{
	size_t rows = m->rows + 1, cols = m->cols > 1 ? m->cols + 1 : 1;
	struct amount *cells = alloc_zeroed(rows * cols, sizeof(*cells));

	for (size_t i = 0; i < m->rows; i++) {
		for (size_t k = 0; k < m->cols; k++)
			cells[i * cols + k] = m->cells[i * m->cols + k];
		if (cols > 1)
			cells[i * cols + m->cols] =
				unlike_cols ? AMOUNT_NONE
					    : mean_of(&m->cells[i * m->cols], m->cols, 1);
	}
	for (size_t k = 0; k < m->cols; k++)
		cells[m->rows * cols + k] =
			unlike_rows ? AMOUNT_NONE : mean_of(&m->cells[k], m->rows, m->cols);
	cells[rows * cols - 1] =
		unlike_rows || unlike_cols ? AMOUNT_NONE : mean_of(m->cells, m->rows * m->cols, 1);
	free(m->cells);
	m->cells = cells;
	m->row_labels[m->rows++] = copy(mean_name);
	if (cols > 1)
		m->col_labels[m->cols++] = copy(mean_name);
}

/* ---- scenarios */

enum scenario { SCENARIO_ALONE, SCENARIO_ITSELF, SCENARIO_OTHER_UNITS };

const char *const scenario_names[SCENARIOS] = {
	"A: alone", "B: beside itself", "C: beside other units"};

/* The unit of the core that a kernel keeps busy: fp_add and fp_mul use the same one. */
static const char *unit_of(const char *kernel)
{
	static const char *const shared[] = {"fp", "int"};

	for (size_t i = 0; i < sizeof(shared) / sizeof(*shared); i++)
		if (!strncmp(kernel, shared[i], strlen(shared[i])))
			return shared[i];
	return kernel;
}

/* A kernel's slowdowns in one scenario, as a mean; the first n of `beside` are its columns. */
static struct amount in_scenario(enum scenario s, const struct amount *slowdowns,
	const char *kernel, const char *const *beside, size_t n)
{
	struct amount *list = alloc_zeroed(n + 1, sizeof(*list)), found = AMOUNT_NONE;
	size_t count = 0;

	for (size_t k = 0; k < n; k++) {
		if (!strcmp(beside[k], kernel))
			found = slowdowns[k];
		if (strcmp(unit_of(beside[k]), unit_of(kernel)) != 0)
			list[count++] = slowdowns[k];
	}
	if (s == SCENARIO_OTHER_UNITS)
		found = derive_geometric_mean(list, count);
	free(list);
	return found;
}

void scenarios_of(const struct amount *slowdowns, const char *const *kernels, size_t m,
	const char *const *beside, size_t n, struct amount *to)
{
	for (size_t i = 0; i < m; i++) {
		struct amount *row = &to[i * SCENARIOS];

		row[SCENARIO_ALONE] = AMOUNT_ITSELF;
		for (enum scenario s = SCENARIO_ITSELF; s < SCENARIOS; s++)
			row[s] = in_scenario(s, &slowdowns[i * n], kernels[i], beside, n);
	}
	to[m * SCENARIOS + SCENARIO_ALONE] = AMOUNT_ITSELF;
	for (enum scenario s = SCENARIO_ITSELF; s < SCENARIOS; s++)
		to[m * SCENARIOS + s] = mean_of(&to[s], m, SCENARIOS);
}

void scenarios_make(struct table *m)
{
	struct amount *cells = alloc_zeroed((m->rows + 1) * SCENARIOS, sizeof(*cells));

	scenarios_of(m->cells, (const char *const *)m->row_labels, m->rows,
		(const char *const *)m->col_labels, m->cols, cells);
	free(m->cells);
	m->cells = cells;
	m->row_labels[m->rows++] = copy(mean_name);
	for (size_t k = 0; k < m->cols; k++)
		free(m->col_labels[k]);
	free(m->col_labels);
	m->cols = SCENARIOS;
	m->col_labels = alloc_zeroed(SCENARIOS, sizeof(*m->col_labels));
	for (size_t k = 0; k < SCENARIOS; k++)
		m->col_labels[k] = copy(scenario_names[k]);
	free(m->col_name);
	m->col_name = copy("scenario");
}
