/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Structs from JSON, by the rows of their fields. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "document/fields.h"
#include "document/parts.h"

/* Where the reader is: a member, or an item of a list. */
struct fields_step {
	const struct fields_step *up;
	const char *name; /* NULL: an item */
	size_t index;
};

static void *field_to(void *to, size_t offset)
{
	return (char *)to + offset;
}

/* "runs[0].operations[1].total_s", to be freed; "": the document itself. */
static char *path_of(const struct fields_step *s)
{
	char *path = s ? path_of(s->up) : alloc_string("", 0);

	if (s && s->name)
		alloc_append(&path, ".", "%s", s->name);
	else if (s)
		alloc_append(&path, "", "[%zu]", s->index);
	return path;
}

int fields_refuse(struct fields_reading *r, const char *what, ...)
{
	char *path = path_of(r->step), *why;
	va_list values;

	va_start(values, what);
	why = alloc_vformat(what, values);
	va_end(values);
	error_add(r->errors, STATUS_USAGE, (struct place){r->path, 0}, "'%s' %s", path, why);
	free(why);
	free(path);
	return error_hint(r->errors, "the file was changed or damaged: measure again");
}

void fields_none(const struct fields *of, void *to)
{
	for (size_t i = 0; i < of->n; i++) {
		const struct field *f = &of->list[i];
		const double whole = f->flags & NULLED ? -1 : f->otherwise;
		void *p = field_to(to, f->at);

		switch (f->type) {
		case FIELD_TEXT:
			*(const char **)p = f->flags & EMPTY ? "" : NULL;
			break;
		case FIELD_NUMBER:
		case FIELD_COUNT:
			*(double *)p = NAN;
			break;
		case FIELD_WHOLE:
			*(int64_t *)p = (int64_t)whole;
			break;
		case FIELD_INT:
			*(int *)p = (int)whole;
			break;
		case FIELD_FLAG:
			*(bool *)p = f->otherwise > 0;
			break;
		case FIELD_RECORD:
			if (!(f->flags & POINTED))
				fields_none(f->of, p);
			break;
		default:
			break;
		}
	}
}

static int check_least(struct fields_reading *r, const struct field *f, double value)
{
	const int least = f->flags & FROM_1 ? 1 : 0;

	if (!(f->flags & (FROM_0 | FROM_1)) || !(value < least))
		return 0;
	return fields_refuse(r, "is less than %d", least);
}

static int read_text(struct fields_reading *r, const json_t *v, void *p)
{
	if (!json_is_string(v))
		return fields_refuse(r, "is no text");
	*(const char **)p = json_string_value(v);
	return 0;
}

static int read_number(struct fields_reading *r, const struct field *f, const json_t *v, double *p)
{
	if (!(f->type == FIELD_COUNT ? json_is_integer(v) : json_is_number(v)))
		return fields_refuse(r, "is no number");
	*p = json_number_value(v);
	return check_least(r, f, *p);
}

/* *to: a number between both. */
static int read_whole(struct fields_reading *r, const struct field *f, const json_t *v,
	json_int_t least, json_int_t most, json_int_t *to)
{
	*to = json_integer_value(v);
	if (!json_is_integer(v) || *to < least || *to > most)
		return fields_refuse(r, "is no whole number");
	return check_least(r, f, (double)*to);
}

static int read_value(struct fields_reading *r, const struct field *f, json_t *v, void *to);

/* The field that stands for all of an item, or its fields but the first ones. */
static int read_item(
	struct fields_reading *r, const struct fields *of, json_t *v, void *to, size_t first);

static int read_list(struct fields_reading *r, const struct field *f, json_t *v, void *to)
{
	const struct fields_step *up = r->step;
	const size_t n = json_array_size(v);
	int failed = 0;

	if (!json_is_array(v))
		return fields_refuse(r, "is no list");
	char *list = document_list(r->document, n, f->of->size);

	*(void **)field_to(to, f->at) = list;
	*(size_t *)field_to(to, f->count) = n;
	for (size_t i = 0; !failed && i < n; i++) {
		const struct fields_step step = {up, NULL, i};

		r->step = &step;
		failed = read_item(r, f->of, json_array_get(v, i), list + i * f->of->size, 0);
	}
	r->step = up;
	return failed;
}

