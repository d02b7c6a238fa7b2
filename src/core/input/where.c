/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads conditions, and compares values by their kind. */
#include "input/where.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "input/names.h"

/* Each is evaluated for every combination. */
#define MAX_CONDITIONS 100

static const char *const operators[] = {"!=", "==", "<=", ">=", "<", ">"};

enum operator{ NOT_EQUAL, EQUAL, AT_MOST, AT_LEAST, LESS, GREATER, OPERATORS };

/* One side of a condition, up to the operator or the end. */
static char *read_condition_side(const char *from, const char *to)
{
	char *copy = alloc_string(from, (size_t)(to - from)), *trimmed = text_trim(copy);
	char *result = alloc_string(*trimmed == '$' ? trimmed + 1 : trimmed,
		strlen(*trimmed == '$' ? trimmed + 1 : trimmed));

	free(copy);
	return result;
}

static int refuse_node(const char *text, struct place at, struct errors *e)
{
	error_add(e, STATUS_USAGE, at, "where: '%s' is not a condition such as a != b", text);
	return error_hint(e,
		"operators: == != < <= > >=; commas divide conditions that all have to "
		"hold, ' or ' those where one is enough");
}

/* No value has a blank: such a side is a mistake, as of `a == 1 and b == 2`. */
static bool is_side(const char *text)
{
	return *text && !strpbrk(text, " \t");
}

static int read_condition(
	struct sweep *s, const char *text, bool instead, struct place at, struct errors *e)
{
	for (int i = 0; i < OPERATORS; i++) {
		const char *found = strstr(text, operators[i]);
		struct condition c = {.operator= i, .instead = instead, .at = at};

		if (!found)
			continue;
		c.left = read_condition_side(text, found);
		c.right = read_condition_side(found + strlen(operators[i]), text + strlen(text));
		s->conditions = alloc_grow(s->conditions, s->nconditions, sizeof(*s->conditions));
		s->conditions[s->nconditions++] = c;
		if (!is_side(c.left) || !is_side(c.right))
			break;
		if (sweep_find(s, c.left) >= 0 || sweep_find(s, c.right) >= 0)
			return 0;
		return error_add(e, STATUS_USAGE, at,
			"where: neither side of '%s' is a variable of a sweep", text);
	}
	return refuse_node(text, at, e);
}

/* What is between commas: conditions of which one has to hold. */
static int read_alternatives(struct sweep *s, char *text, struct place at, struct errors *e)
{
	static const char between[] = " or ";
	int failed = 0;
	char *next = text;

	for (bool instead = false; next; instead = true) {
		char *one = next;

		next = strstr(one, between);
		if (next) {
			*next = '\0';
			next += strlen(between);
		}
		failed |= read_condition(s, text_trim(one), instead, at, e);
	}
	return failed;
}

int where_read(struct sweep *s, const struct line *line, struct errors *e)
{
	struct words list = {0};
	int failed = 0;

	words_split(&list, line->text, ",");
	for (size_t i = 0; i < list.count; i++)
		failed |= read_alternatives(s, text_trim(list.word[i]), line->at, e);
	words_free(&list);
	if (s->nconditions > MAX_CONDITIONS)
		failed = error_add(e, STATUS_USAGE, line->at,
			"where: more than %d conditions in all", MAX_CONDITIONS);
	return failed;
}

enum kind { NUMBER, SIZE, TIME, NAME };

/* A fraction in percent is a number: 50% == 0.5. */
static enum kind kind_of(const char *text, double *value)
{
	uint64_t whole = 0;
	enum kind kind = NAME;

	if (!text_fraction(text, value))
		return NUMBER;
	if (!text_bytes(text, &whole))
		kind = SIZE;
	else if (!text_duration(text, &whole))
		kind = TIME;
	*value = (double)whole;
	return kind;
}

static bool is_order(int operator)
{
	return operator!= NOT_EQUAL && operator!= EQUAL;
}

static int unlike(const struct condition *c, const char *a, enum kind of_a, const char *b,
	enum kind of_b, struct errors *e)
{
	static const char *const kinds[] = {"a number", "a size", "a time", "a name"};

	error_add(e, STATUS_USAGE, c->at, "where: '%s %s %s' compares '%s', %s, with '%s', %s",
		c->left, operators[c->operator], c->right, a, kinds[of_a], b, kinds[of_b]);
	if (of_a == NAME || of_b == NAME)
		return error_hint(e, "names have no order: only == and != compare them");
	return error_hint(
		e, "write both sides with a unit, such as 16KiB or 20ms, or both without");
}

static bool follows(int operator, int order)
{
	switch (operator) {
	case NOT_EQUAL:
		return order != 0;
	case EQUAL:
		return order == 0;
	case AT_MOST:
		return order <= 0;
	case AT_LEAST:
		return order >= 0;
	case LESS:
		return order < 0;
	default:
		return order > 0;
	}
}

/* A node's number, where the word stands for a node; else as kind_of(). */
static enum kind node_of(const char *text, const struct topo *t, double *value)
{
	const struct names none = {.topo = t};
	struct errors unknown = {0};
	const int node = names_node(&none, text, "where", NOWHERE, &unknown);

	errors_free(&unknown);
	if (node < 0)
		return kind_of(text, value);
	*value = node;
	return NUMBER;
}

int where_holds(const struct condition *c, const char *a, const char *b, const struct topo *t,
	struct errors *e)
{
	double x, y;
	enum kind of_a = kind_of(a, &x), of_b = kind_of(b, &y);

	if (of_a == NUMBER && of_b == NAME)
		of_b = node_of(b, t, &y);
	else if (of_a == NAME && of_b == NUMBER)
		of_a = node_of(a, t, &x);
	bool name = of_a == NAME || of_b == NAME;

	if (name ? is_order(c->operator) : of_a != of_b)
		return unlike(c, a, of_a, b, of_b, e);
	return follows(c->operator, name ? strcmp(a, b) : (x > y) - (x < y));
}
