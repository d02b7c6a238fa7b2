/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads instruction mixes. */
#include "mapping/profile.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"

/* A thousand kernels of six types need a tenth of this; a longer file is not a profile. */
#define MAX_BYTES (1u << 20)

/* The types that a file may contain: those of the mapping, and simd. */
enum { SIMD = MAPPING_TYPES, KINDS };

/* The index of each column of a file; -1: there is no such column. */
struct columns {
	int name, type, share, variant;
	int of_type[KINDS];
};

/* Returns -1 for a type that is ignored here ("other"). */
static int type_of(const char *word)
{
	for (int i = 0; i < MAPPING_TYPES; i++)
		if (!strcmp(word, mapping_types[i]))
			return i;
	return strcmp(word, "simd") ? -1 : SIMD;
}

/* Removes the quotes of a field that begins behind a quote, in place: two quotes in it are one.
 * Returns what follows the closing quote. */
static char *unquote(char *field)
{
	char *to = field;

	for (; *field && (*field != '"' || field[1] == '"'); field++) {
		*to++ = *field;
		field += *field == '"';
	}
	char *rest = *field ? field + 1 : field;

	*to = '\0';
	return rest;
}

/* Splits a line at its commas, in place, as RFC 4180 says: not at those in quotes. A field may be
 * empty. */
static int split(char *line, char **fields, int most)
{
	int count = 0;

	while (count < most && line) {
		char *field = line + strspn(line, " \t");

		if (*field == '"') {
			line = unquote(field + 1);
			strsep(&line, ",");
			fields[count++] = field + 1;
		} else {
			strsep(&line, ",");
			fields[count++] = text_trim(field);
		}
	}
	return count;
}

#define MAX_FIELDS 64

static int read_head(struct columns *c, char *line, struct place at, struct errors *e)
{
	char *fields[MAX_FIELDS];
	int count = split(line, fields, MAX_FIELDS), types = 0;

	*c = (struct columns){-1, -1, -1, -1, {-1, -1, -1, -1, -1, -1}};
	for (int i = 0; i < count; i++) {
		int type = type_of(fields[i]);

		if (!strcmp(fields[i], "kernel") || !strcmp(fields[i], "program"))
			c->name = i;
		else if (!strcmp(fields[i], "type"))
			c->type = i;
		else if (!strcmp(fields[i], "share"))
			c->share = i;
		else if (!strcmp(fields[i], "variant"))
			c->variant = i;
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

static struct profile_row *row_of(struct profile *p, const char *name)
{
	for (size_t i = 0; i < p->count; i++)
		if (!strcmp(p->rows[i].name, name))
			return &p->rows[i];
	p->rows = alloc_grow(p->rows, p->count, sizeof(*p->rows));
	struct profile_row *row = &p->rows[p->count++];
	*row = (struct profile_row){.name = alloc_string(name, strlen(name)), .simd = NAN};
	for (int i = 0; i < MAPPING_TYPES; i++)
		row->share[i] = NAN;
	return row;
}

/* "n/a" and an empty field mean "not known", not 0. Variants of a kernel (for example, for other
 * element types) may each have a row if their shares are equal, because it is not known here which
 * variant will run. */
static int set_share(struct profile_row *row, int type, const char *text, bool variants,
	struct place at, struct errors *e)
{
	double value, *share = type == SIMD ? &row->simd : &row->share[type];
	const char *name = type == SIMD ? "simd" : mapping_types[type];

	if (!*text || !strcmp(text, "n/a"))
		return 0;
	if (text_fraction(text, &value) || value < 0 || value > 1) {
		error_add(e, STATUS_USAGE, at, "'%s' is not a share", text);
		return error_hint(
			e, "the part of all instructions, 0 .. 1 or 0%% .. 100%%; or n/a");
	}
	if (!isnan(*share) && !(variants && *share == value)) {
		error_add(e, STATUS_USAGE, at, "the share of %s of '%s' is given twice", name,
			row->name);
		return variants ? error_hint(e, "its variants differ: keep one of them") : -1;
	}
	*share = value;
	return 0;
}

static int read_row(
	struct profile *p, const struct columns *c, char *line, struct place at, struct errors *e)
{
	char *fields[MAX_FIELDS];
	int count = split(line, fields, MAX_FIELDS), failed = 0;

	if (count <= c->name || !*fields[c->name])
		return error_add(e, STATUS_USAGE, at, "this row names no kernel or program");
	struct profile_row *row = row_of(p, fields[c->name]);
	if (c->type >= 0 && c->share >= 0) {
		if (count <= c->type || count <= c->share)
			return error_add(e, STATUS_USAGE, at, "this row has too few columns");
		int type = type_of(fields[c->type]);
		return type < 0 ? 0
				: set_share(row, type, fields[c->share], c->variant >= 0, at, e);
	}
	for (int i = 0; i < KINDS; i++)
		if (c->of_type[i] >= 0 && c->of_type[i] < count)
			failed |= set_share(row, i, fields[c->of_type[i]], c->variant >= 0, at, e);
	return failed;
}

static void add_simd(struct profile *p)
{
	for (size_t i = 0; i < p->count; i++)
		if (!isnan(p->rows[i].simd)) {
			p->rows[i].share[MAPPING_FP] += p->rows[i].simd;
			p->rows[i].simd = NAN;
		}
}

static void read_lines(struct profile *p, char *text, const char *path, struct errors *e)
{
	struct columns columns;
	struct place at = {path, 0};
	bool head = false;

	for (char *line; (line = strsep(&text, "\n"));) {
		line = text_trim(line);
		at.line++;
		if (!*line || *line == '#')
			continue;
		if (head)
			read_row(p, &columns, line, at, e);
		else if (read_head(&columns, line, at, e))
			return;
		head = true;
	}
	if (!head)
		error_add(e, STATUS_USAGE, (struct place){path, 0}, "is empty");
}

int profile_read(struct profile *p, const char *path, struct place at, struct errors *e)
{
	size_t before = e->failures;
	FILE *in = fopen(path, "re");
	char *text = in ? alloc_zeroed(MAX_BYTES + 2, 1) : NULL;
	size_t got = in ? fread(text, 1, MAX_BYTES + 1, in) : 0;

	if (!in || ferror(in))
		error_add(e, STATUS_USAGE, at, "cannot read the profile '%s': %s", path,
			strerror(errno));
	else if (got > MAX_BYTES)
		error_add(e, STATUS_USAGE, (struct place){path, 0},
			"is larger than 1 MiB; this is not a profile");
	else if (strlen(text) != got)
		error_add(e, STATUS_USAGE, (struct place){path, 0},
			"holds a NUL byte; this is not a text file");
	else
		read_lines(p, text, path, e);
	add_simd(p);
	if (in)
		fclose(in);
	free(text);
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
