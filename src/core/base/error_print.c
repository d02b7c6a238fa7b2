/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints messages: all, or what a user reads at once. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/name.h"
#include "base/terminal.h"
#include "base/text.h"

/* About a screen, with hints: who mends these runs affinity again. */
#define SHORT_FAILURES 20

/* So many messages that differ in numbers only are a range with wrong values; fewer are a list,
 * whose values are each worth a line. */
#define MANY_ALIKE 4

/* On a terminal words stay whole. */
static void print_line(const char *before, const char *text, FILE *out)
{
	struct buffer line;
	FILE *whole = buffer_open(&line);

	fputs(before, whole);
	text_print_shown(text, whole);
	fputc('\n', whole);
	buffer_close(&line, whole);
	terminal_fold(line.data, terminal_width(out), out);
	free(line.data);
}

/* Who closes a pipe wants to read no more, so only the exit status shows it. */
static void print_message(const struct message *m, FILE *out)
{
	if (m->status == STATUS_READER_LEFT)
		return;
	print_line("", m->text, out);
	if (m->hint)
		print_line("  hint: ", m->hint, out);
}

void errors_print(const struct errors *e, size_t first, FILE *out)
{
	for (size_t i = first; i < e->count; i++)
		print_message(&e->list[i], out);
}

void errors_print_failures(const struct errors *e, FILE *out)
{
	for (size_t i = 0; i < e->count; i++)
		if (e->list[i].status != STATUS_OK)
			print_message(&e->list[i], out);
}

/* The list ends with a message that stands for others, of which nobody knows how many differ. */
static void print_rest(const struct errors *e, size_t rest, FILE *out)
{
	bool open = errors_left_out(e);

	if (open)
		fprintf(out, "%s: %zu or more further mistakes are left out\n", PROGRAM_NAME, rest);
	else
		fprintf(out, "%s: %zu further mistake%s left out\n", PROGRAM_NAME, rest,
			rest == 1 ? " is" : "s are");
}

static bool in_number(char c)
{
	return isdigit((unsigned char)c) || c == '.';
}

/* The same text but for numbers? */
static bool reads_alike(const char *a, const char *b)
{
	while (*a && *b) {
		bool number = isdigit((unsigned char)*a) && isdigit((unsigned char)*b);

		if (!number && *a != *b)
			return false;
		if (!number) {
			a++;
			b++;
			continue;
		}
		while (in_number(*a))
			a++;
		while (in_number(*b))
			b++;
	}
	return *a == *b;
}

static bool is_alike(const struct message *a, const struct message *b)
{
	return a->status != STATUS_OK && a->status == b->status && a->line == b->line &&
	       !a->hint == !b->hint && reads_alike(a->text, b->text) &&
	       (!a->hint || reads_alike(a->hint, b->hint));
}

/* How many messages before and from list[i] on are like it. */
static void count_alike(const struct errors *e, size_t i, size_t *before, size_t *from)
{
	*before = *from = 0;
	for (size_t k = e->shown; k < e->count; k++)
		if (is_alike(&e->list[i], &e->list[k]))
			++*(k < i ? before : from);
}

/* One of many messages that differ in numbers only stands for all of them. Returns how many it
 * stands for; 0: an earlier one stands for it. */
static size_t print_failure(const struct errors *e, size_t i, FILE *out)
{
	size_t before, from;

	count_alike(e, i, &before, &from);
	if (before + from < MANY_ALIKE) {
		if (out)
			print_message(&e->list[i], out);
		return 1;
	}
	if (before)
		return 0;
	if (out) {
		text_print_shown(e->list[i].text, out);
		fprintf(out, ", and %s%zu more of this kind\n",
			errors_left_out(e) ? "at least " : "", from - 1);
		if (e->list[i].hint)
			print_line("  hint: ", e->list[i].hint, out);
	}
	return from;
}

void errors_print_short(struct errors *e, bool warnings, FILE *out)
{
	size_t printed = 0, rest = 0;

	for (size_t i = e->shown; i < e->count; i++) {
		bool failure = e->list[i].status != STATUS_OK;
		bool shown = printed < SHORT_FAILURES;

		if (!failure && warnings)
			print_message(&e->list[i], out);
		if (!failure)
			continue;
		size_t stands_for = print_failure(e, i, shown ? out : NULL);

		printed += shown && stands_for;
		rest += shown ? 0 : stands_for;
	}
	if (rest)
		print_rest(e, rest, out);
	e->shown = e->count;
	if (warnings && e->last)
		print_line("", e->last, out);
	errors_conclude(e, NULL);
}

/* Documents have warnings of other programs too, all of which are named affinity or affinity-... */
const char *error_plain(const char *text)
{
	static const char name[] = "affinity", kind[] = "warning: ";
	const size_t n = strlen(name);

	if (!strncmp(text, name, n)) {
		const char *end = text + n + strspn(text + n, "-abcdefghijklmnopqrstuvwxyz");

		if (!strncmp(end, ": ", 2))
			text = end + 2;
	}
	return strncmp(text, kind, strlen(kind)) ? text : text + strlen(kind);
}
