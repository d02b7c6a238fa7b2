/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Structs as JSON, by the rows of their fields. */
#include "document/fields.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "document/value.h"

static const void *field_address(const void *from, size_t offset)
{
	return (const char *)from + offset;
}

static const void *record_at(const struct field *f, const void *from)
{
	const void *p = field_address(from, f->at);

	return f->flags & POINTED ? *(void *const *)p : p;
}

static bool is_there(const struct field *f, const void *from)
{
	return f->there ? *(const bool *)field_address(from, f->there - 1)
			: record_at(f, from) != NULL;
}

static bool is_left_out(const struct field *f, const void *from)
{
	const void *p = field_address(from, f->at);

	if (!(f->flags & LEFT_OUT))
		return false;
	switch (f->type) {
	case FIELD_NUMBER:
	case FIELD_COUNT:
		return !isfinite(*(const double *)p);
	case FIELD_WHOLE:
		return *(const int64_t *)p < (f->flags & NULLED ? 0 : 1);
	case FIELD_INT:
		return *(const int *)p < (f->flags & NULLED ? 0 : 1);
	case FIELD_FLAG:
		return !*(const bool *)p;
	case FIELD_RECORD:
		return !is_there(f, from);
	default:
		return f->item ? !*(const size_t *)field_address(from, f->count)
			       : !*(void *const *)p;
	}
}

static json_t *integer_json(const struct field *f, json_int_t value)
{
	return f->flags & NULLED && value < 0 ? json_null() : json_integer(value);
}

static json_t *text(const struct field *f, const char *value)
{
	const bool none = !value || (f->flags & EMPTY && f->flags & NULLED && !*value);

	return none ? json_null() : value_string(value);
}

/* The value alone, or the object of the fields from `first` on. */
static json_t *item_json(const struct fields *of, const void *from, size_t first);

/* Item i of a list or map; made in `room` where there is none. */
static const void *item_at(const struct field *f, const void *from, size_t i, void *room)
{
	const void *list = *(void *const *)field_address(from, f->at);

	if (list)
		return field_address(list, i * f->of->size);
	f->item(from, i, room);
	return room;
}

static size_t items(const struct field *f, const void *from)
{
	return *(const size_t *)field_address(from, f->count);
}

static json_t *list_json(const struct field *f, const void *from)
{
	const size_t n = items(f, from);
	void *room = f->item ? alloc_zeroed(1, f->of->size) : NULL;
	json_t *list = json_array();

	for (size_t i = 0; i < n; i++)
		json_array_append_new(list, item_json(f->of, item_at(f, from, i, room), 0));
	free(room);
	return list;
}

static json_t *map_json(const struct field *f, const void *from)
{
	const struct field *key = f->of->list;
	const size_t n = items(f, from);
	json_t *o = json_object();
	char number[16];

	for (size_t i = 0; i < n; i++) {
		const void *item = item_at(f, from, i, NULL), *name = field_address(item, key->at);

		if (key->type == FIELD_INT)
			snprintf(number, sizeof(number), "%d", *(const int *)name);
		json_object_set_new(o, key->type == FIELD_INT ? number : *(const char *const *)name,
			item_json(f->of, item, 1));
	}
	return o;
}

static json_t *value_json(const struct field *f, const void *from)
{
	const void *p = field_address(from, f->at);

	switch (f->type) {
	case FIELD_TEXT:
		return text(f, *(const char *const *)p);
	case FIELD_NUMBER:
		return value_number(*(const double *)p);
	case FIELD_COUNT:
		return isfinite(*(const double *)p) ? json_integer((json_int_t) * (const double *)p)
						    : json_null();
	case FIELD_WHOLE:
		return integer_json(f, *(const int64_t *)p);
	case FIELD_INT:
		return integer_json(f, *(const int *)p);
	case FIELD_INDEX:
		return json_integer((json_int_t) * (const size_t *)p);
	case FIELD_FLAG:
		return json_boolean(*(const bool *)p);
	case FIELD_RECORD:
		return is_there(f, from) ? fields_json(f->of, record_at(f, from)) : json_null();
	case FIELD_LIST:
		return list_json(f, from);
	case FIELD_MAP:
		return map_json(f, from);
	default:
		return f->make(p);
	}
}

static json_t *item_json(const struct fields *of, const void *from, size_t first)
{
	if (of->bare)
		return value_json(&of->list[of->n - 1], from);
	json_t *o = json_object();

	for (size_t i = first; i < of->n; i++)
		if (!is_left_out(&of->list[i], from))
			json_object_set_new(o, of->list[i].name, value_json(&of->list[i], from));
	return o;
}

/* The fields of what is written: those in their place, where it has the text that says so. */
static const struct fields *own_fields_of(const struct fields *of, const void *from)
{
	for (size_t i = 0; of->instead && i < of->instead->n; i++) {
		const struct field *f = &of->instead->list[i];

		if (f->name == of->by && *(const char *const *)field_address(from, f->at))
			return of->instead;
	}
	return of;
}

json_t *fields_json(const struct fields *of, const void *from)
{
	return item_json(own_fields_of(of, from), from, 0);
}

static void round_field(const struct field *f, void *from)
{
	void *p = (char *)from + f->at;

	if (f->type == FIELD_NUMBER)
		*(double *)p = value_rounded(*(double *)p);
	else if (f->type == FIELD_RECORD && is_there(f, from))
		fields_round(f->of, (void *)record_at(f, from));
	else if ((f->type == FIELD_LIST || f->type == FIELD_MAP) && *(void **)p)
		for (size_t i = 0; i < items(f, from); i++)
			fields_round(f->of, *(char **)p + i * f->of->size);
}

void fields_round(const struct fields *of, void *to)
{
	for (size_t i = 0; i < of->n; i++)
		round_field(&of->list[i], to);
}

/* Is there a list in it whose items are made one by one? */
static bool has_pieces(const struct fields *of)
{
	for (size_t i = 0; i < of->n; i++)
		if (of->list[i].item || (of->list[i].of && has_pieces(of->list[i].of)))
			return true;
	return false;
}

static void write_list(struct stream *s, const struct field *f, const void *from)
{
	const bool pieces = has_pieces(f->of);
	void *room = alloc_zeroed(1, f->of->size);

	stream_open(s, f->name, '[');
	for (size_t i = 0; i < items(f, from); i++) {
		const void *item = item_at(f, from, i, room);

		if (pieces)
			fields_write(s, NULL, f->of, item);
		else
			stream_value(s, NULL, item_json(f->of, item, 0));
	}
	stream_close(s, ']');
	free(room);
}

void fields_write(struct stream *s, const char *key, const struct fields *all, const void *from)
{
	const struct fields *of = own_fields_of(all, from);

	stream_open(s, key, '{');
	for (size_t i = 0; i < of->n; i++) {
		const struct field *f = &of->list[i];

		if (is_left_out(f, from))
			continue;
		if (f->type == FIELD_LIST && (f->item || has_pieces(f->of)))
			write_list(s, f, from);
		else if (f->type == FIELD_RECORD && is_there(f, from) && has_pieces(f->of))
			fields_write(s, f->name, f->of, record_at(f, from));
		else
			stream_value(s, f->name, value_json(f, from));
	}
	stream_close(s, '}');
}
