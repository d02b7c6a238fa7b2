/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of figures that are in documents. */
#include "programs/affinity-report/grids.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/derive.h"
#include "base/alloc.h"

static const struct amount missing = {NAN, NAN, NAN};

void name_list_add(struct name_list *n, const char *name)
{
	if (name_list_find(n, name) >= 0)
		return;
	n->list = alloc_grow(n->list, n->count, sizeof(*n->list));
	n->list[n->count++] = name;
}

long name_list_find(const struct name_list *n, const char *name)
{
	for (size_t i = 0; i < n->count; i++)
		if (!strcmp(n->list[i], name))
			return (long)i;
	return -1;
}

void name_list_free(struct name_list *n)
{
	free(n->list);
	*n = (struct name_list){0};
}

struct name_list grids_operations(const struct document *d)
{
	struct name_list n = {0};

	for (size_t i = 0; i < d->nruns; i++)
		for (size_t k = 0; k < d->runs[i].operations.count; k++)
			name_list_add(&n, d->runs[i].operations.list[k].name);
	return n;
}

static const char *value_of(const struct document_run *r, const char *variable)
{
	const char *value = document_value(r, variable);

	return value ? value : "";
}

struct name_list grids_values(const struct document *d, const char *variable)
{
	struct name_list n = {0};

	for (size_t i = 0; i < d->nruns; i++)
		name_list_add(&n, value_of(&d->runs[i], variable));
	return n;
}

const struct document_run *grids_run(
	const struct document *d, const char *variable, const char *value)
{
	for (size_t i = 0; i < d->nruns; i++)
		if (!d->runs[i].skipped &&
			(!variable || !strcmp(value_of(&d->runs[i], variable), value)))
			return &d->runs[i];
	return NULL;
}

/* The first run that was measured with both values. */
static const struct document_run *run_at(const struct document *d, const char *variable,
	const char *value, const char *other_variable, const char *other)
{
	for (size_t i = 0; i < d->nruns; i++) {
		const struct document_run *r = &d->runs[i];

		if (!r->skipped && !strcmp(value_of(r, variable), value) &&
			!strcmp(value_of(r, other_variable), other))
			return r;
	}
	return NULL;
}

static struct amount total_of(const struct document_run *r, const char *operation)
{
	const struct document_operation *o = r ? document_operation(r, operation) : NULL;

	return o ? o->total : missing;
}

static struct amount cost_of(const struct document_run *r, const char *operation, size_t thread)
{
	const struct document_operation *o = r ? document_operation(r, operation) : NULL;

	return o && thread < o->njobs ? o->jobs[thread].figures.cost : missing;
}

/* Adds a column for each operation's name. */
static void operation_columns(struct grid *g, const struct name_list *n)
{
	for (size_t i = 0; i < n->count; i++)
		grid_column(g, "%s", n->list[i]);
}

struct grid grids_threads(const struct document_run *r)
{
	struct grid g = {.corner = ""};

	for (size_t k = 0; k < r->operations.count; k++)
		grid_column(&g, "%s", r->operations.list[k].name);
	for (size_t t = 0; t < r->nthreads; t++) {
		struct amount *cells = grid_row(&g, "Thread %zu", t);

		for (size_t k = 0; k < r->operations.count; k++)
			if (t < r->operations.list[k].njobs)
				cells[k] = r->operations.list[k].jobs[t].figures.cost;
	}
	return g;
}

struct grid grids_nodes(const struct document *d, const char *operation)
{
	struct name_list columns = grids_values(d, "thread_node"),
			 rows = grids_values(d, "data_node");
	struct grid g = {.corner = "data \\ thread"};

	for (size_t k = 0; k < columns.count; k++)
		grid_column(&g, "N%s", columns.list[k]);
	for (size_t i = 0; i < rows.count; i++) {
		struct amount *cells = grid_row(&g, "N%s", rows.list[i]);

		for (size_t k = 0; k < columns.count; k++)
			cells[k] = total_of(run_at(d, "data_node", rows.list[i], "thread_node",
						    columns.list[k]),
				operation);
	}
	name_list_free(&columns);
	name_list_free(&rows);
	return g;
}

