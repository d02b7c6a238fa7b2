/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What gemv and moe have in common besides the loops. */
#include "gemv_form.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "loops.h"

enum gemv_type gemv_form_type(const struct gemv_form *f)
{
	return (enum gemv_type)f->weights;
}

enum gemv_activations gemv_form_activations(const struct gemv_form *f)
{
	return (enum gemv_activations)f->activations;
}

size_t gemv_form_row(const struct gemv_form *f)
{
	return gemv_row_bytes(gemv_form_type(f), f->columns);
}

size_t gemv_form_rows(const struct gemv_form *f, const struct vector *v)
{
	return v->elements * v->element_size / gemv_form_row(f);
}

struct gemv_product gemv_form_product(const struct gemv_form *f, uint64_t batch)
{
	return (struct gemv_product){.type = gemv_form_type(f),
		.activations = gemv_form_activations(f),
		.columns = f->columns,
		.batch = batch};
}

struct work gemv_form_work(const struct gemv_form *f)
{
	return (struct work){.loads = 1,
		.bytes = (double)gemv_row_bytes(gemv_form_type(f), GEMV_COLUMNS) / GEMV_COLUMNS};
}

double gemv_form_reach(const struct worker *w)
{
	double lines = 0;

	for (const struct vector *v = w->vectors; v < w->vectors + w->nvectors; v++)
		lines += (double)v->sharers / v->users;
	return lines / w->nvectors;
}

const char *gemv_form_contents(const struct gemv_form *f)
{
	static const char *const contents[GEMV_TYPES] = {
		"weights in f32", "weights in bf16", "weights in int8", "weights of 4 bits"};

	return contents[gemv_form_type(f)];
}

const char *gemv_form_check(const struct gemv_form *f, uint64_t tokens, char *why, size_t n)
{
	const enum gemv_type type = gemv_form_type(f);
	const bool integers = type == GEMV_INT8 || type == GEMV_Q4;
	const bool rows = f->rows == GEMV_ROWS_CHOICES;

	if (f->columns % GEMV_COLUMNS)
		snprintf(why, n, "columns = %" PRIu64 " is no multiple of %d", f->columns,
			GEMV_COLUMNS);
	else if (gemv_form_activations(f) == GEMV_X_INT8 && !integers)
		snprintf(why, n, "activations = int8 are for weights = int8 or q4, not %s",
			gemv_type_names[type]);
	else if (rows && tokens == 1 && type == GEMV_Q4 && gemv_form_activations(f) == GEMV_X_F32)
		snprintf(why, n,
			"rows = %d of weights = q4 are for activations = int8, or for several "
			"tokens",
			GEMV_ROWS);
	else if (rows && gemv_ahead(f->prefetch))
		snprintf(why, n, "prefetch = %s is for rows = 1, not %d",
			gemv_ahead_names[f->prefetch], GEMV_ROWS);
	else
		return NULL;
	return why;
}

static struct gemv_choice choice_of(const struct gemv_form *f)
{
	return (struct gemv_choice){f->isa, f->prefetch, f->rows};
}

const char *gemv_form_lacks(
	const struct gemv_form *f, uint64_t tokens, const char *name, char *why, size_t n)
{
	const struct gemv_product p = gemv_form_product(f, tokens);
	const enum gemv_activations form = p.activations;
	const enum gemv_activations other = form == GEMV_X_F32 ? GEMV_X_INT8 : GEMV_X_F32;
	struct gemv_way ways[GEMV_WAYS];
	char names[64];

	if (gemv_ways(&p, choice_of(f), ways))
		return NULL;
	gemv_usable(form, names, sizeof(names));
	if (!gemv_isa_is_for(form, f->isa) && gemv_isa_is_for(other, f->isa))
		snprintf(why, n, "isa = %s is for activations = %s: with %s, %s has %s on this CPU",
			gemv_isa_names[f->isa], gemv_activations_names[other],
			gemv_activations_names[form], name, names);
	else
		snprintf(why, n, "isa = %s is not available here: %s has %s on this CPU",
			gemv_isa_names[f->isa], name, names);
	return why;
}

float *gemv_form_x(const struct gemv_form *f, size_t tokens)
{
	const size_t floats =
		tokens * gemv_stride(gemv_form_type(f), gemv_form_activations(f), f->columns);
	float *x = own_pages(floats, sizeof(*x));

	for (size_t i = 0; x && i < floats; i++)
		x[i] = 1;
	return x;
}

