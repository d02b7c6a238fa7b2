/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Refuses a file that has two uses. */
#include "base/output.h"

int output_distinct(const char *const *files, size_t count, struct errors *e)
{
	int failed = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t k = i + 1; k < count; k++)
			if (files[i] && files[k] && output_same(files[i], files[k]))
				failed = error_add(e, STATUS_USAGE, NOWHERE,
					"'%s' and '%s' are the same file", files[i], files[k]);
	return failed;
}
