/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts in HTML. */
#include "base/html.h"

#include <stdbool.h>
#include <string.h>

static const struct {
	char c;
	const char *name;
} entities[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'\'', "&apos;"}, {'"', "&quot;"},
	{' ', "&nbsp;"}, {0, NULL}};

static const char *entity(char c)
{
	for (size_t i = 0; entities[i].name; i++)
		if (entities[i].c == c && c != ' ')
			return entities[i].name;
	return NULL;
}

/* Its number; that behind the last one: none begins here. */
static size_t entity_at(const char *html)
{
	size_t i = 0;

	while (entities[i].name && strncmp(html, entities[i].name, strlen(entities[i].name)))
		i++;
	return i;
}

void html_plain(FILE *out, const char *html)
{
	bool tag = false;

	while (*html) {
		const size_t i = entity_at(html);

		tag = tag || *html == '<';
		if (!tag)
			fputc(entities[i].name ? entities[i].c : *html, out);
		tag = tag && *html != '>';
		html += entities[i].name ? strlen(entities[i].name) : 1;
	}
}

void html_text_n(FILE *out, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *escaped = entity(text[i]);

		if (escaped)
			fputs(escaped, out);
		else if ((unsigned char)text[i] >= ' ' || text[i] == '\n' || text[i] == '\t')
			fputc(text[i], out);
	}
}

void html_text(FILE *out, const char *text)
{
	html_text_n(out, text ? text : "", text ? strlen(text) : 0);
}
