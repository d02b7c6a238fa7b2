/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads formulas with the shunting-yard algorithm (Dijkstra, 1961) and computes them on a stack. */
#include "counters/formula.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"

static int strength(char sign)
{
	return sign == '*' || sign == '/' ? 2 : sign == '+' || sign == '-' ? 1 : 0;
}

static void step(struct formula *f, struct formula_step s)
{
	f->steps = alloc_grow(f->steps, f->nsteps, sizeof(*f->steps));
	f->steps[f->nsteps++] = s;
}

static size_t index_of(struct formula *f, const char *name)
{
	for (size_t i = 0; i < f->nnames; i++)
		if (!strcmp(f->names[i], name))
			return i;
	f->names = alloc_grow(f->names, f->nnames, sizeof(*f->names));
	f->names[f->nnames] = alloc_string(name, strlen(name));
	return f->nnames++;
}

static void operand(struct formula *f, const char *word)
{
	struct formula_step s = {.kind = '1'};

	if (text_real(word, &s.value))
		s = (struct formula_step){.kind = 'n', .name = index_of(f, word)};
	step(f, s);
}

/* Operators that wait for their right side, innermost last. */
struct waiting {
	char *operators;
	size_t count;
};

static void take_waiting(struct formula *f, struct waiting *w, int from)
{
	while (w->count && strength(w->operators[w->count - 1]) >= from)
		step(f, (struct formula_step){.kind = w->operators[--w->count]});
}

/* Operands and operators must alternate; after_operand says which must come next. */
static int read_word(struct formula *f, struct waiting *w, const char *word, int *after_operand)
{
	char c = word[1] ? '\0' : word[0];

	if (c == '(' || (strength(c) && *after_operand)) {
		if (c == '(' && *after_operand)
			return -1;
		if (c != '(')
			take_waiting(f, w, strength(c));
		w->operators[w->count++] = c;
		*after_operand = 0;
		return 0;
	}
	if (c == ')') {
		take_waiting(f, w, 1);
		if (!*after_operand || !w->count)
			return -1;
		w->count--;
		return 0;
	}
	if (*after_operand || strength(c))
		return -1;
	operand(f, word);
	*after_operand = 1;
	return 0;
}

int formula_read(struct formula *f, const char *text)
{
	struct words words = {0};
	struct waiting w = {0};
	int after_operand = 0, failed = 0;

	*f = (struct formula){.text = alloc_string(text, strlen(text))};
	words_split(&words, text, " \t");
	w.operators = alloc_zeroed(words.count + 1, 1);
	for (size_t i = 0; i < words.count && !failed; i++)
		failed = read_word(f, &w, words.word[i], &after_operand);
	take_waiting(f, &w, 1);
	failed = failed || !after_operand || w.count;
	free(w.operators);
	words_free(&words);
	if (failed)
		formula_free(f);
	return failed ? -1 : 0;
}

void formula_free(struct formula *f)
{
	for (size_t i = 0; i < f->nnames; i++)
		free(f->names[i]);
	free(f->names);
	free(f->steps);
	free(f->text);
	*f = (struct formula){0};
}

static double compute(char sign, double a, double b)
{
	switch (sign) {
	case '+':
		return a + b;
	case '-':
		return a - b;
	case '*':
		return a * b;
	default:
		return b == 0 ? NAN : a / b;
	}
}

double formula_value(const struct formula *f, double (*value)(const void *arg, const char *name),
	const void *arg)
{
	double *stack = alloc_zeroed(f->nsteps + 1, sizeof(*stack));
	size_t depth = 0;

	for (size_t i = 0; i < f->nsteps; i++) {
		const struct formula_step *s = &f->steps[i];

		if (s->kind == 'n') {
			stack[depth++] = value(arg, f->names[s->name]);
		} else if (s->kind == '1') {
			stack[depth++] = s->value;
		} else {
			depth--;
			stack[depth - 1] = compute(s->kind, stack[depth - 1], stack[depth]);
		}
	}
	double result = depth ? stack[0] : NAN;
	free(stack);
	return result;
}
