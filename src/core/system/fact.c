/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes facts cell by cell, and reads them. */
#include "system/fact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"

struct fact fact_begin(const char *name)
{
	return (struct fact){.name = name, .form = fact_form(name)};
}

static void add_cell(struct fact *f, struct fact_cell c)
{
	f->known = true;
	f->cells = alloc_grow(f->cells, f->count, sizeof(*f->cells));
	f->cells[f->count++] = c;
}

/* Has it a cell alone, so that it is not known without? */
static bool is_single(const struct fact *f)
{
	return f->form->kind <= FACT_FLAG;
}

void fact_add_text(struct fact *f, const char *text)
{
	if ((text && *text && strcmp(text, FACT_UNKNOWN) != 0) || !is_single(f))
		add_cell(f, (struct fact_cell){
				    alloc_string(text ? text : "", text ? strlen(text) : 0), NAN});
}

void fact_add_number(struct fact *f, double number)
{
	if (isinf(number))
		fact_add_none(f);
	else if (!isnan(number) || !is_single(f))
		add_cell(f, (struct fact_cell){NULL, number});
}

void fact_add_none(struct fact *f)
{
	f->known = true;
}

static size_t width(const struct fact *f)
{
	const char *shape = f->form->shape;
	struct fact_field field;
	size_t fields = 0;

	if (f->form->kind == FACT_MATRIX)
		return (size_t)lround(sqrt((double)f->count));
	if (f->form->kind == FACT_BY_CPUS || f->form->kind == FACT_PAIRS)
		return 2;
	while (!is_single(f) && fact_next_field(&shape, &field))
		fields++;
	return is_single(f) ? 1 : fields;
}

static void fact_end(struct fact *f)
{
	f->width = width(f);
	f->rows = f->width ? f->count / f->width : 0;
	f->value = fact_print(f);
}

void fact_free(struct fact *f)
{
	for (size_t i = 0; i < f->count; i++)
		free(f->cells[i].text);
	free(f->cells);
	free(f->value);
}

void fact_replace(struct fact *f, const char *text)
{
	struct fact plain = {.name = f->name, .form = fact_form("")};

	fact_free(f);
	*f = plain;
	fact_add_text(f, text);
}

/* ---- reading one */

/* NULL: there is none. */
static const struct fact_cell *find_fact_cell(const struct fact *f, size_t row, const char *name)
{
	const char *shape = f->form->shape;
	struct fact_field field;
	size_t at = f->form->kind == FACT_BY_CPUS;

	if (row >= f->rows)
		return NULL;
	if (is_single(f) || (at && !strcmp(name, "cpus")))
		return &f->cells[row * f->width];
	for (; shape && fact_next_field(&shape, &field) && at < f->width; at++)
		if (!strcmp(field.name, name))
			return &f->cells[row * f->width + at];
	return NULL;
}

const char *fact_text(const struct fact *f, size_t row, const char *field)
{
	const struct fact_cell *c = find_fact_cell(f, row, field);

	return c ? c->text : NULL;
}

double fact_number(const struct fact *f, size_t row, const char *field)
{
	const struct fact_cell *c = find_fact_cell(f, row, field);

	return c && !c->text ? c->number : NAN;
}

const struct fact *environment_fact(const struct environment *env, const char *name)
{
	for (size_t i = 0; i < env->count; i++)
		if (!strcmp(env->facts[i].name, name))
			return &env->facts[i];
	return NULL;
}

const char *environment_get(const struct environment *env, const char *name)
{
	const struct fact *f = environment_fact(env, name);

	return f ? f->value : NULL;
}

double environment_number(const struct environment *env, const char *name)
{
	const struct fact *f = environment_fact(env, name);

	return f && f->count && !f->cells->text ? f->cells->number : NAN;
}

void environment_take(struct environment *env, struct fact *f)
{
	if (!f->value)
		fact_end(f);
	env->facts = alloc_grow(env->facts, env->count, sizeof(*env->facts));
	env->facts[env->count++] = *f;
}

void environment_add(struct environment *env, const char *name, const char *text)
{
	struct fact f = fact_begin(name);
	double number = NAN;

	if (f.form->kind == FACT_TEXT)
		fact_add_text(&f, text);
	else if (text && !text_real(text, &number))
		fact_add_number(&f, number);
	environment_take(env, &f);
}

void environment_add_or_none(struct environment *env, const char *name, const char *text)
{
	struct fact f = fact_begin(name);

	fact_add_none(&f);
	fact_add_text(&f, text);
	environment_take(env, &f);
}

void environment_add_number(struct environment *env, const char *name, double number)
{
	struct fact f = fact_begin(name);

	fact_add_number(&f, number);
	environment_take(env, &f);
}

void environment_free(struct environment *env)
{
	for (size_t i = 0; i < env->count; i++)
		fact_free(&env->facts[i]);
	free(env->facts);
	*env = (struct environment){0};
}
