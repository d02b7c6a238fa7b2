/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds an option in a table and its value among the words. */
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

const char *options_long(const char *word)
{
	for (size_t i = 0; i < sizeof(letters) / sizeof(*letters); i++)
		if (!strcmp(letters[i].letter, word))
			return letters[i].name;
	return word;
}

static const struct option_head *row(const struct option_table *t, size_t i)
{
	return (const struct option_head *)((const char *)t->rows + i * t->size);
}

static const struct option_head *find(const struct option_table *t, const char *word, size_t length)
{
	for (size_t i = 0; row(t, i)->name; i++)
		if (strlen(row(t, i)->name) == length && !strncmp(row(t, i)->name, word, length))
			return row(t, i);
	return NULL;
}

static void unknown(const struct option_table *t, const char *text, size_t length, struct errors *e)
{
	char *word = alloc_string(text, length);
	const char **names = NULL;
	size_t count = 0;

	for (; row(t, count)->name; count++) {
		names = alloc_grow(names, count, sizeof(*names));
		names[count] = row(t, count)->name;
	}
	error_unknown(e, STATUS_USAGE, NOWHERE, text_nearest(word, names, count),
		"unknown option '%s'", word);
	error_hint(e, "%s --help lists the options", PROGRAM_NAME);
	free(names);
	free(word);
}

int options_say_wanted(const struct option_head *o, const char *found, struct errors *e)
{
	error_add(e, STATUS_USAGE, NOWHERE, "%s wants %s behind it, not the option %s", o->name,
		o->value, found);
	return error_hint(e, "a file of that name is ./%s", found);
}

/* A word behind an option that wants a value is another option. */
static bool is_option(const struct option_table *t, const char *word)
{
	word = options_long(word);
	return find(t, word, strcspn(word, "=")) != NULL;
}

const void *options_read(
	const struct option_table *t, char **words, const char **value, int *used, struct errors *e)
{
	const char *word = options_long(*words), *equals = strchr(word, '=');
	const size_t length = equals ? (size_t)(equals - word) : strlen(word);
	const struct option_head *found = find(t, word, length);

	*used = 1;
	*value = NULL;
	if (!found) {
		unknown(t, *words, equals ? length : strlen(*words), e);
		return NULL;
	}
	if (!found->value) {
		if (equals)
			error_add(e, STATUS_USAGE, NOWHERE, "%s takes no value", found->name);
		return equals ? NULL : found;
	}
	const char *next = words[1] && strcmp(words[1], "--") ? words[1] : NULL;

	if (!equals && next && is_option(t, next)) {
		options_say_wanted(found, next, e);
		return NULL;
	}
	*value = equals ? equals + 1 : next;
	*used = equals || !next ? 1 : 2;
	if (*value && **value)
		return found;
	error_add(e, STATUS_USAGE, NOWHERE, "%s needs a value: %s %s", found->name, found->name,
		found->value);
	return NULL;
}

/* Handles the option in words[0]; returns how many words it used. */
static int take_one(
	const struct option_table *t, char **words, void *to, int *action, struct errors *e)
{
	const char *value;
	int used;
	const struct option_row *found = options_read(t, words, &value, &used, e);

	if (found && value)
		found->take(to, value, e);
	else if (found)
		*action = found->action;
	return used;
}

char **options_take(
	const struct option_table *t, char **words, void *to, int *action, struct errors *e)
{
	while (*words && **words == '-' && strcmp(*words, "--"))
		words += take_one(t, words, to, action, e);
	return *words && !strcmp(*words, "--") ? words + 1 : words;
}

/* ", -h", or nothing. */
static void print_letter(const char *name, char *text, size_t n)
{
	text[0] = '\0';
	for (size_t i = 0; i < sizeof(letters) / sizeof(*letters); i++)
		if (!strcmp(letters[i].name, name))
			snprintf(text, n, ", %s", letters[i].letter);
}

void options_print(const struct option_head *o, int width, FILE *out)
{
	char letter[8];

	print_letter(o->name, letter, sizeof(letter));
	fprintf(out, "  %s%s %-*s %s\n", o->name, letter,
		width - 1 - (int)(strlen(o->name) + strlen(letter)), o->value ? o->value : "",
		o->help);
}
