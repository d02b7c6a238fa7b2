/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds out whether a variable of a sweep is the size of vectors. */
#include "analysis/size_axis.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "input/param.h"

/* Is the word the variable alone, not a factor as in ${n}x4160B? */
static bool whole(const char *word, const char *variable)
{
	size_t n = strlen(variable);

	return !strncmp(word, variable, n) && word[n] != 'x';
}

/* Does the file use the axis's variable as the size of vectors? */
bool size_axis(const struct experiment *x, int axis)
{
	if (axis < 0)
		return false;
	char *plain = alloc_format("$%s", x->sweep.variables[axis].name);
	char *braced = alloc_format("${%s}", x->sweep.variables[axis].name);
	bool is = false;

	for (size_t i = 0; i < x->args->count; i++) {
		const struct entry *e = &x->args->entries[i];

		if (param_is(request_keys, e->key, "sizePerVector"))
			is |= whole(e->value, plain) || whole(e->value, braced);
	}
	free(plain);
	free(braced);
	return is;
}
