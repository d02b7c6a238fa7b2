/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups, families and patterns of kernels. */
#include <fnmatch.h>
#include <string.h>

#include "input/registry.h"

bool registry_is_alias(const struct kernel_id *k)
{
	return strcmp(registry_name(k->kernel), k->id) != 0;
}

const struct kernel_group *registry_group(const struct kernel_id *k)
{
	const struct kernel_group *g = kernel_groups;

	while (g[1].title && g[1].begins <= k - kernel_map)
		g++;
	return g;
}

const struct kernel_family *registry_family(const char *id)
{
	for (const struct kernel_family *f = kernel_families; f->pattern; f++)
		if (!fnmatch(f->pattern, id, 0))
			return f;
	return NULL;
}

static bool has_pattern(const struct kernel *k, const char *pattern)
{
	for (const struct kernel_id *at = kernel_map; at->id; at++)
		if (at->kernel == k && !fnmatch(pattern, at->id, 0))
			return true;
	return false;
}

bool registry_listed(const struct kernel *k, const struct words *patterns)
{
	for (size_t i = 0; i < patterns->count; i++)
		if (has_pattern(k, patterns->word[i]))
			return true;
	return !patterns->count;
}

int registry_check_patterns(const struct words *patterns, struct errors *e)
{
	int failed = 0;

	for (size_t i = 0; i < patterns->count; i++) {
		const struct kernel_id *k = kernel_map;

		while (k->id && !has_pattern(k->kernel, patterns->word[i]))
			k++;
		if (k->id)
			continue;
		failed =
			error_unknown(e, STATUS_USAGE, NOWHERE, registry_nearest(patterns->word[i]),
				"no kernel's name has the pattern '%s'", patterns->word[i]);
		error_hint(e, "* stands for any letters: affinity --list '*add*'");
	}
	return failed;
}
