/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The comment at the start of an argument file: what the experiment is for. */
#include "affinity-report/store/comment.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "analysis/heading.h"

/* A shorter part in front of a colon is a remark, such as "One thread:". */
#define SHORTEST_TITLE 16

/* Does a sentence end with this full stop or question mark? "1, 2 ... threads" and "V.-O. Politis"
 * go on. */
static bool ends_sentence(const char *text, size_t at)
{
	bool initial = at > 1 && isupper((unsigned char)text[at - 1]) &&
		       !isalnum((unsigned char)text[at - 2]);

	return strchr(".?", text[at]) && !initial && (!at || text[at - 1] != '.') &&
	       isspace((unsigned char)text[at + 1]) && isupper((unsigned char)text[at + 2]);
}

/* The length of the first sentence, or, unless `whole`, of what is before its colon. */
static size_t title_length(const char *text, bool whole)
{
	size_t n = 0;

	while (text[n] && strncmp(text + n, "\n\n", 2) != 0 && !ends_sentence(text, n)) {
		if (!whole && n >= SHORTEST_TITLE && text[n] == ':' &&
			isspace((unsigned char)text[n + 1]))
			break;
		n++;
	}
	return n;
}

struct comment comment_read(char *all, bool whole)
{
	size_t n = title_length(all, whole), next = n;
	struct comment c = {.all = all};

	next += strspn(all + next, ".:?");
	next += strspn(all + next, " \n");
	while (n && (all[n - 1] == '.' || isspace((unsigned char)all[n - 1])))
		n--;
	n += all[n] == '?';
	c.title = alloc_string(all, n);
	for (char *at = c.title; *at; at++)
		*at = *at == '\n' ? ' ' : *at;
	c.rest = alloc_string(all + next, strlen(all + next));
	heading_begin(c.rest);
	return c;
}

void comment_free(struct comment *c)
{
	free(c->all);
	free(c->title);
	free(c->rest);
	*c = (struct comment){NULL, NULL, NULL};
}
