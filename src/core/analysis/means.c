/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Geometric means of rows, columns, and SMT-Bench's scenarios. */
#include "analysis/means.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/factors.h"
#include "analysis/trust.h"
#include "base/alloc.h"

static const char mean_name[] = "geometric mean";

static char *copy_text(const char *text)
{
	return alloc_string(text, strlen(text));
}

static struct cells cells_of(const struct table *m)
{
	return (struct cells){m->cells, m->rows * m->cols, m->factors, m->confidence};
}

/* The mean of n cells from the first on that are `step` apart. */
static struct amount mean_of(const struct table *m, size_t first, size_t n, size_t step)
{
	const struct cells cells = cells_of(m);
	double *weights = alloc_zeroed(cells.n + 1, sizeof(*weights));

	for (size_t i = 0; i < n; i++)
		weights[first + i * step] = 1;
	struct amount mean = factors_mean(&cells, weights);
	free(weights);
	return mean;
}

/* The samples of a mean are those of its worst cell. */
static void trust_means(struct table *m, const struct amount *cells, size_t rows, size_t cols)
{
	struct trust *all = alloc_zeroed(rows * cols, sizeof(*all));

	for (size_t i = 0; i < m->rows * m->cols; i++) {
		const size_t row = i / m->cols, col = i % m->cols, to = row * cols + col;
		const size_t means[] = {
			row * cols + m->cols, m->rows * cols + col, rows * cols - 1};

		all[to] = m->trust[i];
		for (size_t k = cols > 1 ? 0 : 1; k < 3 && isfinite(m->cells[i].value); k++)
			all[means[k]] = trust_worse(&all[means[k]], &m->trust[i]);
	}
	for (size_t i = 0; i < rows * cols; i++)
		/* ratios with themselves are exact, and so is their mean */
		if ((i / cols == m->rows || i % cols == m->cols) &&
			(all[i].word != TRUST_FIRM || isfinite(cells[i].low)))
			all[i] = trust_of(&all[i].of, quantity_judged(m->head.id, cells[i]));
	free(m->trust);
	m->trust = all;
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
				unlike_cols ? AMOUNT_NONE : mean_of(m, i * m->cols, m->cols, 1);
	}
	for (size_t k = 0; k < m->cols; k++)
		cells[m->rows * cols + k] =
			unlike_rows ? AMOUNT_NONE : mean_of(m, k, m->rows, m->cols);
	cells[rows * cols - 1] =
		unlike_rows || unlike_cols ? AMOUNT_NONE : mean_of(m, 0, m->rows * m->cols, 1);
	if (m->trust)
		trust_means(m, cells, rows, cols);
	free(m->cells);
	m->cells = cells;
	m->row_labels[m->rows++] = copy_text(mean_name);
	if (cols > 1)
		m->col_labels[m->cols++] = copy_text(mean_name);
}

/* ---- scenarios */

enum scenario { SCENARIO_ALONE, SCENARIO_ITSELF, SCENARIO_OTHER_UNITS };

static const char *const scenario_names[SCENARIOS] = {
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

/* Weights of a kernel's slowdowns in one scenario, which add up to 1; false: none is known. The n
 * of `beside` are its columns. */
static bool weigh(enum scenario s, const struct amount *slowdowns, const char *kernel,
	const char *const *beside, size_t n, double *weights)
{
	double sum = 0;

	for (size_t k = 0; k < n; k++) {
		bool itself = !strcmp(beside[k], kernel),
		     other = strcmp(unit_of(beside[k]), unit_of(kernel)) != 0;

		weights[k] = (s == SCENARIO_ITSELF ? itself : other) && slowdowns[k].value > 0;
		sum += weights[k];
	}
	for (size_t k = 0; k < n && sum > 0; k++)
		weights[k] /= sum;
	return sum > 0;
}

/* One column, with its mean below. */
static void fill_scenario(enum scenario s, const struct cells *slowdowns,
	const char *const *kernels, size_t m, const char *const *beside, struct amount *to)
{
	const size_t n = slowdowns->n / m;
	double *all = alloc_zeroed(slowdowns->n + 1, sizeof(*all)),
	       *one = alloc_zeroed(slowdowns->n + 1, sizeof(*one));

	for (size_t i = 0; i < m; i++) {
		bool known = weigh(s, &slowdowns->list[i * n], kernels[i], beside, n, &one[i * n]);

		to[i * SCENARIOS + s] = known ? factors_mean(slowdowns, one) : AMOUNT_NONE;
		memcpy(&all[i * n], &one[i * n], n * sizeof(*one));
		memset(&one[i * n], 0, n * sizeof(*one));
	}
	to[m * SCENARIOS + s] = factors_mean(slowdowns, all);
	free(all);
	free(one);
}

static void scenarios_of(const struct cells *slowdowns, const char *const *kernels, size_t m,
	const char *const *beside, struct amount *to)
{
	for (size_t i = 0; i <= m; i++)
		to[i * SCENARIOS + SCENARIO_ALONE] = AMOUNT_ONE;
	for (enum scenario s = SCENARIO_ITSELF; s < SCENARIOS; s++)
		fill_scenario(s, slowdowns, kernels, m, beside, to);
}

/* That of the figure itself, with the samples of its worst cell. */
static struct trust *trust_scenarios(const struct table *m, const struct amount *cells)
{
	struct trust *all = alloc_zeroed((m->rows + 1) * SCENARIOS, sizeof(*all));
	double *weights = alloc_zeroed(m->cols + 1, sizeof(*weights));

	for (size_t at = SCENARIOS; at-- > SCENARIO_ITSELF;) {
		struct trust *mean = &all[m->rows * SCENARIOS + at];

		for (size_t i = 0; i < m->rows; i++) {
			struct trust *own = &all[i * SCENARIOS + at];

			weigh((enum scenario)at, &m->cells[i * m->cols], m->row_labels[i],
				(const char *const *)m->col_labels, m->cols, weights);
			for (size_t k = 0; k < m->cols; k++)
				if (weights[k] > 0)
					*own = trust_worse(own, &m->trust[i * m->cols + k]);
			*mean = trust_worse(mean, own);
			*own = trust_of(&own->of, cells[i * SCENARIOS + at]);
		}
		*mean = trust_of(&mean->of, cells[m->rows * SCENARIOS + at]);
	}
	free(weights);
	return all;
}

void scenarios_make(struct table *m)
{
	struct amount *cells = alloc_zeroed((m->rows + 1) * SCENARIOS, sizeof(*cells));

	const struct cells slowdowns = cells_of(m);

	scenarios_of(&slowdowns, (const char *const *)m->row_labels, m->rows,
		(const char *const *)m->col_labels, cells);
	struct trust *trust = m->trust ? trust_scenarios(m, cells) : NULL;

	free(m->trust);
	m->trust = trust;
	free(m->cells);
	m->cells = cells;
	m->row_labels[m->rows++] = copy_text(mean_name);
	for (size_t k = 0; k < m->cols; k++)
		free(m->col_labels[k]);
	free(m->col_labels);
	m->cols = SCENARIOS;
	m->col_labels = alloc_zeroed(SCENARIOS, sizeof(*m->col_labels));
	for (size_t k = 0; k < SCENARIOS; k++)
		m->col_labels[k] = copy_text(scenario_names[k]);
	free(m->col_name);
	m->col_name = copy_text("scenario");
}
