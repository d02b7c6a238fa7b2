/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds what the mappings of a comparison do not have in common. */
#include "affinity-map/comparable.h"

int comparable_count(const struct topo *t, const int *cpus, int n, int kind)
{
	int count = 0;

	for (int i = 0; i < n; i++) {
		const struct topo_cpu *c = topo_cpu(t, cpus[i]);

		count += c && c->kind == kind;
	}
	return count;
}

/* How many threads of a program are on cores of a kind. */
static int count_on_kind(const struct map_result *r, int layout, int app, int kind)
{
	return comparable_count(r->topo, r->layouts[layout].cpus[app], r->apps[app].threads, kind);
}

static bool has_other_kinds(const struct map_result *r, int layout, int app)
{
	for (int kind = 0; kind < r->topo->nkinds; kind++)
		if (count_on_kind(r, layout, app, kind) != count_on_kind(r, 0, app, kind))
			return true;
	return false;
}

/* Random places and the system's choice differ in everything, which is their purpose. */
static bool is_fixed(enum mapping_method method)
{
	return method != MAPPING_OS && method != MAPPING_RANDOM;
}

/* Returns whether the mapping is told. */
static bool warn_of_kinds(const struct map_result *r, int layout, struct errors *e)
{
	for (int i = 0; i < r->napps; i++) {
		if (!is_fixed(r->layouts[layout].method) || !has_other_kinds(r, layout, i))
			continue;
		error_warn(e,
			"mapping %s gives '%s' cores of other kinds than %s: the ratio of "
			"their times compares cores too",
			mapping_methods[r->layouts[layout].method], r->apps[i].name,
			mapping_methods[r->layouts[0].method]);
		error_hint(e, "taskset -c with the CPUs of one kind keeps to that kind; "
			      "affinity --topology lists them");
		return true;
	}
	return false;
}

void comparable_kinds(const struct map_result *r, struct errors *e)
{
	for (int l = 1; l < r->nlayouts && is_fixed(r->layouts[0].method); l++)
		warn_of_kinds(r, l, e);
}

void comparable_kinds_of_pairs(const struct map_pairs *p, struct errors *e)
{
	for (int l = 1; l < p->options->nmethods; l++) {
		bool told = !is_fixed(p->options->methods[0].method);

		for (int i = 0; i < p->n && !told; i++)
			told = warn_of_kinds(&p->list[i].job.result, l, e);
	}
}
