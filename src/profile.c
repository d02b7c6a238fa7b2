/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads instruction mixes. */
#include "profile.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "text.h"

/* A thousand kernels of six types are a tenth of this; what is longer is no profile. */
#define MAX_LINES 65536

/* What the columns of a file are, by their index; -1: there is none. */
struct columns {
	int name, type, share;
	int of_type[MAPPING_TYPES];
};

static int type_of(const char *word)
{
	for (int i = 0; i < MAPPING_TYPES; i++)
		if (!strcmp(word, mapping_types[i]))
			return i;
	return -1;
}

/* Cuts a line at its commas, in place; a field may be empty. */
static int split(char *line, char **fields, int most)
{
	int count = 0;

	for (char *field; count < most && (field = strsep(&line, ","));)
		fields[count++] = text_trim(field);
	return count;
}

#define MAX_FIELDS 64

static int read_head(struct columns *c, char *line, struct place at, struct errors *e)
{
	char *fields[MAX_FIELDS];
	int count = split(line, fields, MAX_FIELDS), types = 0;

	*c = (struct columns){-1, -1, -1, {-1, -1, -1, -1, -1}};
	for (int i = 0; i < count; i++) {
		int type = type_of(fields[i]);

		if (!strcmp(fields[i], "kernel") || !strcmp(fields[i], "program"))
			c->name = i;
		else if (!strcmp(fields[i], "type"))
			c->type = i;
		else if (!strcmp(fields[i], "share"))
			c->share = i;
		else if (type >= 0)
			c->of_type[type] = i;
		types += type >= 0;
	}
	if (c->name >= 0 && ((c->type >= 0 && c->share >= 0) || types))
		return 0;
	error_add(e, STATUS_USAGE, at, "these are not the columns of a profile");
	return error_hint(e, "'kernel,type,share' (or 'program'), or 'kernel' and a column for "
			     "each of branch, fp, int, load, store");
}

static double *shares_of(struct profile *p, const char *name)
{
	for (size_t i = 0; i < p->count; i++)
		if (!strcmp(p->rows[i].name, name))
			return p->rows[i].share;
	p->rows = alloc_grow(p->rows, p->count, sizeof(*p->rows));
	struct profile_row *row = &p->rows[p->count++];
	row->name = alloc_string(name, strlen(name));
	for (int i = 0; i < MAPPING_TYPES; i++)
		row->share[i] = NAN;
	return row->share;
}

/* n/a, or nothing, is not 0. */
static int set_share(double *share, const char *name, int type, const char *text, struct place at,
	struct errors *e)
{
	double value;

	if (!*text || !strcmp(text, "n/a"))
		return 0;
	if (text_fraction(text, &value) || value < 0 || value > 1) {
		error_add(e, STATUS_USAGE, at, "'%s' is not a share", text);
		return error_hint(
			e, "the part of all instructions, 0 .. 1 or 0%% .. 100%%; or n/a");
	}
	if (!isnan(share[type]))
		return error_add(e, STATUS_USAGE, at, "the share of %s of '%s' is given twice",
			mapping_types[type], name);
	share[type] = value;
	return 0;
}

/* Types that the paper does not know ("other", "simd") have no place in the mapping. */
static int read_row(
	struct profile *p, const struct columns *c, char *line, struct place at, struct errors *e)
{
	char *fields[MAX_FIELDS];
	int count = split(line, fields, MAX_FIELDS), failed = 0;

	if (count <= c->name || !*fields[c->name])
		return error_add(e, STATUS_USAGE, at, "this row names no kernel or program");
	const char *name = fields[c->name];
	double *share = shares_of(p, name);
	if (c->type >= 0 && c->share >= 0) {
		if (count <= c->type || count <= c->share)
			return error_add(e, STATUS_USAGE, at, "this row has too few columns");
		int type = type_of(fields[c->type]);
		return type < 0 ? 0 : set_share(share, name, type, fields[c->share], at, e);
	}
	for (int i = 0; i < MAPPING_TYPES; i++)
		if (c->of_type[i] >= 0 && c->of_type[i] < count)
			failed |= set_share(share, name, i, fields[c->of_type[i]], at, e);
	return failed;
}

static int read_lines(struct profile *p, FILE *in, const char *path, struct errors *e)
{
	struct columns columns;
	struct place at = {path, 0};
	char *line = NULL;
	size_t room = 0;
	bool head = false;
	int failed = 0;

	while (failed >= 0 && getline(&line, &room, in) >= 0) {
		char *text = text_trim(line);

		at.line++;
		if (at.line > MAX_LINES)
			failed = error_add(e, STATUS_USAGE, (struct place){path, 0},
				"has more than %d lines; this is not a profile", MAX_LINES);
		else if (!*text || *text == '#')
			continue;
		else if (head)
			read_row(p, &columns, text, at, e);
		else
			failed = read_head(&columns, text, at, e);
		head = true;
	}
	if (!failed && !head && !ferror(in))
		failed = error_add(e, STATUS_USAGE, (struct place){path, 0}, "is empty");
	free(line);
	return failed;
}

int profile_read(struct profile *p, const char *path, struct place at, struct errors *e)
{
	size_t before = e->failures;
	FILE *in = fopen(path, "re");

	if (!in)
		return error_add(e, STATUS_USAGE, at, "cannot read the profile '%s': %s", path,
			strerror(errno));
	errno = 0;
	read_lines(p, in, path, e);
	if (ferror(in))
		error_add(e, STATUS_USAGE, at, "cannot read the profile '%s': %s", path,
			strerror(errno));
	fclose(in);
	return e->failures == before ? 0 : -1;
}

const double *profile_find(const struct profile *p, const char *name)
{
	for (size_t i = 0; i < p->count; i++)
		if (!strcmp(p->rows[i].name, name))
			return p->rows[i].share;
	return NULL;
}

void profile_free(struct profile *p)
{
	for (size_t i = 0; i < p->count; i++)
		free(p->rows[i].name);
	free(p->rows);
	*p = (struct profile){0};
}
