/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks kernels up in the function map. */
#include "input/registry.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"

static char plain(char c)
{
	return c == '-' ? '_' : c;
}

bool registry_same(const char *a, size_t n, const char *b)
{
	size_t i = 0;

	while (i < n && b[i] && plain(a[i]) == plain(b[i]))
		i++;
	return i == n && !b[i];
}

const struct kernel_id *registry_entry(const char *id)
{
	for (const struct kernel_id *k = kernel_map; k->id; k++)
		if (registry_same(id, strlen(id), k->id))
			return k;
	return NULL;
}

const struct kernel *registry_find(const char *id)
{
	const struct kernel_id *k = registry_entry(id);

	return k ? k->kernel : NULL;
}

const char *registry_lacks(const struct kernel *k)
{
	return k->lacks ? k->lacks() : NULL;
}

const char *registry_nearest(const char *id)
{
	size_t count = 0;

	while (kernel_map[count].id)
		count++;
	const char **names = alloc_zeroed(count, sizeof(*names));
	for (size_t i = 0; i < count; i++)
		names[i] = kernel_map[i].id;
	const char *nearest = text_nearest(id, names, count);
	free(names);
	return nearest;
}

const char *registry_name(const struct kernel *kernel)
{
	for (const struct kernel_id *k = kernel_map; k->id; k++)
		if (k->kernel == kernel)
			return k->id;
	return "?";
}
