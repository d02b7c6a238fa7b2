/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Typed values from the rows of a parameter table. */
#include "input/param.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

const struct param *param_find(const struct param *table, const char *name)
{
	for (const struct param *p = table; p && p->name; p++)
		if (!strcmp(p->name, name) || (p->alias && !strcmp(p->alias, name)))
			return p;
	return NULL;
}

bool param_is(const struct param *table, const char *written, const char *name)
{
	const struct param *p = param_find(table, written);

	return p && !strcmp(p->name, name);
}

const char *param_choice(const struct param *table, const void *base, const char *name)
{
	const struct param *p = param_find(table, name);

	return p && p->type == PARAM_CHOICE
		       ? p->choices[*(const int *)((const char *)base + p->offset)]
		       : NULL;
}

const struct param *param_find_pairs(const struct param *table)
{
	for (const struct param *p = table; p && p->name; p++)
		if (p->type == PARAM_PAIRS)
			return p;
	return NULL;
}

int param_add_pair(const struct param *p, void *base, const char *name, const char *value,
	struct place at, struct errors *e)
{
	struct pairs *pairs = (struct pairs *)((char *)base + p->offset);

	if (strlen(name) >= PAIRS_TEXT || strlen(value) >= PAIRS_TEXT)
		return error_add(e, STATUS_USAGE, at, "%s:%s is longer than %d characters", name,
			value, PAIRS_TEXT - 1);
	if (pairs->count == PAIRS_MOST)
		return error_add(e, STATUS_USAGE, at,
			"'%s' is one more pair than the %d that a kernel can have", name,
			PAIRS_MOST);
	strcpy(pairs->list[pairs->count].name, name);
	strcpy(pairs->list[pairs->count++].value, value);
	return 0;
}

static size_t append_choices(const struct param *p, char *buffer, size_t n)
{
	size_t used = 0;

	for (size_t i = 0; p->choices[i] && used < n; i++)
		used += (size_t)snprintf(
			buffer + used, n - used, "%s%s", i ? ", " : "one of ", p->choices[i]);
	return used;
}

/* The unit of the bounds as shown, and the number of the field's units in it. */
static const char *unit_of(const struct param *p, double *divisor)
{
	*divisor = p->type == PARAM_DURATION ? 1e6 : 1;
	switch (p->type) {
	case PARAM_DURATION:
		return " ms";
	case PARAM_BYTES:
		return " bytes";
	case PARAM_EXTENT:
		return " elements";
	case PARAM_WORDS:
		return " values";
	default:
		return "";
	}
}

/* Bounds that nobody reaches are powers of two: "2^50" is read, "1.12589990684262e+15" is not. */
static const char *format_bound(double value, char *buffer, size_t n)
{
	int exponent;

	if (value >= 1e15 && frexp(value, &exponent) == 0.5)
		snprintf(buffer, n, "2^%d", exponent - 1);
	else
		snprintf(buffer, n, "%.15g", value);
	return buffer;
}

const char *param_range(const struct param *p, char *buffer, size_t n)
{
	double divisor;
	const char *unit = unit_of(p, &divisor);
	char min[32], max[32];

	if (p->choices && p->type == PARAM_COUNT)
		snprintf(buffer, n, "%s, or %s .. %s", p->choices[0],
			format_bound(p->min, min, sizeof(min)),
			format_bound(p->max, max, sizeof(max)));
	else if (p->choices)
		append_choices(p, buffer, n);
	else if (p->type == PARAM_PAIRS)
		snprintf(buffer, n, "any name:value");
	else if (p->type == PARAM_FLAG)
		snprintf(buffer, n, "yes or no");
	else if (p->max > p->min)
		snprintf(buffer, n, "%s .. %s%s", format_bound(p->min / divisor, min, sizeof(min)),
			format_bound(p->max / divisor, max, sizeof(max)), unit);
	else
		snprintf(buffer, n, "at least %s%s",
			format_bound(p->min / divisor, min, sizeof(min)), unit);
	return buffer;
}

/* max <= min: there is no maximum. */
static int check_range(
	const struct param *p, double value, const char *text, struct place at, struct errors *e)
{
	char range[128];

	if (value >= p->min && (p->max <= p->min || value <= p->max))
		return 0;
	error_add(e, STATUS_USAGE, at, "%s = %s is out of range", p->name, text);
	return error_hint(e, "%s takes %s", p->name, param_range(p, range, sizeof(range)));
}

static int refuse_value(const struct param *p, const char *what, const char *text, struct place at,
	struct errors *e)
{
	error_add(e, STATUS_USAGE, at, "%s = '%s' is not %s", p->name, text, what);
	if (*text == '-')
		return error_hint(e, "%s cannot be negative", p->name);
	return -1;
}

