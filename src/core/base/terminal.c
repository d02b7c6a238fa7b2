/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/terminal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/text.h"

/* What has no width of its own, such as a serial line, has that of the first terminals; less is no
 * place for a table. */
#define USUAL 80
#define LEAST 40
#define LINES 24

int terminal_width(FILE *out)
{
	struct winsize size = {0};

	if (!isatty(fileno(out)))
		return 0;
	if (ioctl(fileno(out), TIOCGWINSZ, &size) || !size.ws_col)
		return USUAL;
	return size.ws_col > LEAST ? size.ws_col : LEAST;
}

int terminal_height(FILE *out)
{
	struct winsize size = {0};

	if (!isatty(fileno(out)))
		return 0;
	return ioctl(fileno(out), TIOCGWINSZ, &size) || !size.ws_row ? LINES : size.ws_row;
}

int terminal_lines(const char *text)
{
	int lines = 0;

	for (; *text; text++)
		lines += *text == '\n';
	return lines;
}

/* Columns of the first `bytes` of a text. */
static int columns(const char *text, size_t bytes)
{
	int count = 0;

	for (size_t i = 0; i < bytes; count++) {
		const size_t length = text_character(text + i);

		i += length ? length : 1;
	}
	return count;
}

/* How far what follows is indented: where the second column of a line begins, or a little more than
 * the line itself. */
static int second_column(const char *line, int length, int width)
{
	const int begin = (int)strspn(line, " ");

	for (int i = begin; i + 2 < length; i++)
		if (line[i] == ' ' && line[i + 1] == ' ') {
			const int column = i + (int)strspn(line + i, " ");

			return column < width / 2 ? column : begin + 2;
		}
	return begin + 2;
}

static void fold_line(const char *line, int length, int width, FILE *out)
{
	const int indent = second_column(line, length, width);
	int used = 0;

	for (int i = 0; i < length;) {
		const int blanks = (int)strspn(line + i, " ");
		int word = (int)strcspn(line + i + blanks, " \n");

		if (i + blanks + word > length)
			word = length - i - blanks;
		const int more = columns(line + i + blanks, (size_t)word);

		if (i && used + blanks + more > width && used > indent) {
			fprintf(out, "\n%*s%.*s", indent, "", word, line + i + blanks);
			used = indent + more;
		} else {
			fprintf(out, "%.*s", blanks + word, line + i);
			used += blanks + more;
		}
		i += blanks + word;
	}
	fputc('\n', out);
}

void terminal_fold(const char *text, int width, FILE *out)
{
	for (const char *end; *text; text = end + (*end == '\n')) {
		end = strchrnul(text, '\n');
		const int length = (int)(end - text);

		if (width && columns(text, (size_t)length) > width)
			fold_line(text, length, width, out);
		else
			fprintf(out, "%.*s%s", length, text, *end ? "\n" : "");
	}
}

void terminal_show(void (*print)(FILE *out))
{
	struct buffer text;
	FILE *out = buffer_open(&text);

	print(out);
	buffer_close(&text, out);
	terminal_fold(text.data, terminal_width(stdout), stdout);
	free(text.data);
}

static void print_fitting(const char *text, int room, FILE *out)
{
	static const char more[] = " ...";
	size_t end = strlen(text);

	if (columns(text, end) <= room) {
		fputs(text, out);
		return;
	}
	while (end && (text[end] != ' ' || columns(text, end) + (int)sizeof(more) - 1 > room))
		end--;
	fprintf(out, "%.*s%s", (int)end, text, end ? more : "...");
}

void terminal_cut(const char *text, int used, int width, FILE *out)
{
	print_fitting(text, width ? width - used : INT_MAX, out);
	fputc('\n', out);
}

void terminal_status(const char *text, FILE *out)
{
	if (!isatty(fileno(out)))
		return;
	fputs("\r\033[K", out);
	/* in the last column some terminals begin the next row */
	print_fitting(text, terminal_width(out) - 1, out);
	fflush(out);
}