struct grid grids_series(const struct document *d, const char *operation, const char *variable)
{
	struct name_list rows = grids_values(d, variable);
	struct grid g = {.corner = variable};
	size_t threads = 0;

	for (size_t i = 0; i < d->nruns; i++)
		if (d->runs[i].nthreads > threads)
			threads = d->runs[i].nthreads;
	for (size_t t = 0; t < threads; t++)
		grid_column(&g, "Thread %zu", t);
	for (size_t i = 0; i < rows.count; i++) {
		struct amount *cells = grid_row(&g, "%s", rows.list[i]);

		for (size_t t = 0; t < threads; t++)
			cells[t] = cost_of(grids_run(d, variable, rows.list[i]), operation, t);
	}
	name_list_free(&rows);
	return g;
}

static struct amount number(double value)
{
	return (struct amount){value, NAN, NAN};
}

enum gain { GAIN_EMPIRICAL, GAIN_HYPOTHETICAL, GAIN_BASE };

static struct amount gain_of(const struct document_baseline *b, size_t thread, enum gain kind)
{
	if (thread >= b->nthreads)
		return missing;
	if (kind == GAIN_EMPIRICAL)
		return b->threads[thread].speedup;
	return number(
		kind == GAIN_BASE ? b->threads[thread].base_s : b->threads[thread].hypothetical);
}

struct grid grids_gains(const struct document_run *r)
{
	static const char *const heads[] = {" (E)", " (H)", ": base, s"};
	struct grid g = {.corner = ""};

	for (size_t k = 0; k < r->ngains; k++)
		grid_column(&g, "%s", r->gains[k].operation);
	for (enum gain kind = GAIN_EMPIRICAL; kind <= GAIN_BASE; kind++)
		for (size_t t = 0; t < r->nthreads; t++) {
			bool any = kind != GAIN_HYPOTHETICAL;

			for (size_t k = 0; k < r->ngains; k++)
				any |= isfinite(gain_of(&r->gains[k], t, kind).value);
			if (!any)
				continue;
			struct amount *cells = grid_row(&g, "Thread %zu%s", t, heads[kind]);

			for (size_t k = 0; k < r->ngains; k++)
				cells[k] = gain_of(&r->gains[k], t, kind);
		}
	return g;
}

struct grid grids_slowdowns(const struct document_run *r)
{
	struct grid g = {.corner = ""};
	struct amount *cells;

	for (size_t k = 0; k < r->nsolos; k++)
		grid_column(&g, "%s", r->solos[k].operation);
	for (size_t t = 0; t < r->nthreads; t++) {
		cells = grid_row(&g, "Thread %zu", t);
		for (size_t k = 0; k < r->nsolos; k++)
			if (t < r->solos[k].slowdowns.count)
				cells[k] = r->solos[k].slowdowns.list[t];
	}
	cells = grid_row(&g, "overhead, %%");
	for (size_t k = 0; k < r->nsolos; k++)
		cells[k] = r->solos[k].overhead_percent;
	return g;
}

static void add_run(
	struct grid *g, const struct document_run *r, const struct name_list *operations)
{
	struct amount *cells;

	for (size_t t = 0; t < r->nthreads; t++) {
		cells = grid_row(g, "%s Thread %zu", r->label, t);
		for (size_t k = 0; k < operations->count; k++)
			cells[k] = cost_of(r, operations->list[k], t);
	}
	cells = grid_row(g, "%s Total", r->label);
	for (size_t k = 0; k < operations->count; k++)
		cells[k] = total_of(r, operations->list[k]);
}

struct grid grids_all_costs(const struct document *d)
{
	struct name_list operations = grids_operations(d);
	struct grid g = {.corner = "run"};

	operation_columns(&g, &operations);
	for (size_t i = 0; i < d->nruns; i++)
		if (!d->runs[i].skipped)
			add_run(&g, &d->runs[i], &operations);
	name_list_free(&operations);
	return g;
}

struct grid grids_strides(const struct document *d)
{
	struct name_list operations = grids_operations(d);
	struct grid g = {.corner = "stride, B"};

