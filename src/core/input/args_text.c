/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What people read of an argument file. */
#include <string.h>

#include "base/alloc.h"
#include "input/args.h"

static bool is_mark(const char *line)
{
	const char *words = line + 1 + strspn(line + 1, " \t");

	return *line == '#' && (!strncmp(words, "quick:", 6) || !strncmp(words, "full:", 5) ||
				       !strncmp(words, "SPDX", 4));
}

/* With its end. */
static size_t line_length(const char *line)
{
	const size_t length = strcspn(line, "\n");

	return length + (line[length] == '\n');
}

char *args_comment(const char *text)
{
	char *comment = alloc_zeroed(strlen(text) + 1, 1), *end = comment;

	for (; *text == '#'; text += line_length(text)) {
		const char *words = text + 1 + (text[1] == ' ');
		const size_t length = strcspn(words, "\n");

		if (is_mark(text) || (!length && end == comment))
			continue;
		if (end != comment)
			*end++ = '\n';
		end = mempcpy(end, words, length);
	}
	return comment;
}

char *args_full(const char *text)
{
	static const char key[] = "# full: ";

	for (; *text == '#'; text += line_length(text))
		if (!strncmp(text, key, sizeof(key) - 1))
			return alloc_string(
				text + sizeof(key) - 1, strcspn(text + sizeof(key) - 1, "\n"));
	return NULL;
}

char *args_lines(const char *text)
{
	char *lines = alloc_zeroed(strlen(text) + 1, 1), *end = lines;
	bool begun = *text != '#';

	for (; *text; text += line_length(text)) {
		if (is_mark(text) || (!begun && *text == '#'))
			continue;
		if (begun || *text != '\n') /* one that ends the comment */
			end = mempcpy(end, text, line_length(text));
		begun = true;
	}
	return lines;
}