static int set_choice(
	const struct param *p, int *field, const char *text, struct place at, struct errors *e)
{
	char range[512];
	size_t count = 0;

	for (; p->choices[count]; count++)
		if (!strcmp(p->choices[count], text)) {
			*field = (int)count;
			return 0;
		}
	const char *nearest = text_nearest(text, p->choices, count);
	error_unknown(e, STATUS_USAGE, at, nearest, "unknown %s '%s'", p->name, text);
	return error_hint(e, "%s is %s", p->name, param_range(p, range, sizeof(range)));
}

/* '48' elements or '192B' bytes: a unit decides. */
static int parse_extent(const char *text, struct extent *x)
{
	x->bytes = false;
	if (!text_count(text, &x->value))
		return 0;
	x->bytes = true;
	return text_bytes(text, &x->value);
}

static int set_words(
	const struct param *p, struct words *w, const char *text, struct place at, struct errors *e)
{
	size_t before = w->count;

	words_split(w, text, " \t");
	w->at = at;
	if (p->max < 1 || w->count - before <= (size_t)p->max)
		return 0;
	while (w->count > before + (size_t)p->max) /* keeps later checks short */
		free(w->word[--w->count]);
	return error_add(e, STATUS_USAGE, at, "%s takes at most %.0f values", p->name, p->max);
}

static int set_count(
	const struct param *p, uint64_t *field, const char *text, struct place at, struct errors *e)
{
	char example[64];

	if (p->choices && !strcmp(text, p->choices[0])) {
		*field = COUNT_WORD;
		return 0;
	}
	snprintf(example, sizeof(example), "a whole number, such as 10%s%s",
		p->choices ? ", or " : "", p->choices ? p->choices[0] : "");
	if (text_count(text, field))
		return refuse_value(p,
			text[strcspn(text, "0123456789")] ? "a whole number that fits 64 bits"
							  : example,
			text, at, e);
	return check_range(p, (double)*field, text, at, e);
}

static int set_number(
	const struct param *p, void *field, const char *text, struct place at, struct errors *e)
{
	switch (p->type) {
	case PARAM_COUNT:
		return set_count(p, field, text, at, e);
	case PARAM_BYTES:
		if (text_count(text, field) && text_bytes(text, field))
			return refuse_value(p, "a number of bytes such as 64KiB", text, at, e);
		return check_range(p, (double)*(uint64_t *)field, text, at, e);
	case PARAM_REAL:
		if (text_real(text, field))
			return refuse_value(p, "a number, such as 0.5", text, at, e);
		return check_range(p, *(double *)field, text, at, e);
	case PARAM_FRACTION:
		if (text_fraction(text, field))
			return refuse_value(p, "a fraction such as 0.5 or 50%", text, at, e);
		return check_range(p, *(double *)field, text, at, e);
	case PARAM_DURATION:
		if (text_duration(text, field))
			return refuse_value(
				p, "a time such as 500ms or 2s (a bare number is ms)", text, at, e);
		return check_range(p, (double)*(uint64_t *)field, text, at, e);
	default:
		if (parse_extent(text, field))
			return refuse_value(
				p, "a number of elements, or of bytes such as 192B", text, at, e);
		return check_range(p, (double)((struct extent *)field)->value, text, at, e);
	}
}

int param_set(
	const struct param *p, void *base, const char *text, struct place at, struct errors *e)
{
	void *field = (char *)base + p->offset;

	switch (p->type) {
	case PARAM_CHOICE:
		return set_choice(p, field, text, at, e);
	case PARAM_FLAG:
		if (text_flag(text, field))
			return refuse_value(p, "yes or no", text, at, e);
		return 0;
	case PARAM_WORDS:
		return set_words(p, field, text, at, e);
	case PARAM_PAIRS: /* param_add_pair() fills it */
		return 0;
	case PARAM_LINES:
		lines_add(field, p->name, text, at);
		return 0;
	default:
		return set_number(p, field, text, at, e);
	}
}

void param_defaults(const struct param *table, void *base)
{
	struct errors none = {0};

	for (const struct param *p = table; p && p->name; p++)
		if (p->fallback)
			param_set(p, base, p->fallback, NOWHERE, &none);
	assert(!none.count);
	errors_free(&none);
}

void param_release(const struct param *table, void *base)
{
	for (const struct param *p = table; p && p->name; p++)
		if (p->type == PARAM_WORDS)
			words_free((struct words *)((char *)base + p->offset));
		else if (p->type == PARAM_LINES)
			lines_free((struct lines *)((char *)base + p->offset));
}