	operation_columns(&g, &operations);
	for (size_t i = 0; i < d->nruns; i++) {
		const struct document_run *r = &d->runs[i];

		if (r->skipped)
			continue;
		struct amount *cells = grid_row(&g, "%s", value_of(r, "stride_B"));

		for (size_t k = 0; k < operations.count; k++)
			cells[k] = total_of(r, operations.list[k]);
	}
	name_list_free(&operations);
	return g;
}

struct grid grids_types(const struct document *d, const char *operation)
{
	struct name_list types = grids_values(d, "type"), strides = grids_values(d, "stride_B");
	struct grid g = {.corner = "stride, B"};

	for (size_t k = 0; k < types.count; k++)
		grid_column(&g, "%s, ns", types.list[k]);
	for (size_t i = 0; i < strides.count; i++) {
		struct amount *cells = grid_row(&g, "%s", strides.list[i]);

		for (size_t k = 0; k < types.count; k++) {
			const struct document_run *r =
				run_at(d, "type", types.list[k], "stride_B", strides.list[i]);
			const struct document_operation *o =
				r ? document_operation(r, operation) : NULL;

			if (o && o->njobs)
				cells[k] = number(o->jobs[0].figures.ns_per_unit);
		}
	}
	name_list_free(&types);
	name_list_free(&strides);
	return g;
}

/* The slowdown of the first thread's operation when the other thread runs too. */
static struct amount slowdown(const struct document_run *r)
{
	return r->nsolos && r->solos[0].slowdowns.count ? r->solos[0].slowdowns.list[0] : missing;
}

/* The unit that a kernel keeps busy: fp_add and fp_mul use the same one. */
static const char *unit_of(const char *kernel)
{
	static const char *const shared[] = {"fp", "int"};

	for (size_t i = 0; i < sizeof(shared) / sizeof(*shared); i++)
		if (!strncmp(kernel, shared[i], strlen(shared[i])))
			return shared[i];
	return kernel;
}

/* The slowdown of a kernel that runs beside itself, or its mean over kernels that use other units:
 * SMT-Bench's scenario C. */
static struct amount beside(const struct document *d, const char *kernel, bool itself)
{
	struct amount *list = alloc_zeroed(d->nruns + 1, sizeof(*list));
	size_t n = 0;

	for (size_t i = 0; i < d->nruns; i++) {
		const struct document_run *r = &d->runs[i];

		const char *other = value_of(r, "b");

		if (!r->has_solo || strcmp(value_of(r, "a"), kernel))
			continue;
		if (itself ? !strcmp(other, kernel) : strcmp(unit_of(other), unit_of(kernel)) != 0)
			list[n++] = slowdown(r);
	}
	struct amount found = !n ? missing : itself ? list[0] : derive_geometric_mean(list, n);

	free(list);
	return found;
}

struct grid grids_pairs(const struct document *d)
{
	struct grid g = {.corner = "kernel"};
	struct name_list kernels = {0};

	grid_column(&g, "A: alone");
	grid_column(&g, "B: beside itself");
	grid_column(&g, "C: beside other units");
	for (size_t i = 0; i < d->nruns; i++)
		if (d->runs[i].has_solo)
			name_list_add(&kernels, value_of(&d->runs[i], "a"));
	struct amount *itself = alloc_zeroed(kernels.count + 1, sizeof(*itself));
	struct amount *others = alloc_zeroed(kernels.count + 1, sizeof(*others));
	struct amount *cells;

	for (size_t i = 0; i < kernels.count; i++) {
		cells = grid_row(&g, "%s", kernels.list[i]);
		cells[0] = number(1);
		cells[1] = itself[i] = beside(d, kernels.list[i], true);
		cells[2] = others[i] = beside(d, kernels.list[i], false);
	}
	cells = grid_row(&g, "geometric mean");
	cells[0] = number(1);
	cells[1] = derive_geometric_mean(itself, kernels.count);
	cells[2] = derive_geometric_mean(others, kernels.count);
	free(itself);
	free(others);
	name_list_free(&kernels);
	return g;
}
