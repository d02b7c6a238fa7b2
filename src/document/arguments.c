/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "document/arguments.h"

#include <string.h>

int document_arguments(struct args *a, const struct document *d, struct errors *e)
{
	const char *text = d->arguments.text ? d->arguments.text : "";
	int failed =
		args_parse(a, d->arguments.path ? d->arguments.path : "", text, strlen(text), e);

	for (size_t i = 0; i < d->arguments.set.count; i++)
		failed |= args_set(a, d->arguments.set.list[i], e);
	return failed;
}
