/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages with a place: collected, then printed and turned into an exit code.
 *
 * A room of small parts, each for itself: text.h, numbers.h, list.h and buffer.h hold words and
 * numbers as people write them; alloc.h is memory that is there or ends the process; options.h
 * reads a command line by rows; output.h writes whole files or none; say.h and html.h write English
 * and its marks. error.c collects, error_print.c prints.
 */
#include "base/error.h"

#include <assert.h>
#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/installed.h"
#include "base/name.h"

static char *placed(enum status status, struct place at, const char *text)
{
	const char *kind = status == STATUS_OK ? "warning: " : "";

	if (!at.file)
		return alloc_format("%s: %s%s", PROGRAM_NAME, kind, text);
	if (at.line > 0)
		return alloc_format("%s:%d: %s%s", at.file, at.line, kind, text);
	return alloc_format("%s: %s%s", at.file, kind, text);
}

static bool known(const struct errors *e, const char *text)
{
	for (size_t i = 0; i < e->count; i++)
		if (!strcmp(e->list[i].text, text))
			return true;
	return false;
}

static void append_message(struct errors *e, enum status status, int line, char *text)
{
	e->list = alloc_grow(e->list, e->count, sizeof(*e->list));
	e->list[e->count++] = (struct message){status, line, text, NULL, NULL};
}

/* Nobody reads more messages of a file than this, and each further one makes the search for
 * duplicates longer: a range can be wrong in each of its 65536 values. */
#define MAX_MESSAGES 100

static size_t most(const struct errors *e)
{
	return MAX_MESSAGES + e->room;
}

bool errors_left_out(const struct errors *e)
{
	return e->count > most(e) && e->list[most(e)].status != STATUS_OK;
}

/* One message after the last kept one stands for all that are left out. It is sorted to the end and
 * has the status that the process must exit with. */
static void leave_out(struct errors *e, enum status status)
{
	if (e->count == most(e))
		append_message(e, status, INT_MAX,
			alloc_format("%s: further messages are left out", PROGRAM_NAME));
	if (status == STATUS_USAGE || e->list[most(e)].status == STATUS_OK)
		e->list[most(e)].status = status;
	e->repeated = true; /* so that its hint is left out too */
}

/* Takes ownership of text. */
static void add_text(struct errors *e, enum status status, int line, char *text)
{
	e->repeated = known(e, text);
	if (e->repeated) {
		free(text);
		return;
	}
	e->failures += status != STATUS_OK;
	if (e->count < most(e)) {
		append_message(e, status, line, text);
		return;
	}
	leave_out(e, status);
	free(text);
}

static void add_message(
	struct errors *e, enum status status, struct place at, const char *format, va_list values)
{
	char *text = alloc_vformat(format, values);

	add_text(e, status, at.file ? at.line : 0, placed(status, at, text));
	free(text);
}

void error_copy(struct errors *e, const struct message *m)
{
	add_text(e, m->status, m->line, alloc_string(m->text, strlen(m->text)));
	if (m->hint)
		error_hint(e, "%s", m->hint);
	if (m->about)
		error_about(e, m->about);
}

int error_add(struct errors *e, enum status status, struct place at, const char *format, ...)
{
	va_list values;

	va_start(values, format);
	add_message(e, status, at, format, values);
	va_end(values);
	return -1;
}

int error_unknown(struct errors *e, enum status status, struct place at, const char *nearest,
	const char *format, ...)
{
	va_list values;

	va_start(values, format);
	char *text = alloc_vformat(format, values);
	va_end(values);
	if (nearest)
		error_add(e, status, at, "%s; did you mean '%s'?", text, nearest);
	else
		error_add(e, status, at, "%s", text);
	free(text);
	return -1;
}

void error_warn(struct errors *e, const char *format, ...)
{
	va_list values;

	va_start(values, format);
	add_message(e, STATUS_OK, NOWHERE, format, values);
	va_end(values);
}

