/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts in HTML. */
#include "base/html.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	char c;
	const char *name;
} entities[] = {
	{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'\'', "&apos;"}, {'"', "&quot;"}, {0, NULL}};

static const char *entity(char c)
{
	for (size_t i = 0; entities[i].name; i++)
		if (entities[i].c == c)
			return entities[i].name;
	return NULL;
}

void html_text_n(FILE *out, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *escaped = entity(text[i]);

		if (escaped)
			fputs(escaped, out);
		else if ((unsigned char)text[i] >= ' ' || text[i] == '\n' || text[i] == '\t')
			fputc(text[i], out);
	}
}

void html_text(FILE *out, const char *text)
{
	html_text_n(out, text ? text : "", text ? strlen(text) : 0);
}

static void write_coordinate(FILE *out, double number)
{
	char text[32];

	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, number);
		if (strtod(text, NULL) == number)
			break;
	}
	fputs(text, out);
}

/* text NULL: nothing. most: bytes of it; negative: all */
static void write_text(FILE *out, bool escaped, int most, const char *text)
{
	const size_t n = text ? strnlen(text, most < 0 ? SIZE_MAX : (size_t)most) : 0;

	if (escaped)
		html_text_n(out, text, n);
	else
		fwrite(text, 1, n, out);
}

/* one: a conversion, as "%+.1f" or "%zu" */
static void write_whole(FILE *out, const char *one, va_list *values)
{
	if (strchr(one, 'z'))
		fprintf(out, one, va_arg(*values, size_t));
	else if (strstr(one, "ll"))
		fprintf(out, one, va_arg(*values, long long));
	else if (strchr(one, 'l'))
		fprintf(out, one, va_arg(*values, long));
	else
		fprintf(out, one, va_arg(*values, int));
}

static void write_part(FILE *out, const struct html_part *p)
{
	p->write(out, p);
}

static void write_value(FILE *out, const char *one, va_list *values)
{
	const char type = one[strlen(one) - 1];
	const int most = strchr(one, '*') ? va_arg(*values, int) : -1;

	if (type == '%')
		fputc('%', out);
	else if (type == 's')
		write_text(out, one[1] != '-', most, va_arg(*values, const char *));
	else if (type == 'p')
		write_part(out, va_arg(*values, const struct html_part *));
	else if (type == 'a')
		write_coordinate(out, va_arg(*values, double));
	else if (type == 'd' || type == 'u' || type == 'c')
		write_whole(out, one, values);
	else if (strchr(one, '*'))
		fprintf(out, one, most, va_arg(*values, double));
	else
		fprintf(out, one, va_arg(*values, double));
}

void html(FILE *out, const char *format, ...)
{
	va_list values;

	va_start(values, format);
	for (size_t n; *format; format += n) {
		char one[16];

		n = strcspn(format, "%");
		fwrite(format, 1, n, out);
		if (!format[n])
			break;
		format += n;
		n = 2 + strcspn(format + 1, "scduafgp%");
		snprintf(one, sizeof(one), "%.*s", (int)n, format);
		write_value(out, one, &values);
	}
	va_end(values);
}
