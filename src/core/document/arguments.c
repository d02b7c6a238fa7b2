/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "document/arguments.h"

#include <string.h>

#include "base/text.h"

static const char *text_of(const struct document *d)
{
	return d->arguments.text ? d->arguments.text : "";
}

int document_arguments(struct args *a, const struct document *d, struct errors *e)
{
	const char *text = text_of(d);
	int failed =
		args_parse(a, d->arguments.path ? d->arguments.path : "", text, strlen(text), e);

	for (size_t i = 0; i < d->arguments.set.count; i++)
		failed |= args_set(a, d->arguments.set.list[i], e);
	return failed;
}

char *document_comment(const struct document *d)
{
	return args_comment(text_of(d));
}

char *document_full(const struct document *d)
{
	return args_full(text_of(d));
}

char *document_lines(const struct document *d)
{
	return args_lines(text_of(d));
}

bool document_same_file(const struct document *a, const struct document *b)
{
	return *text_of(a) && !strcmp(text_of(a), text_of(b));
}

bool document_same_arguments(const struct document *a, const struct document *b)
{
	const struct document_texts *first = &a->arguments.set, *second = &b->arguments.set;
	bool same = !strcmp(text_of(a), text_of(b)) && first->count == second->count;

	for (size_t i = 0; same && i < first->count; i++)
		same = !strcmp(first->list[i], second->list[i]);
	return same;
}

void document_print_set(const struct document *d, FILE *out)
{
	for (size_t i = 0; i < d->arguments.set.count; i++) {
		fputs("--set ", out);
		text_print_quoted(d->arguments.set.list[i], out);
		fputc(' ', out);
	}
}
