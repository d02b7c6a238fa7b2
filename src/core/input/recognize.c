/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks at the lines of a file as an argument file has them. */
#include "input/recognize.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "input/param.h"
#include "input/request.h"

/* Lines of a file without empty ones and comments. */
struct content {
	size_t keys;   /* with a key of the argument file */
	size_t others; /* that are not of the form `key: value`, the key a word */
};

static bool is_word(const char *text)
{
	return *text && !text[strspn(text, "abcdefghijklmnopqrstuvwxyz"
					   "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")];
}

static void take_line(struct content *c, char *line)
{
	char *comment = strchr(line, '#'), *colon;

	if (comment)
		*comment = '\0';
	line = text_trim(line);
	if (!*line)
		return;
	colon = strchr(line, ':');
	if (colon)
		*colon = '\0';
	const char *key = text_trim(line);
	if (!colon || !is_word(key))
		c->others++;
	else if (param_find(request_keys, key))
		c->keys++;
}

int recognize_args(const char *path)
{
	struct content c = {0};
	struct stat st;
	char *line = NULL;
	size_t size = 0;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return -1;
	FILE *in = fopen(path, "re");
	if (!in)
		return -1;
	while (getline(&line, &size, in) >= 0)
		take_line(&c, line);
	free(line);
	fclose(in);
	return c.keys && c.others <= c.keys;
}