static int by_number(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static int read_key(struct fields_reading *r, const struct field *key, const char *name, void *to)
{
	uint64_t number;

	if (key->type == FIELD_TEXT) {
		*(const char **)field_to(to, key->at) = name;
		return 0;
	}
	if (text_count(name, &number) || number > INT_MAX)
		return fields_refuse(r, "has a name that is no number");
	*(int *)field_to(to, key->at) = (int)number;
	return 0;
}

/* Numbers as names are sorted. */
static int read_map(struct fields_reading *r, const struct field *f, json_t *v, void *to)
{
	const struct fields_step *up = r->step;
	const size_t n = json_object_size(v);
	const char *name;
	size_t i = 0;
	json_t *value;
	int failed = 0;

	if (!json_is_object(v))
		return fields_refuse(r, "is no object");
	char *list = document_list(r->document, n, f->of->size);

	*(void **)field_to(to, f->at) = list;
	*(size_t *)field_to(to, f->count) = n;
	json_object_foreach (v, name, value) {
		const struct fields_step step = {up, name, 0};

		r->step = &step;
		if (!failed)
			failed = read_item(r, f->of, value, list, 1) ||
				 read_key(r, f->of->list, name, list);
		list += f->of->size;
		i++;
	}
	r->step = up;
	if (failed)
		return -1;
	if (f->of->list->type == FIELD_INT)
		qsort(list - i * f->of->size, n, f->of->size, by_number);
	return 0;
}

static int read_record(struct fields_reading *r, const struct field *f, json_t *v, void *to)
{
	void *p = field_to(to, f->at);

	if (f->there)
		*(bool *)field_to(to, f->there - 1) = true;
	if (f->flags & POINTED)
		p = *(void **)p = document_list(r->document, 1, f->of->size);
	return fields_read(r, f->of, v, p);
}

/* null: it is as if it were absent. */
static int read_value(struct fields_reading *r, const struct field *f, json_t *v, void *to)
{
	void *p = field_to(to, f->at);
	json_int_t whole;
	int failed;

	if (json_is_null(v))
		return 0;
	switch (f->type) {
	case FIELD_TEXT:
		return read_text(r, v, p);
	case FIELD_NUMBER:
	case FIELD_COUNT:
		return read_number(r, f, v, p);
	case FIELD_WHOLE:
		failed = read_whole(r, f, v, INT64_MIN, INT64_MAX, &whole);
		*(int64_t *)p = whole;
		return failed;
	case FIELD_INT:
		failed = read_whole(r, f, v, INT_MIN, INT_MAX, &whole);
		*(int *)p = (int)whole;
		return failed;
	case FIELD_INDEX:
		failed = read_whole(r, f, v, 0, INT64_MAX, &whole);
		*(size_t *)p = (size_t)whole;
		return failed;
	case FIELD_FLAG:
		if (f->there)
			*(bool *)field_to(to, f->there - 1) = true;
		*(bool *)p = json_is_true(v);
		return json_is_boolean(v) ? 0 : fields_refuse(r, "is neither true nor false");
	case FIELD_RECORD:
		return read_record(r, f, v, to);
	case FIELD_LIST:
		return read_list(r, f, v, to);
	case FIELD_MAP:
		return read_map(r, f, v, to);
	default:
		f->take(r, p, v);
		return 0;
	}
}

static void note_unknown(struct fields_reading *r)
{
	if (!r->unknown++)
		r->first_unknown = path_of(r->step);
}

/* Documents have their fields in the order of the rows: the next one is tried first. */
static size_t find_field(const struct fields *of, size_t first, size_t next, const char *name)
{
	for (size_t i = first; i < of->n; i++) {
		const size_t k = next + i - first < of->n ? next + i - first : next + i - of->n;

		if (!strcmp(of->list[k].name, name))
			return k;
	}
	return of->n;
}

static int check_missing(
	struct fields_reading *r, const struct fields *of, size_t first, uint64_t seen)
{
	const struct fields_step *up = r->step;

	for (size_t i = first; i < of->n; i++)
		if ((of->list[i].flags & NEEDED) == NEEDED && !(seen >> i & 1)) {
			const struct fields_step step = {up, of->list[i].name, 0};

			r->step = &step;
			fields_refuse(r, "is missing");
			r->step = up;
			return -1;
		}
	return 0;
}

static int read_fields(
	struct fields_reading *r, const struct fields *of, json_t *o, void *to, size_t first)
{
	const struct fields_step *up = r->step;
	size_t next = first;
	uint64_t seen = 0;
	const char *name;
	json_t *value;
	int failed = 0;

	if (!json_is_object(o))
		return fields_refuse(r, "is no object");
	json_object_foreach (o, name, value) {
		const struct fields_step step = {up, name, 0};
		const size_t i = find_field(of, first, next, name);

		r->step = &step;
		if (i == of->n) {
			note_unknown(r);
			continue;
		}
		failed = failed ? failed : read_value(r, &of->list[i], value, to);
		seen |= (uint64_t)!json_is_null(value) << i;
		next = i + 1 < of->n ? i + 1 : first;
	}
	r->step = up;
	return failed ? failed : check_missing(r, of, first, seen);
}

static int read_item(
	struct fields_reading *r, const struct fields *of, json_t *v, void *to, size_t first)
{
	const bool instead = of->instead && json_is_string(json_object_get(v, of->by));

	fields_none(of, to);
	if (of->bare)
		return read_value(r, &of->list[of->n - 1], v, to);
	if (read_fields(r, instead ? of->instead : of, v, to, first))
		return -1;
	return of->finish ? of->finish(r, to) : 0;
}

int fields_read(struct fields_reading *r, const struct fields *of, json_t *o, void *to)
{
	return read_item(r, of, o, to, 0);
}