/* A spoiled loop that the product takes in this way; NULL: none. */
static const char *spoiled_loop(struct gemv_product p, struct gemv_way way)
{
	p.way = way;
	for (const struct loop_verdict *v = loop_verdicts; v->kernel; v++)
		if (v->state == LOOP_ANOTHER && v->loop && gemv_may_take(&p, v->loop))
			return v->loop;
	return NULL;
}

size_t gemv_form_ways(const struct gemv_form *f, const struct gemv_product *p,
	struct gemv_way ways[GEMV_WAYS], const char **without)
{
	const size_t all = gemv_ways(p, choice_of(f), ways);
	const char *loop;
	size_t n = 0;

	*without = NULL;
	for (size_t i = 0; i < all; i++)
		if (!(loop = spoiled_loop(*p, ways[i])))
			ways[n++] = ways[i];
		else
			*without = loop;
	if (n)
		return n;
	*without = NULL;
	return all;
}

bool gemv_form_takes_loop(const struct gemv_form *f, uint64_t tokens, const char *loop)
{
	struct gemv_product p = gemv_form_product(f, tokens);
	struct gemv_way ways[GEMV_WAYS];
	const char *without;
	bool takes = false;

	for (size_t i = gemv_form_ways(f, &p, ways, &without); i-- > 0 && !takes;) {
		p.way = ways[i];
		takes = gemv_may_take(&p, loop);
	}
	return takes;
}

void gemv_form_arrange(const struct gemv_product *p, size_t tokens, float *x)
{
	const size_t stride = gemv_stride(p->type, p->activations, p->columns);

	for (size_t token = 0; token < tokens; token++)
		gemv_arrange(
			p->way.isa, p->type, p->activations, token, p->columns, x + token * stride);
}

struct gemv_way gemv_form_choose(const struct gemv_form *f, struct gemv_product p, size_t tokens,
	struct gemv_rows rows, const float *scales, float *x, float *y)
{
	struct gemv_way ways[GEMV_WAYS];
	const char *without;
	const size_t n = gemv_form_ways(f, &p, ways, &without);

	p.x = x;
	p.way = gemv_quickest(p, ways, n, rows, scales, y);
	gemv_form_arrange(&p, tokens, x);
	return p.way;
}

void gemv_form_add(char *text, size_t n, const char *name, const char *value)
{
	const size_t used = strlen(text);

	snprintf(text + used, n - used, "%s%s %s", used ? " " : "", name, value);
}

void gemv_form_chose(const struct gemv_form *f, const struct gemv_product *p, char *text, size_t n)
{
	const struct gemv_way way = p->way;
	const bool isa = f->isa == GEMV_AUTO, prefetch = f->prefetch == GEMV_AUTO;
	const bool rows = f->rows == GEMV_AUTO && gemv_has_rows(p, way.isa);
	struct gemv_way ways[GEMV_WAYS];
	const char *without;

	*text = '\0';
	gemv_form_ways(f, p, ways, &without);
	if (isa)
		gemv_form_add(text, n, "isa", way.isa->name);
	if (prefetch)
		gemv_form_add(text, n, "prefetch", gemv_ahead_names[way.ahead]);
	if (rows)
		gemv_form_add(text, n, "rows", way.rows > 1 ? "4" : "1");
	if (without)
		snprintf(text + strlen(text), n - strlen(text), ", without %s: spoiled", without);
}

#define STEP_BYTES ((size_t)64 << 10)

size_t gemv_form_step(const struct gemv_product *p, size_t most)
{
	const size_t times = (p->batch + GEMV_TOKENS - 1) / GEMV_TOKENS;
	const size_t fit = STEP_BYTES / (gemv_row_bytes(p->type, p->columns) * times);
	const size_t many = p->way.rows, step = fit < many ? many : fit / many * many;

	return step < most ? step : most;
}

double gemv_form_expected(const struct gemv_form *f, size_t row, size_t token)
{
	double sum = 0;

	for (size_t column = 0; column < f->columns; column++)
		sum += gemv_weight(gemv_form_type(f), row * f->columns + column) *
		       gemv_activation(gemv_form_activations(f), token, column);
	return sum * gemv_row_scale(gemv_form_type(f), row);
}
