/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says findings: puts their parts into the patterns of sentences.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/finding.h"
#include "base/alloc.h"
#include "base/buffer.h"
#include "base/numbers.h"
#include "base/text.h"

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

/* The figure that is shown of it: an end of its interval, or its value. */
static double value_of(const struct slot *s)
{
	const struct amount a = s->part->amount;

	return *s->format == 'l' ? a.low : *s->format == 'h' ? a.high : a.value;
}

static bool is_there(const struct slot *s)
{
	const bool there = s->part && (s->how != '%' || isfinite(value_of(s)));

	return there == (s->test != '!');
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

/* In the unit that suits the whole figure: "16 MiB", "8", "1234 GB/s". */
static void say_value(const struct slot *s, FILE *out)
{
	const char *unit = s->part->unit;
	const struct scale scale = numbers_scale(unit, &s->part->amount, 1);
	const double value = value_of(s) * scale.factor;
	char size[32];

	if (!strcmp(unit, "B"))
		fputs(text_size(value > 0 ? (uint64_t)(value + 0.5) : 0, size, sizeof(size)), out);
	else
		fprintf(out, fabs(value) >= 1000 ? "%.0f" : "%.3g", value);
	if (*s->format == 'r')
		fprintf(out, " %s", scale.unit ? scale.unit : unit);
}

static void say_number(const struct slot *s, FILE *out)
{
	const double value = s->part->amount.value;
	char format[40];

	if (strchr("vlhr", *s->format))
		say_value(s, out);
	else if (*s->format == 't')
		fprintf(out, "%.*f", value < 10 ? 1 : 0, value);
	else if (snprintf(format, sizeof(format), "%%%s", s->format) > 0)
		fprintf(out, format, value);
}

static void say_list(
	const struct finding_list *list, const char *between, enum say_style style, FILE *out)
{
	for (size_t i = 0; i < list->count; i++) {
		fputs(i ? between : "", out);
		finding_say(&list->list[i], style, out);
	}
}

/* A text, whose signs of percent stay beside their numbers. */
static void say_words(const char *text, enum say_style style, FILE *out)
{
	for (const char *blank; (blank = strstr(text, " %")) != NULL; text = blank + 1) {
		char *part = alloc_string(text, (size_t)(blank - text));

		say_text(out, style, part);
		fputs(style == SAY_HTML ? "&nbsp;" : " ", out);
		free(part);
	}
	say_text(out, style, text);
}

static void say_slot(const struct slot *s, enum say_style style, FILE *out)
{
	const struct finding_part *p = s->part;

	if (s->test || !p)
		return;
	if (s->how == '?' && p->text && !strcmp(p->text, "1"))
		fprintf(out, "%.*s", (int)strcspn(s->format, "|"), s->format);
	else if (s->how == '?')
		fputs(s->format + strcspn(s->format, "|") + 1, out);
	else if (s->how == '|')
		say_list(&p->list, s->format, style, out);
	else if (p->text)
		say_words(p->text, style, out);
	else if (p->unit && s->how == '%')
		say_number(s, out);
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
	const char *sentence = finding_pattern(f->kind);

	say(f, sentence, sentence + strlen(sentence), style, out);
}

size_t findings_say(const struct finding_list *f, enum finding_group group,
	const struct finding_frame *frame, enum say_style style, FILE *out)
{
	size_t said = 0;

	for (size_t i = 0; i < f->count; i++) {
		if (finding_group(&f->list[i]) != group)
			continue;
		fputs(said++ ? frame->before : frame->first, out);
		finding_say(&f->list[i], style, out);
		fprintf(out, ".%s", frame->after);
	}
	return said;
}

void finding_say_trust(const struct finding *f, enum say_style style, FILE *out)
{
	static const char *const words[] = {"firm", "fair", "weak, not for conclusions"};
	static const char more[] = "[: {doubts}][ without {without}]";

	fputs(words[f->trust], out);
	say(f, more, more + strlen(more), style, out);
}

char *finding_sentence(const struct finding *f)
{
	struct buffer text;
	FILE *out = buffer_open(&text);

	finding_say(f, SAY_PLAIN, out);
	fputc('.', out);
	return buffer_text(&text, out);
}
