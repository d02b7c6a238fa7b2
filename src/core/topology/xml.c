/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the version of hwloc out of an XML file, also of one that the linked hwloc cannot load. */
#include "topology/xml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct version {
	int part[3];
};

static bool is_newer(const struct version *a, const struct version *b)
{
	for (int i = 0; i < 3; i++)
		if (a->part[i] != b->part[i])
			return a->part[i] > b->part[i];
	return false;
}

/* Reads the digits and points at the start of text; false: there are none. */
static bool read_version(const char *text, struct version *v)
{
	*v = (struct version){0};
	return sscanf(text, "%d.%d.%d", &v->part[0], &v->part[1], &v->part[2]) > 0;
}

/* What follows `before` in a line, if it is a version newer than the newest so far. */
static void look_for_version(
	const char *line, const char *before, struct version *newest, char *writer, size_t n)
{
	const char *found = strstr(line, before);
	struct version v;

	if (!found || !read_version(found + strlen(before), &v) || !is_newer(&v, newest))
		return;
	*newest = v;
	found += strlen(before);
	snprintf(writer, n, "%.*s", (int)strspn(found, "0123456789."), found);
}

bool topo_xml_newer(const char *path, const char *linked, char *writer, size_t n)
{
	struct version newest = {0};
	char *line = NULL;
	size_t room = 0;
	FILE *f = fopen(path, "r");

	*writer = '\0';
	read_version(linked, &newest);
	while (f && getline(&line, &room, f) > 0) {
		look_for_version(line, "<topology version=\"", &newest, writer, n);
		look_for_version(line, "name=\"hwlocVersion\" value=\"", &newest, writer, n);
	}
	free(line);
	if (f)
		fclose(f);
	return *writer;
}
