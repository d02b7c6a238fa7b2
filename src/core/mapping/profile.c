/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads instruction mixes. */
#include "mapping/profile.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/denied.h"
#include "base/text.h"

/* A thousand kernels of six types need a tenth of this; a longer file is not a profile. */
#define MAX_BYTES (1u << 20)

/* The types that a file may contain: those of the mapping, and simd. */
enum { SIMD = MAPPING_TYPES, KINDS };

/* The index of each column of a file; -1: there is no such column. */
struct columns {
	int name, type, share, variant, thread, instructions;
	int of_type[KINDS];
	bool counts; /* numbers of instructions, not shares */
};

static const char *kind_name(int kind)
{
	return kind == SIMD ? "simd" : mapping_types[kind];
}

/* Returns -1 for a type that is ignored here ("other"). *count: the word is "fp_count", not "fp".
 */
static int type_of(const char *word, bool *count)
{
	for (int i = 0; i < KINDS; i++) {
		size_t n = strlen(kind_name(i));

		if (strncmp(word, kind_name(i), n))
			continue;
		*count = !strcmp(word + n, "_count");
		if (*count || !word[n])
			return i;
	}
	return -1;
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
static int split_at_commas(char *line, char **fields, int most)
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

/* The index of a column by its name; NULL: it is ignored. */
static int *column_of(struct columns *c, const char *word, bool *count)
{
	const struct {
		const char *name;
		int *column;
	} plain[] = {{"kernel", &c->name}, {"program", &c->name}, {"type", &c->type},
		{"share", &c->share}, {"count", &c->share}, {"variant", &c->variant},
		{"thread", &c->thread}, {"instructions", &c->instructions}};

	for (size_t i = 0; i < sizeof(plain) / sizeof(*plain); i++)
		if (!strcmp(plain[i].name, word))
			return plain[i].column;
	int type = type_of(word, count);

	return type < 0 ? NULL : &c->of_type[type];
}

static int read_head(struct columns *c, char *line, struct place at, struct errors *e)
{
	char *fields[MAX_FIELDS];
	int count = split_at_commas(line, fields, MAX_FIELDS), shares = 0, counts = 0;

	*c = (struct columns){-1, -1, -1, -1, -1, -1, {-1, -1, -1, -1, -1, -1}, false};
	for (int i = 0; i < count; i++) {
		bool is_count = !strcmp(fields[i], "count");
		int *column = column_of(c, fields[i], &is_count);

		if (!column)
			continue;
		*column = i;
		if (column == &c->share || (column >= c->of_type && column < c->of_type + KINDS))
			*(is_count ? &counts : &shares) += 1;
	}
	c->counts = counts > 0;
	if (counts && shares) {
		error_add(e, STATUS_USAGE, at, "a profile has shares or counts, not both");
		return error_hint(e, "leave out the columns of one kind");
	}
	int types = shares + counts - (c->share >= 0);

	if (c->name >= 0 && ((c->type >= 0 && c->share >= 0) || types))
		return 0;
	error_add(e, STATUS_USAGE, at, "these are not the columns of a profile");
	return error_hint(e, "'kernel,type,share' (or 'program'), or 'kernel' and a column for "
			     "each of branch, fp, int, load, store");
}

static struct profile_row *find_row(const struct profile *p, const char *name, int thread)
{
	for (size_t i = 0; i < p->count; i++)
		if (p->rows[i].thread == thread && !strcmp(p->rows[i].name, name))
			return &p->rows[i];
	return NULL;
}

static struct profile_row *row_of(struct profile *p, const char *name, int thread)
{
	struct profile_row *found = find_row(p, name, thread);

	if (found)
		return found;
	p->rows = alloc_grow(p->rows, p->count, sizeof(*p->rows));
	struct profile_row *row = &p->rows[p->count++];
	*row = (struct profile_row){.name = alloc_string(name, strlen(name)),
		.thread = thread,
		.simd = NAN,
		.all = NAN};
	for (int i = 0; i < MAPPING_TYPES; i++)
		row->share[i] = NAN;
	return row;
}

/* "n/a" and an empty field mean "not known", not 0. Variants of a kernel (for example, for other
 * element types) may each have a row if their shares are equal, because it is not known here which
 * variant will run. */
static void set_value(struct profile_row *row, const struct columns *c, int type, const char *text,
	struct place at)
{
	double value, *old = type == SIMD ? &row->simd : &row->share[type];
	struct errors *e = &row->faults;

	if (!*text || !strcmp(text, "n/a"))
		return;
	if (c->counts ? text_real(text, &value) || value < 0
		      : text_fraction(text, &value) || value < 0 || value > 1) {
		error_add(e, STATUS_USAGE, at, "'%s' is not a %s", text,
			c->counts ? "number of instructions" : "share");
		error_hint(e, c->counts ? "how many of the type were executed; or n/a"
					: "the part of all instructions, 0 .. 1 or 0%% .. 100%%; "
					  "or n/a");
	} else if (!isnan(*old) && !(c->variant >= 0 && *old == value)) {
		error_add(e, STATUS_USAGE, at, "the %s of %s of '%s' is given twice",
			c->counts ? "count" : "share", kind_name(type), row->name);
		if (c->variant >= 0)
			error_hint(e, "its variants differ: keep one of them");
	} else {
		*old = value;
	}
}

/* -1: the row is for all threads; -2: the field is no number of a thread. */
static int thread_of(const struct columns *c, char **fields, int count)
{
	uint64_t thread;

	if (c->thread < 0 || c->thread >= count || !*fields[c->thread])
		return -1;
	return text_count(fields[c->thread], &thread) || thread > INT32_MAX ? -2 : (int)thread;
}

static int read_row(
	struct profile *p, const struct columns *c, char *line, struct place at, struct errors *e)
{
	char *fields[MAX_FIELDS];
	int count = split_at_commas(line, fields, MAX_FIELDS), thread = thread_of(c, fields, count);
	bool is_count;

	if (count <= c->name || !*fields[c->name])
		return error_add(e, STATUS_USAGE, at, "this row names no kernel or program");
	if (thread < -1)
		return error_add(e, STATUS_USAGE, at, "'%s' is not the number of a thread",
			fields[c->thread]);
	struct profile_row *row = row_of(p, fields[c->name], thread);
	row->counted = c->counts;
	if (c->instructions >= 0 && c->instructions < count)
		text_real(fields[c->instructions], &row->all);
	if (c->type >= 0 && c->share >= 0) {
		if (count <= c->type || count <= c->share)
			return error_add(e, STATUS_USAGE, at, "this row has too few columns");
		int type = type_of(fields[c->type], &is_count);
		if (type >= 0)
			set_value(row, c, type, fields[c->share], at);
		return 0;
	}
	for (int i = 0; i < KINDS; i++)
		if (c->of_type[i] >= 0 && c->of_type[i] < count)
			set_value(row, c, i, fields[c->of_type[i]], at);
	return 0;
}

static void add_simd(struct profile *p)
{
	for (size_t i = 0; i < p->count; i++)
		if (!isnan(p->rows[i].simd)) {
			p->rows[i].share[MAPPING_FP] += p->rows[i].simd;
			p->rows[i].simd = NAN;
		}
}

/* Shares from counts; without the column `instructions`, all instructions are those of the types
 * that are given. */
static void add_shares(struct profile *p)
{
	for (size_t i = 0; i < p->count; i++) {
		struct profile_row *row = &p->rows[i];
		double sum = 0;

		if (!row->counted)
			continue;
		memcpy(row->count, row->share, sizeof(row->count));
		for (int k = 0; k < MAPPING_TYPES; k++)
			sum += isnan(row->count[k]) ? 0 : row->count[k];
		for (int k = 0; k < MAPPING_TYPES; k++)
			row->share[k] = row->count[k] / (row->all > 0 ? row->all : sum);
	}
}

static void hint_written(struct errors *e)
{
	error_hint(e, "scripts/profile PROGRAM writes one of a program, affinity --mix FILE one of "
		      "kernels");
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
	if (!head) {
		error_add(e, STATUS_USAGE, (struct place){path, 0}, "is empty");
		hint_written(e);
	}
}

int profile_read(struct profile *p, const char *path, struct place at, struct errors *e)
{
	size_t before = e->failures;
	FILE *in = fopen(path, "re");
	char *text = in ? alloc_zeroed(MAX_BYTES + 2, 1) : NULL;
	size_t got = in ? fread(text, 1, MAX_BYTES + 1, in) : 0;

	if (!in || ferror(in)) {
		const int error = errno;

		error_add(e, STATUS_USAGE, at, "cannot read the profile '%s': %s", path,
			strerror(error));
		hint_written(e);
		denied_hint(path, error, e);
	} else if (got > MAX_BYTES)
		error_add(e, STATUS_USAGE, (struct place){path, 0},
			"is larger than 1 MiB; this is not a profile");
	else if (strlen(text) != got)
		error_add(e, STATUS_USAGE, (struct place){path, 0},
			"holds a NUL byte; this is not a text file");
	else
		read_lines(p, text, path, e);
	add_simd(p);
	add_shares(p);
	if (in)
		fclose(in);
	free(text);
	return e->failures == before ? 0 : -1;
}

const struct profile_row *profile_find(
	const struct profile *p, const char *name, int thread, struct errors *e)
{
	const struct profile_row *row = find_row(p, name, thread);

	row = row ? row : find_row(p, name, -1);
	for (size_t i = 0; row && i < row->faults.count; i++)
		error_copy(e, &row->faults.list[i]);
	return row && row->faults.count ? NULL : row;
}

bool profile_has(const struct profile *p, const char *name)
{
	for (size_t i = 0; i < p->count; i++)
		if (!strcmp(p->rows[i].name, name))
			return true;
	return false;
}

bool profile_by_thread(const struct profile *p, const char *name)
{
	for (size_t i = 0; i < p->count; i++)
		if (p->rows[i].thread >= 0 && !strcmp(p->rows[i].name, name))
			return true;
	return false;
}

void profile_free(struct profile *p)
{
	for (size_t i = 0; i < p->count; i++) {
		free(p->rows[i].name);
		errors_free(&p->rows[i].faults);
	}
	free(p->rows);
	*p = (struct profile){0};
}
