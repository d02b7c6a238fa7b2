/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "document/facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "document/value.h"

/* Above it not every number is a size or a whole one. */
#define MOST_BYTES 1e18

/* A cell alone, or none where a text stands for that. */
static bool is_single(const struct fact *f)
{
	return f->form->kind <= FACT_FLAG;
}

/* ---- to JSON */

static json_t *cell_json(const struct fact_field *field, const struct fact_cell *c)
{
	const double n = c->number;

	if (c->text)
		return value_string(c->text);
	if (field->flag)
		return json_boolean(n > 0);
	/* up to 14 digits are exact both ways, and no JSON has more (VALUE_FORMAT) */
	return n == floor(n) && fabs(n) < 1e14 ? json_integer((json_int_t)n) : value_number(n);
}

static json_t *record(const struct fact *f, size_t row)
{
	const struct fact_cell *c = f->cells + row * f->width;
	const char *shape = f->form->shape;
	struct fact_field field;
	json_t *o = json_object();

	if (f->form->kind == FACT_BY_CPUS)
		json_object_set_new(o, "cpus", value_string((c++)->text));
	for (; fact_next_field(&shape, &field); c++)
		json_object_set_new(o, field.name, cell_json(&field, c));
	return o;
}

static json_t *records(const struct fact *f)
{
	json_t *list = json_array();

	for (size_t i = 0; i < f->rows; i++)
		json_array_append_new(list, record(f, i));
	return list;
}

static json_t *cells(const struct fact *f, size_t from, size_t n)
{
	const struct fact_field plain = {.text = true};
	json_t *list = json_array();

	for (size_t i = from; i < from + n; i++)
		json_array_append_new(list, cell_json(&plain, &f->cells[i]));
	return list;
}

static json_t *matrix(const struct fact *f)
{
	json_t *list = json_array();

	for (size_t i = 0; i < f->rows; i++)
		json_array_append_new(list, cells(f, i * f->width, f->width));
	return list;
}

static json_t *pairs(const struct fact *f)
{
	json_t *o = json_object();

	for (size_t i = 0; i < f->count; i += 2)
		json_object_set_new(o, f->cells[i].text, value_string(f->cells[i + 1].text));
	return o;
}

static json_t *value(const struct fact *f)
{
	const struct fact_field field = {.flag = f->form->kind == FACT_FLAG};

	if (!f->known)
		return is_single(f) && f->form->none ? json_string(FACT_UNKNOWN) : json_null();
	switch (f->form->kind) {
	case FACT_BY_CPUS:
		return f->rows == 1 && !*f->cells->text ? cell_json(&field, &f->cells[1])
							: records(f);
	case FACT_RECORD:
		return record(f, 0);
	case FACT_RECORDS:
		return records(f);
	case FACT_TEXTS:
		return cells(f, 0, f->count);
	case FACT_MATRIX:
		return matrix(f);
	case FACT_PAIRS:
		return pairs(f);
	default:
		return f->count ? cell_json(&field, f->cells) : json_null();
	}
}

json_t *facts_json(const struct environment *env)
{
	json_t *o = json_object();

	for (size_t i = 0; i < env->count; i++) {
		const struct fact *f = &env->facts[i];

		json_object_set_new(o, f->form->key ? f->form->key : f->name, value(f));
	}
	return o;
}

/* ---- from JSON; false: it is of another form */

static bool read_cell(struct fact *f, const struct fact_field *field, const json_t *v)
{
	const double n = json_is_boolean(v) ? json_is_true(v) : json_number_value(v);

	if (field->text) {
		fact_add_text(f, json_string_value(v));
		return json_is_string(v);
	}
	fact_add_number(f, n);
	return field->flag ? json_is_boolean(v)
			   : json_is_number(v) && (!field->size || (n >= 0 && n < MOST_BYTES));
}

/* A row: "cpus" is the first cell of FACT_BY_CPUS, and their value may be null. */
static bool read_record(struct fact *f, const json_t *o)
{
	const bool by_cpus = f->form->kind == FACT_BY_CPUS;
	const json_t *cpus = json_object_get(o, "cpus"), *v;
	const char *shape = f->form->shape;
	bool read = json_is_object(o) && (!by_cpus || json_is_string(cpus));
	struct fact_field field;

	if (by_cpus)
		fact_add_text(f, json_string_value(cpus));
	while (read && fact_next_field(&shape, &field)) {
		v = json_object_get(o, field.name);
		if (by_cpus && json_is_null(v))
			fact_add_number(f, NAN);
		else
			read = read_cell(f, &field, v);
	}
	return read;
}

/* A cell of a fact whose cells are alike. */
static bool read_alone(struct fact *f, const json_t *v)
{
	const char *shape = f->form->shape;
	struct fact_field field = {.text = true};

	if (f->form->kind == FACT_FLAG)
		field = (struct fact_field){.flag = true};
	else if (shape)
		fact_next_field(&shape, &field);
	return read_cell(f, &field, v);
}

static bool read_list(
	struct fact *f, const json_t *list, bool (*read_one)(struct fact *f, const json_t *v))
{
	bool read = json_is_array(list);
	const json_t *v;
	size_t i;

	fact_add_none(f); /* known, also if it is empty */
	json_array_foreach (list, i, v)
		read = read && read_one(f, v);
	return read;
}

static bool read_matrix(struct fact *f, const json_t *list)
{
	const json_t *row;
	size_t i;
	bool read = json_is_array(list);

	json_array_foreach (list, i, row)
		read = read && json_array_size(row) == json_array_size(list) &&
		       read_list(f, row, read_alone);
	return read;
}

static bool read_pairs(struct fact *f, json_t *o)
{
	bool read = json_is_object(o);
	const char *name;
	json_t *v;

	fact_add_none(f);
	json_object_foreach (o, name, v) {
		fact_add_text(f, name);
		read = read_alone(f, v) && read;
	}
	return read;
}

static bool read_value(struct fact *f, json_t *v)
{
	switch (f->form->kind) {
	case FACT_BY_CPUS:
		if (json_is_array(v))
			return read_list(f, v, read_record);
		fact_add_text(f, "");
		return read_alone(f, v);
	case FACT_RECORD:
		return read_record(f, v);
	case FACT_RECORDS:
		return read_list(f, v, read_record);
	case FACT_TEXTS:
		return read_list(f, v, read_alone);
	case FACT_MATRIX:
		return read_matrix(f, v);
	case FACT_PAIRS:
		return read_pairs(f, v);
	default:
		return read_alone(f, v);
	}
}

static void format_fact(struct fact *f, const json_t *v)
{
	char *text = json_dumps(v, JSON_ENCODE_ANY | JSON_COMPACT);

	fact_replace(f, json_is_string(v) ? json_string_value(v) : text);
	free(text);
}

static bool is_unknown(const json_t *v)
{
	return json_is_null(v) ||
	       (json_is_string(v) && !strcmp(json_string_value(v), FACT_UNKNOWN));
}

void facts_read(struct environment *env, json_t *o)
{
	const char *key;
	json_t *v;

	json_object_foreach (o, key, v) {
		struct fact f = fact_begin(fact_name(key));

		if (json_is_null(v) && is_single(&f) && f.form->none)
			fact_add_none(&f);
		else if (!is_unknown(v) && !read_value(&f, v))
			format_fact(&f, v);
		environment_take(env, &f);
	}
}
