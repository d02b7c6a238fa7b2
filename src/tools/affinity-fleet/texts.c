/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A tree finds the number of a text: a fleet has a million figures, most of them with known names.
 */
#include "affinity-fleet/texts.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct name {
	const char *text;
	size_t number;
};

static int compare_texts(const void *a, const void *b)
{
	return strcmp(((const struct name *)a)->text, ((const struct name *)b)->text);
}

size_t texts_number(struct texts *n, const char *text)
{
	const struct name wanted = {text, 0};
	struct name **found = tfind(&wanted, &n->tree, compare_texts);

	if (found)
		return (*found)->number;
	struct name *added = alloc_zeroed(1, sizeof(*added));

	*added = (struct name){alloc_string(text, strlen(text)), n->count};
	if (!tsearch(added, &n->tree, compare_texts))
		alloc_exhausted();
	n->list = alloc_grow(n->list, n->count, sizeof(*n->list));
	n->list[n->count] = added->text;
	return n->count++;
}

static void free_name(void *name)
{
	free(name);
}

void texts_free(struct texts *n)
{
	for (size_t i = 0; i < n->count; i++)
		free((char *)n->list[i]);
	free(n->list);
	tdestroy(n->tree, free_name);
	*n = (struct texts){0};
}
