/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says how a kernel differs from those that were measured. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "input/param.h"
#include "input/registry.h"
#include "input/values.h"
#include "prediction/modelled_kernels.h"

/* A parameter's value as a file has it, to be freed; NULL: of a type that is not compared. */
static char *value_of(const struct param *p, const void *args)
{
	const void *field = (const char *)args + p->offset;
	const struct extent *extent = field;

	switch (p->type) {
	case PARAM_CHOICE:
		return alloc_format("%s", p->choices[*(const int *)field]);
	case PARAM_EXTENT:
		return alloc_format(
			"%llu%s", (unsigned long long)extent->value, extent->bytes ? "B" : "");
	case PARAM_COUNT:
	case PARAM_BYTES:
		return alloc_format("%llu", (unsigned long long)*(const uint64_t *)field);
	case PARAM_REAL:
	case PARAM_FRACTION:
		return alloc_format("%g", *(const double *)field);
	case PARAM_FLAG:
		return alloc_format("%s", *(const bool *)field ? "yes" : "no");
	default:
		return NULL;
	}
}

/* What is asked for and what was measured, of one kind. */
struct difference {
	char *with; /* "stride: 64B (not 192B)" */
	size_t count;
};

static void add_kernel_difference(
	struct difference *d, const char *key, const char *wanted, const char *measured)
{
	char *with = alloc_format("%s%s%s: %s (not %s)", d->with ? d->with : "",
		d->with ? ", " : "", key, wanted, measured);

	free(d->with);
	*d = (struct difference){with, d->count + 1};
}

static void clear_difference(struct difference *d)
{
	free(d->with);
	*d = (struct difference){NULL, 0};
}

/* Random order has no stride. */
static bool is_unused(const struct modelled_kind *k, const struct param *p)
{
	return k->random && p->type == PARAM_EXTENT && !strcmp(p->name, "stride");
}

static void compare_kinds(
	struct difference *d, const struct modelled_kind *wanted, const struct modelled_kind *k)
{
	if (wanted->type != k->type)
		add_kernel_difference(
			d, "typePerVector", element_names[wanted->type], element_names[k->type]);
	if (wanted->pages != k->pages)
		add_kernel_difference(
			d, "pagesPerVector", pages_names[wanted->pages], pages_names[k->pages]);
	for (const struct param *p = k->kernel->params; p && p->name; p++) {
		char *a = value_of(p, wanted->args), *b = value_of(p, k->args);

		if (a && strcmp(a, b) && !is_unused(wanted, p))
			add_kernel_difference(d, p->name, a, b);
		free(a);
		free(b);
	}
}

static void add_set(char **set, const char *key, const char *value)
{
	alloc_append(set, "", " --set %s=%s", key, value);
}

/* What 03_alone.args takes to measure this kind: its own vectors are of type double, on pages as
 * the system gives them, with a stride of 192 bytes. To be freed. */
static char *set_of(
	const struct plan_job *job, const struct plan_vector *v, const struct modelled_kind *wanted)
{
	char *kernels = modelled_set_kernel(job->kernel);
	char *set = alloc_format("--set %s", kernels);
	struct plan_job usual = *job;

	usual.args = alloc_zeroed(1, job->kernel->args_size + 1);
	param_defaults(job->kernel->params, usual.args);
	struct modelled_kind normal = modelled_kind_of(&usual, v, wanted->cores);

	if (wanted->type != TYPE_DOUBLE)
		add_set(&set, "typePerVector", element_names[wanted->type]);
	if (wanted->pages != PAGES_SYSTEM)
		add_set(&set, "pagesPerVector", pages_names[wanted->pages]);
	for (const struct param *p = job->kernel->params; p && p->name; p++) {
		char *a = value_of(p, wanted->args), *b = value_of(p, normal.args);
		const bool stride = p->type == PARAM_EXTENT && !strcmp(p->name, "stride");

		if (a && strcmp(a, stride ? "192B" : b) && !is_unused(wanted, p))
			add_set(&set, p->name, a);
		free(a);
		free(b);
	}
	free(normal.args);
	free(usual.args);
	free(kernels);
	return set;
}

char *modelled_not_measured(const struct modelled *s, const struct plan_job *job,
	const struct plan_vector *v, int cores)
{
	const struct modelled_kind wanted = modelled_kind_of(job, v, cores);
	const char *name = registry_name(job->kernel), *kind = topo_kind_name(s->topo, cores);
	struct difference least = {.with = NULL};
	bool known = false;

	for (size_t i = 0; i < s->machine.kernels; i++) {
		struct difference d = {.with = NULL};

		if (s->kinds[i].kernel != job->kernel || s->kinds[i].cores != cores)
			continue;
		compare_kinds(&d, &wanted, &s->kinds[i]);
		if (!known || d.count < least.count) {
			const struct difference other = least;

			least = d;
			d = other;
		}
		known = true;
		clear_difference(&d);
	}
	char *set = set_of(job, v, &wanted);
	char *why = known && least.count
			    ? alloc_format("the profile has no %s with %s: "
					   "args/profile/03_alone.args with %s",
				      name, least.with, set)
			    : alloc_format("the profile has no %s%s%s%s: "
					   "args/profile/03_alone.args with %s",
				      name, known ? " with these parameters" : "",
				      kind ? ", on cores of the kind " : "", kind ? kind : "", set);

	free(set);
	clear_difference(&least);
	free(wanted.args);
	return why;
}
