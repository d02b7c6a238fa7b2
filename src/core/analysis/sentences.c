/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The one set of sentences for what was found, without their full stops. A sentence is a text with
 * these parts in it:
 *
 *   {name}           the part of this name: a text; "97 +- 1 ns" of a figure
 *   {name%.3g}       the number of a figure alone; %t of how many times, with two digits
 *   {name|; }        a list, with what stands between its items
 *   {name?one|more}  a word for a part that is "1", and for another one
 *   {?name} {!name}  nothing, where the part is there, or is not
 *   [...]            left out where a part that is named in it is not there
 *   <...>            shown as important
 *   ~                a blank that does not break
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/finding.h"
#include "base/buffer.h"

static const struct {
	const char *name, *sentence;
} kinds[] = {
	[FINDING_EXTREMES] = {"extremes",
		"{quantity}[ of {operation}][, {values}]: [{count} figures, all within "
		"<{within%.2g}~%>, ]from {least}[ ({least_at})] to {most}[ ({most_at})][{?open}, "
		"which their intervals do not tell apart][: <{times%t}~times>][; data in {held}]"},
	[FINDING_FIGURES] = {"figures", "{figures|; }"},
	[FINDING_COSTS] = {"costs", "{quantity}: {figures|, }"},
	[FINDING_FIGURE] = {"figure", "[{quantity}[ of {operation}][, {values}]: ][{name} ]"
				      "{figure}[ ({held})]"},
};

const char *finding_kind_name(enum finding_kind kind)
{
	return kinds[kind].name;
}

/* Those of which one says what an experiment found. */
static bool is_headline(enum finding_kind kind)
{
	return kind == FINDING_EXTREMES || kind == FINDING_FIGURES || kind == FINDING_COSTS;
}

const struct finding *findings_first(const struct finding_list *f)
{
	for (size_t i = 0; i < f->count; i++)
		if (is_headline(f->list[i].kind))
			return &f->list[i];
	return NULL;
}

/* ---- what is between braces */

struct slot {
	char test; /* '?', '!', or 0: it is shown */
	const struct finding_part *part;
	char how;        /* '%', '|', '?', or 0 */
	char format[32]; /* what follows that */
};

/* from: the text behind its brace */
static struct slot read_slot(const struct finding *f, const char *from)
{
	struct slot s = {.test = strchr("?!", *from) ? *from : 0};
	char name[32];

	from += s.test != 0;
	const size_t n = strcspn(from, "%|?}"), end = strcspn(from, "}");

	snprintf(name, sizeof(name), "%.*s", (int)n, from);
	s.part = finding_part(f, name);
	s.how = n < end ? from[n] : 0;
	if (s.how)
		snprintf(s.format, sizeof(s.format), "%.*s", (int)(end - n - 1), from + n + 1);
	return s;
}

static bool is_there(const struct slot *s)
{
	return (s->part != NULL) == (s->test != '!');
}

/* The bracket that ends the group that begins behind `from`. */
static const char *end_of_group(const char *from)
{
	for (int depth = 0; depth || *from != ']'; from++)
		depth += (*from == '[') - (*from == ']');
	return from;
}

/* Are all parts there that a group names itself? */
static bool has_all(const struct finding *f, const char *from, const char *end)
{
	for (; from < end; from++) {
		if (*from == '[')
			from = end_of_group(from + 1);
		if (*from != '{')
			continue;
		const struct slot s = read_slot(f, from + 1);

		if (!is_there(&s))
			return false;
	}
	return true;
}

/* ---- words */

static void say_number(double value, const char *format, FILE *out)
{
	if (*format == 't')
		fprintf(out, "%.*f", value < 10 ? 1 : 0, value);
	else if (!strcmp(format, ".2g"))
		fprintf(out, "%.2g", value);
	else
		fprintf(out, "%.3g", value);
}

static void say_list(
	const struct finding_list *list, const char *between, enum say_style style, FILE *out)
{
	for (size_t i = 0; i < list->count; i++) {
		fputs(i ? between : "", out);
		finding_say(&list->list[i], style, out);
	}
}

static void say_slot(const struct slot *s, enum say_style style, FILE *out)
{
	const struct finding_part *p = s->part;

	if (s->test || !p)
		return;
	if (s->how == '?' && p->text)
		fprintf(out, "%.*s", (int)strcspn(s->format, "|"),
			strcmp(p->text, "1") ? strchr(s->format, '|') + 1 : s->format);
	else if (s->how == '|')
		say_list(&p->list, s->format, style, out);
	else if (p->text)
		say_text(out, style, p->text);
	else if (p->unit && s->how == '%')
		say_number(p->amount.value, s->format, out);
	else if (p->unit)
		say_figure(out, style, p->amount, p->unit);
}

/* What stands for one character of a sentence. */
static const char *mark_of(char c, enum say_style style)
{
	static const struct {
		char c;
		const char *is[2]; /* by style */
	} marks[] = {{'<', {"", "<strong>"}}, {'>', {"", "</strong>"}}, {'~', {" ", "&nbsp;"}}};

	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++)
		if (marks[i].c == c)
			return marks[i].is[style];
	return NULL;
}

static void say(
	const struct finding *f, const char *from, const char *end, enum say_style style, FILE *out)
{
	for (; from < end; from++) {
		const char *mark = mark_of(*from, style);

		if (mark) {
			fputs(mark, out);
		} else if (*from == '[') {
			const char *close = end_of_group(from + 1);

			if (has_all(f, from + 1, close))
				say(f, from + 1, close, style, out);
			from = close;
		} else if (*from == '{') {
			const struct slot s = read_slot(f, from + 1);

			say_slot(&s, style, out);
			from += strcspn(from, "}");
		} else {
			fputc(*from, out);
		}
	}
}

void finding_say(const struct finding *f, enum say_style style, FILE *out)
{
	const char *sentence = kinds[f->kind].sentence;

	say(f, sentence, sentence + strlen(sentence), style, out);
}

char *finding_sentence(const struct finding *f)
{
	struct buffer text;
	FILE *out = buffer_open(&text);

	finding_say(f, SAY_PLAIN, out);
	fputc('.', out);
	return buffer_text(&text, out);
}