int error_hint(struct errors *e, const char *format, ...)
{
	struct message *newest;
	va_list values;

	assert(e->count > 0);
	if (e->repeated)
		return -1;
	newest = &e->list[e->count - 1];
	free(newest->hint);
	va_start(values, format);
	char *hint = alloc_vformat(format, values), *folder = installed_folder();

	va_end(values);
	newest->hint = installed_names(hint, folder);
	free(hint);
	free(folder);
	return -1;
}

void error_about(struct errors *e, const char *fact)
{
	assert(e->count > 0);
	if (!e->repeated)
		e->list[e->count - 1].about = fact;
}

enum status errors_status(const struct errors *e)
{
	enum status first = STATUS_OK;

	for (size_t i = 0; i < e->count; i++) {
		if (e->list[i].status == STATUS_USAGE)
			return STATUS_USAGE;
		if (first == STATUS_OK)
			first = e->list[i].status;
	}
	return first;
}

static const struct message *first_failure(const struct errors *e)
{
	for (size_t i = 0; i < e->count; i++)
		if (e->list[i].status != STATUS_OK)
			return &e->list[i];
	return NULL;
}

const char *errors_failure(const struct errors *e)
{
	const struct message *m = first_failure(e);

	return m ? m->text : NULL;
}

void error_hint_of(struct errors *e, const struct errors *other)
{
	const struct message *m = first_failure(other);

	if (m && m->hint)
		error_hint(e, "%s", m->hint);
}

/* Names of files have dots and slashes, and stay as they are. */
static bool is_letter(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("_./", c));
}

/* Is `at`, which begins as a word does, that whole word of `text`? */
static bool is_word(const char *text, const char *at, size_t length)
{
	return (at == text || !is_letter(at[-1])) && !is_letter(at[length]);
}

static bool has_capital(const char *word)
{
	while (*word && !isupper((unsigned char)*word))
		word++;
	return *word;
}

/* Is this word a key, and no word of a sentence? */
static bool is_key(const char *text, const char *at, const char *word)
{
	static const char before[] = "key '";
	static const char *const after[] = {":", "=", " = ", " takes ", " cannot be "};
	const size_t n = sizeof(before) - 1;
	const char *rest = at + strlen(word);

	for (size_t i = 0; i < sizeof(after) / sizeof(*after); i++)
		if (!strncmp(rest, after[i], strlen(after[i])))
			return true;
	return has_capital(word) || ((size_t)(at - text) >= n && !strncmp(at - n, before, n));
}

/* Frees text and returns a copy with the new word. */
static char *rename_word(char *text, const char *from, const char *to)
{
	size_t length = strlen(from), done = 0;
	const char *at;

	while ((at = strstr(text + done, from))) {
		size_t before = (size_t)(at - text);
		bool whole = is_word(text, at, length) && is_key(text, at, from);

		done = before + length;
		if (!whole)
			continue;
		char *renamed = alloc_format("%.*s%s%s", (int)before, text, to, at + length);
		free(text);
		text = renamed;
		done = before + strlen(to);
	}
	return text;
}

void errors_rename(struct errors *e, const char *from, const char *to)
{
	for (size_t i = 0; i < e->count; i++) {
		struct message *m = &e->list[i];

		m->text = rename_word(m->text, from, to);
		if (m->hint)
			m->hint = rename_word(m->hint, from, to);
	}
}

/* Insertion sort, because it is stable and the list is short. */
void errors_sort(struct errors *e)
{
	for (size_t i = 1; i < e->count; i++) {
		struct message m = e->list[i];
		size_t k = i;

		for (; k > 0 && e->list[k - 1].line > m.line; k--)
			e->list[k] = e->list[k - 1];
		e->list[k] = m;
	}
}

void errors_conclude(struct errors *e, char *line)
{
	free(e->last);
	e->last = line;
}

void errors_free(struct errors *e)
{
	for (size_t i = 0; i < e->count; i++) {
		free(e->list[i].text);
		free(e->list[i].hint);
	}
	free(e->list);
	free(e->last);
	*e = (struct errors){0};
}
