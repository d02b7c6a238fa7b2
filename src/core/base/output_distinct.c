/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Refuses a file that has two uses. */
#include "base/output.h"

static int refuse_same_file(const char *one, const char *other, struct errors *e)
{
	error_add(e, STATUS_USAGE, NOWHERE, "'%s' and '%s' are the same file", one, other);
	return error_hint(e, "name another: one would replace the other, or be read twice");
}

int output_distinct(const char *const *files, size_t count, struct errors *e)
{
	int failed = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t k = i + 1; k < count; k++)
			if (files[i] && files[k] && output_same(files[i], files[k]))
				failed = refuse_same_file(files[i], files[k], e);
	return failed;
}
