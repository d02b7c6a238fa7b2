/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expands V*N, V* and A-B in lists of values, and takes NAME(ARGUMENTS) apart. */
#include "base/list.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* A typing error such as 0*1000000000 must give a message and not fill the memory. */
#define MAX_VALUES 65536

/* A list in progress. */
struct writing {
	const struct words *in;
	const struct list_rules *rules;
	struct words *out;
	struct errors *e;
};

static int too_many(const struct writing *w, const char *word)
{
	return error_add(w->e, STATUS_USAGE, w->in->at, "%s: '%s' makes more than %d values",
		w->rules->key, word, MAX_VALUES);
}

static int add_value(const struct writing *w, const char *value)
{
	words_add(w->out, value, strlen(value));
	return w->out->count > MAX_VALUES ? too_many(w, value) : 0;
}

static int refuse_no_count(const struct writing *w, const char *value)
{
	error_add(w->e, STATUS_USAGE, w->in->at, "%s: '%s*' has no count", w->rules->key, value);
	return error_hint(w->e, "write VALUE*COUNT; VALUE* must be the last value of a list whose "
				"length another key sets");
}

/* V* where the machine says how often. */
static int add_each(const struct writing *w, const char *value)
{
	const int added = w->rules->each(w->rules->user, value, w->out, w->e);

	if (added <= 0)
		return added ? -1 : refuse_no_count(w, value);
	return w->out->count > MAX_VALUES ? too_many(w, value) : 0;
}

/* "0-3", not "-3" and not a name such as far-away. */
static bool is_range(const char *value)
{
	size_t digits = strspn(value, "0123456789");

	return digits && value[digits] == '-';
}

typedef int adder(const struct writing *w, const char *value);

static int add_range(const struct writing *w, const char *value, adder *add)
{
	const char *dash = strchr(value, '-');
	char *first = alloc_string(value, (size_t)(dash - value));
	uint64_t from, to;
	int failed = 0, bad = text_count(first, &from) || text_count(dash + 1, &to);

	free(first);
	if (bad || from > to) {
		error_add(w->e, STATUS_USAGE, w->in->at, "%s: '%s' is not a range such as 0-3",
			w->rules->key, value);
		return bad ? -1
			   : error_hint(w->e, "ranges count upwards; write each value of another "
					      "order: 3 2 1 0");
	}
	if (w->out->count > MAX_VALUES || to - from >= MAX_VALUES - w->out->count)
		return too_many(w, value);
	for (uint64_t i = 0; i <= to - from && !failed; i++) {
		char number[24];

		snprintf(number, sizeof(number), "%llu", (unsigned long long)(from + i));
		failed = add(w, number);
	}
	return failed;
}

/* A value or a range of values. */
static int add_values(const struct writing *w, const char *value, adder *add)
{
	return w->rules->ranges && is_range(value) ? add_range(w, value, add) : add(w, value);
}

/* V* until there are as many values as another key has. */
static int fill_up(const struct writing *w, const char *value, bool last)
{
	int failed = 0;

	if (w->rules->want == LIST_ANY || !last)
		return refuse_no_count(w, value);
	while (!failed && w->out->count < w->rules->want)
		failed = add_values(w, value, add_value);
	return failed;
}

static int repeat(const struct writing *w, const char *word, const char *value, const char *count)
{
	uint64_t times;
	int failed = 0;

	if (text_count(count, &times) || !times)
		return error_add(w->e, STATUS_USAGE, w->in->at,
			"%s: '%s' is not of the form VALUE*COUNT", w->rules->key, word);
	if (times > MAX_VALUES)
		return too_many(w, word);
	for (uint64_t i = 0; !failed && i < times; i++)
		failed = add_values(w, value, add_value);
	return failed;
}

static int add_word(const struct writing *w, const char *word, bool last)
{
	const char *star = strrchr(word, '*');

	if (!star || star == word)
		return add_values(w, word, add_value);
	char *value = alloc_string(word, (size_t)(star - word));
	int failed = star[1]          ? repeat(w, word, value, star + 1)
		     : w->rules->each ? add_values(w, value, add_each)
				      : fill_up(w, value, last);

	free(value);
	return failed;
}

int list_expand(
	const struct words *in, const struct list_rules *rules, struct words *out, struct errors *e)
{
	const struct writing w = {in, rules, out, e};

	*out = (struct words){.at = in->at};
	for (size_t i = 0; i < in->count; i++)
		if (add_word(&w, in->word[i], i + 1 == in->count)) {
			words_free(out);
			return -1;
		}
	return 0;
}

/* The length of a name, 0: there is none. */
static size_t name_length(const char *text)
{
	size_t n = 0;

	if (isdigit((unsigned char)*text))
		return 0;
	while (isalnum((unsigned char)text[n]) || text[n] == '_')
		n++;
	return n;
}

/* The comma, or the parenthesis too many, where an argument ends; or the end. */
static const char *end_of_argument(const char *text)
{
	int open = 0;

	for (; *text; text++) {
		if (!open && (*text == ',' || *text == ')'))
			return text;
		open += (*text == '(') - (*text == ')');
	}
	return text;
}

bool list_call_read(struct list_call *c, const char *text)
{
	const size_t length = name_length(text);
	const char *end = text + length;

	*c = (struct list_call){0};
	if (!length || *end != '(')
		return false;
	c->name = alloc_string(text, length);
	do {
		const char *begin = end + 1;

		end = end_of_argument(begin);
		words_add(&c->arguments, begin, (size_t)(end - begin));
	} while (*end == ',');
	return *end == ')' && !end[1];
}

void list_call_free(struct list_call *c)
{
	free(c->name);
	words_free(&c->arguments);
	*c = (struct list_call){0};
}

bool list_calls(const char *text, const char *name)
{
	struct list_call c;
	const bool calls = list_call_read(&c, text) && !strcmp(c.name, name);

	list_call_free(&c);
	return calls;
}

void list_split(struct words *w, const char *text)
{
	const char *begin = text;
	int open = 0;

	for (const char *c = text;; c++) {
		if (!*c || (*c == ',' && !open)) {
			if (c > begin)
				words_add(w, begin, (size_t)(c - begin));
			begin = c + 1;
		}
		if (!*c)
			return;
		open += *c == '(' ? 1 : *c == ')' && open ? -1 : 0;
	}
}
