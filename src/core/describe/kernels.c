/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The function map as JSON. */
#include <string.h>

#include "describe/describe.h"
#include "input/param.h"
#include "input/registry.h"

static json_t *parameters(const struct param *table)
{
	json_t *list = json_array();
	char range[256];

	for (const struct param *p = table; p && p->name; p++)
		json_array_append_new(list,
			json_pack("{s:s, s:s?, s:s, s:s?}", "name", p->name, "default", p->fallback,
				"range", param_range(p, range, sizeof(range)), "help", p->help));
	return list;
}

static json_t *aliases(const struct kernel *kernel)
{
	json_t *list = json_array();

	for (const struct kernel_id *k = kernel_map; k->id; k++)
		if (k->kernel == kernel && registry_is_alias(k))
			json_array_append_new(list, json_string(k->id));
	return list;
}

static json_t *figures_json(const struct kernel *k)
{
	json_t *list = json_array();

	for (const struct kernel_figure *f = k->figures; f && f->name; f++)
		json_array_append_new(list, json_pack("{s:s, s:s, s:s}", "name", f->name, "unit",
						    f->unit, "help", f->help));
	return list;
}

static json_t *kernel(const struct kernel_id *k)
{
	const struct kernel_family *family = registry_family(k->id);
	char loop[256];

	return json_pack("{s:s, s:o, s:s, s:s?, s:s, s:s, s:i, s:s?, s:s, s:o, s:o}", "name", k->id,
		"aliases", aliases(k->kernel), "group", registry_group(k)->title, "family",
		family ? family->pattern : NULL, "summary", k->kernel->summary, "unit",
		k->kernel->unit, "least_vectors", k->kernel->min_vectors, "lacks",
		registry_lacks(k->kernel), "loop",
		registry_loop_text(registry_loop(k->kernel, NULL), loop, sizeof(loop)),
		"parameters", parameters(k->kernel->params), "figures", figures_json(k->kernel));
}

char *describe_kernels(const struct words *patterns)
{
	json_t *o = describe_begin("affinity --list"), *list = json_array();

	for (const struct kernel_id *k = kernel_map; k->id; k++)
		if (!registry_is_alias(k) && registry_listed(k->kernel, patterns))
			json_array_append_new(list, kernel(k));
	json_object_set_new(o, "kernels", list);
	json_object_set_new(o, "parameters_of_all", parameters(common_params));
	return describe_text(o);
}
