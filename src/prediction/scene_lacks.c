/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says how a kernel differs from those that were measured. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "input/registry.h"
#include "input/values.h"
#include "prediction/scene_kernels.h"

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
	char *with, *set; /* "stride: 64B (not 192B)", "--set stride=64B" */
	size_t count;
};

static void add(struct difference *d, const char *key, const char *wanted, const char *measured)
{
	char *with = alloc_format("%s%s%s: %s (not %s)", d->with ? d->with : "",
		d->with ? ", " : "", key, wanted, measured);
	char *set = alloc_format(
		"%s%s--set %s=%s", d->set ? d->set : "", d->set ? " " : "", key, wanted);

	free(d->with);
	free(d->set);
	*d = (struct difference){with, set, d->count + 1};
}

static void clear(struct difference *d)
{
	free(d->with);
	free(d->set);
	*d = (struct difference){NULL, NULL, 0};
}

static void compare(
	struct difference *d, const struct scene_kind *wanted, const struct scene_kind *k)
{
	if (wanted->type != k->type)
		add(d, "typePerVector", element_names[wanted->type], element_names[k->type]);
	if (wanted->pages != k->pages)
		add(d, "pagesPerVector", pages_names[wanted->pages], pages_names[k->pages]);
	for (const struct param *p = k->kernel->params; p && p->name; p++) {
		char *a = value_of(p, wanted->args), *b = value_of(p, k->args);

		if (a && strcmp(a, b))
			add(d, p->name, a, b);
		free(a);
		free(b);
	}
}

char *scene_not_measured(
	const struct scene *s, const struct plan_job *job, const struct plan_vector *v, int cores)
{
	const struct scene_kind wanted = scene_kind_of(job, v, cores);
	const char *name = registry_name(job->kernel), *kind = topo_kind_name(s->topo, cores);
	struct difference least = {.with = NULL};
	bool known = false;

	for (size_t i = 0; i < s->machine.kernels; i++) {
		struct difference d = {.with = NULL};

		if (s->kinds[i].kernel != job->kernel || s->kinds[i].cores != cores)
			continue;
		compare(&d, &wanted, &s->kinds[i]);
		if (!known || d.count < least.count) {
			const struct difference other = least;

			least = d;
			d = other;
		}
		known = true;
		clear(&d);
	}
	char *set = scene_set_kernel(job->kernel);
	char *why =
		known && least.count
			? alloc_format("the profile has no %s with %s: args/profile with %s", name,
				  least.with, least.set)
			: alloc_format("the profile has no %s%s%s%s: args/profile/03_alone.args "
				       "with --set %s",
				  name, known ? " with these parameters" : "",
				  kind ? ", on cores of the kind " : "", kind ? kind : "", set);

	free(set);
	clear(&least);
	free(wanted.args);
	return why;
}
