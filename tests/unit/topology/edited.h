/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Descriptions of machines that differ from those of tests/topologies. Include it after cmocka.h.
 */
#ifndef EDITED_H
#define EDITED_H

#include <stdlib.h>
#include <string.h>

#include "../described.h"
#include "../scratch.h"
#include "base/alloc.h"

static char *text_of(const char *path)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = fopen(path, "r");

	assert_non_null(f);
	assert_true(getdelim(&text, &size, '\0', f) > 0);
	fclose(f);
	return text;
}

/* text with every `from` replaced, of which there must be one at least; frees it. */
static char *replaced(char *text, const char *from, const char *to)
{
	char *at = strstr(text, from);

	assert_non_null(at);
	while (at) {
		size_t before = (size_t)(at - text);
		char *longer = alloc_format("%.*s%s%s", (int)before, text, to, at + strlen(from));

		free(text);
		text = longer;
		at = strstr(text + before + strlen(to), from);
	}
	return text;
}

/* Loads the machine of a file with pairs FROM, TO replaced, NULL at the end. */
static inline void edited(struct topo *t, const char *path, const char *const *pairs)
{
	char *text = text_of(path);

	for (; *pairs; pairs += 2)
		text = replaced(text, pairs[0], pairs[1]);
	described(t, "HWLOC_XMLFILE", scratch_write(text));
	free(text);
}

#endif
