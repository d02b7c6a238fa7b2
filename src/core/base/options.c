/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds options in a table, their values among the words, and sets what they are for. */
#include "base/options.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/name.h"
#include "base/text.h"

/* What people type at any program. */
static const struct {
	const char *letter, *name;
} letters[] = {{"-h", "--help"}, {"-V", "--version"}, {"-q", "--quiet"}, {"-o", "--output"}};

/* The option that a letter stands for. */
static const char *options_long(const char *word)
{
	for (size_t i = 0; i < sizeof(letters) / sizeof(*letters); i++)
		if (!strcmp(letters[i].letter, word))
			return letters[i].name;
	return word;
}

const struct option *options_find(const struct option *rows, const char *name, size_t length)
{
	for (; rows->name; rows++)
		if (strlen(rows->name) == length && !strncmp(rows->name, name, length))
			return rows;
	return NULL;
}

void option_text(void *to, const struct option *o, const char *value, struct errors *e)
{
	(void)e;
	*(const char **)option_field(to, o) = value;
}

void option_word(void *to, const struct option *o, const char *value, struct errors *e)
{
	(void)e;
	words_add(option_field(to, o), value, strlen(value));
}

void option_words(void *to, const struct option *o, const char *value, struct errors *e)
{
	(void)e;
	words_free(option_field(to, o));
	words_split(option_field(to, o), value, ",");
}

void option_choice(void *to, const struct option *o, const char *value, struct errors *e)
{
	const char *const *names = o->row;
	char all[100];

	for (int i = 0; names[i]; i++)
		if (!strcmp(value, names[i])) {
			*(int *)option_field(to, o) = i;
			return;
		}
	error_add(e, STATUS_USAGE, NOWHERE, "%s: '%s' is not %s", o->name, value,
		text_one_of(names, all, sizeof(all)));
}

void option_flag(void *to, const struct option *o, const char *value, struct errors *e)
{
	(void)value;
	(void)e;
	*(bool *)option_field(to, o) = true;
}

/* length: of the word without a value */
static void refuse_unknown_option(
	const struct options_given *g, const char *text, size_t length, struct errors *e)
{
	const char **names = NULL;
	size_t count = 0;

	for (; g->rows[count].name; count++) {
		names = alloc_grow(names, count, sizeof(*names));
		names[count] = g->rows[count].name;
	}
	if (g->refuse) {
		g->refuse(text, names, count, e);
	} else {
		char *word = alloc_string(text, length);

		error_unknown(e, STATUS_USAGE, NOWHERE, text_nearest(word, names, count),
			"unknown option '%s'", word);
		error_hint(e, "%s --help lists the options", PROGRAM_NAME);
		free(word);
	}
	free(names);
}

/* Where a value should stand, a word is another option: that was forgotten, not a file of such a
 * name. */
static bool is_option(const struct options_given *g, const char *word)
{
	word = options_long(word);
	return options_find(g->rows, word, strcspn(word, "=")) != NULL;
}

/* Finds the value behind an option that takes one; next: the word behind it, or NULL. 0, or -1 with
 * a message. */
static int find_value(const struct options_given *g, const struct option *o, const char **value,
	const char *next, struct errors *e)
{
	if (!*value && o->optional) {
		if (o->optional == OPTION_NEXT && next && *next != '-')
			*value = next;
		return 0;
	}
	if (!*value && next && is_option(g, next)) {
		error_add(e, STATUS_USAGE, NOWHERE, "%s wants %s after it, not the option %s",
			o->name, o->value, next);
		return error_hint(e, "a file of that name is ./%s", next);
	}
	if (!*value && next && strcmp(next, "--") != 0)
		*value = next;
	if (o->optional || (*value && **value))
		return 0;
	return error_add(
		e, STATUS_USAGE, NOWHERE, "%s needs a value: %s %s", o->name, o->name, o->value);
}

static void take_value(struct options_given *g, const struct option *o, void *to, const char *value,
	struct errors *e)
{
	const uint64_t bit = UINT64_C(1) << (o - g->rows);

	if (o->once && g->given & bit) {
		error_add(e, STATUS_USAGE, NOWHERE, "%s is given twice", o->name);
		error_hint(e, "only one of them would have an effect");
	}
	g->given |= bit;
	if (o->take)
		o->take(to, o, value, e);
	else
		g->action = o->action;
}

/* Takes the option in words[0]; returns how many words it used. */
static int take_one(struct options_given *g, char **words, void *to, struct errors *e)
{
	const char *word = options_long(*words), *equals = strchr(word, '=');
	const char *value = equals ? equals + 1 : NULL;
	const size_t length = equals ? (size_t)(equals - word) : strlen(word);
	const struct option *o = options_find(g->rows, word, length);

	if (!o)
		refuse_unknown_option(g, *words, equals ? length : strlen(*words), e);
	else if (!o->value && equals)
		error_add(e, STATUS_USAGE, NOWHERE, "%s takes no value", o->name);
	else if (!o->value || !find_value(g, o, &value, words[1], e))
		take_value(g, o, to, value, e);
	else if (o->action) /* the other words are about that all the same */
		take_value(g, o, to, NULL, e);
	return value && !equals ? 2 : 1;
}

char **options_take(struct options_given *g, char **words, void *to, struct errors *e)
{
	while (*words && **words == '-' && (*words)[1] && strcmp(*words, "--") != 0)
		words += take_one(g, words, to, e);
	return *words && !strcmp(*words, "--") ? words + 1 : words;
}

void options_take_all(struct options_given *g, char **words, void *to,
	void (*path)(void *to, const char *word, struct errors *e), struct errors *e)
{
	bool only_paths = false;

	while (*words) {
		char **rest = only_paths ? words : options_take(g, words, to, e);

		only_paths |= rest > words && !strcmp(rest[-1], "--");
		if (*rest)
			path(to, *rest, e);
		words = *rest ? rest + 1 : rest;
	}
}

static bool is_given(const struct options_given *g, const struct option *o)
{
	return g->given >> (o - g->rows) & 1;
}

bool options_has(const struct options_given *g, const char *name)
{
	return is_given(g, options_find(g->rows, name, strlen(name)));
}

const struct option *options_idle(const struct options_given *g, const struct option *row)
{
	for (; row->name; row++)
		if (is_given(g, row) && row->with && !(row->with & OPTION_WITH(g->action)))
			return row;
	return NULL;
}

/* "-h"; NULL: none stands for it. */
static const char *letter_of(const char *name)
{
	for (size_t i = 0; i < sizeof(letters) / sizeof(*letters); i++)
		if (!strcmp(letters[i].name, name))
			return letters[i].letter;
	return NULL;
}

void options_print(const struct option *o, int width, FILE *out)
{
	for (; o->name; o++) {
		const char *letter = letter_of(o->name), *line = o->help, *end;
		char head[64];

		snprintf(head, sizeof(head), "%s%s%s %s", o->name, letter ? ", " : "",
			letter ? letter : "", o->value ? o->value : "");
		do {
			end = strchrnul(line, '\n');
			fprintf(out, "  %-*s %.*s\n", width, line == o->help ? head : "",
				(int)(end - line), line);
			line = end + 1;
		} while (*end);
	}
}
